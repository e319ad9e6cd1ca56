"""A user service that keeps the daemon alive across logins (OPS-14): plan, install, state, remove.

Nobody needs it: hooks start the daemon when they find none. It is for those who want it up before the first session.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from holdfast.errors import HoldfastError, Refused
from holdfast.install import files, manifest
from holdfast.install.asking import NoAnswer, ask
from holdfast.install.service_files import Manager, ServiceFile, service_file
from holdfast.paths import Home, platform_home

_SECONDS = 30.0
_TOOLS: dict[Manager, str] = {"systemd": "systemctl", "launchd": "launchctl"}


@dataclass(frozen=True, slots=True)
class ServicePlan:
    """What to write and which commands to run then. Nothing of it is done yet."""

    home: Home
    file: ServiceFile
    commands: tuple[tuple[str, ...], ...]
    is_current: bool
    note: str = ""


@dataclass(frozen=True, slots=True)
class ServiceState:
    """What is known about the service of a home."""

    manager: Manager | None
    name: str
    path: Path | None
    is_installed: bool
    is_running: bool
    sentence: str


def manager_here(environment: Mapping[str, str]) -> Manager | None:
    """Which program runs user services on this machine."""
    manager: Manager = "launchd" if sys.platform == "darwin" else "systemd"
    return manager if shutil.which(_TOOLS[manager], path=environment.get("PATH", "")) else None


def plan_service(home: Home, environment: Mapping[str, str], manager: Manager | None = None) -> ServicePlan:
    """The plan, or one sentence why there can be no service here."""
    manager = manager or manager_here(environment)
    if manager is None:
        raise Refused(
            "This machine has no user services (neither systemctl nor launchctl was found). Nothing was changed; hooks "
            "start the daemon when they need it."
        )
    file = _file(manager, home, environment)
    note = ""
    if manager == "systemd":
        note = "It runs from login to logout. `loginctl enable-linger` keeps it running while you are logged out."
    found = files.read(file.path).data
    return ServicePlan(home, file, _begin(file), found == file.text.encode("utf-8"), note)


def install_service(plan: ServicePlan, environment: Mapping[str, str]) -> None:
    """Write the file, then have the manager start it. When the manager refuses, all is as it was before."""
    with manifest.exclusive(plan.home):
        manifest.save(plan.home, manifest.load(plan.home).with_service(plan.file.path))
    before = files.read(plan.file.path)
    made = files.missing_folders(plan.file.path)
    for folder in made:
        folder.mkdir(exist_ok=True)
    files.write(plan.file.path, plan.file.text.encode("utf-8"), 0o644)
    try:
        _run(plan.commands, environment)
    except HoldfastError:
        if before.data is None:
            _forget(plan.home, plan.file.path)
            files.delete(plan.file.path, made)
        else:
            files.write(plan.file.path, before.data, before.mode)
        raise


def start_service(home: Home, environment: Mapping[str, str]) -> bool:
    """Start the daemon by its service: False when there is none, or when its manager does not start it."""
    state = service_state(home, environment)
    if not state.is_installed or state.manager is None:
        return False
    words: tuple[str, ...] = ("systemctl", "--user", "start", state.name)
    if state.manager == "launchd":
        words = ("launchctl", "kickstart", f"gui/{os.getuid()}/{state.name}")
    try:
        _run((words,), environment)
    except HoldfastError:
        return False
    return True


def service_state(home: Home, environment: Mapping[str, str]) -> ServiceState:
    """As the files and the manager tell it."""
    recorded = manifest.load(home).service
    manager = manager_here(environment)
    if manager is None or recorded is None:
        why = "No service is installed." if manager else "This machine has no user services."
        return ServiceState(manager, "", None, False, False, f"{why} Hooks start the daemon when they need it.")
    file = _file(manager, home, environment)
    if not file.path.exists():
        sentence = f"{file.path} is gone. Run `holdfast service install` to make it again."
        return ServiceState(manager, file.name, file.path, False, False, sentence)
    words: tuple[str, ...] = ("systemctl", "--user", "is-active", file.name)
    if manager == "launchd":
        words = ("launchctl", "print", f"gui/{os.getuid()}/{file.name}")
    try:
        answer = ask(words, environment, _SECONDS)
    except NoAnswer as error:
        return ServiceState(manager, file.name, file.path, True, False, f"`{words[0]}` {error}.")
    is_running = answer.code == 0
    said = (answer.output or answer.errors).strip().splitlines()
    state = "running" if is_running else f"not running ({said[0].strip() if said else 'no answer'})"
    return ServiceState(manager, file.name, file.path, True, is_running, f"The service {file.name} is {state}.")


def remove_service(home: Home, environment: Mapping[str, str]) -> str | None:
    """Stop it and take its file away: a sentence when the manager did not do its part."""
    recorded = manifest.load(home).service
    if recorded is None:
        return None
    path = Path(recorded)
    manager: Manager = "launchd" if path.suffix == ".plist" else "systemd"
    trouble = None
    for words in _end(manager, path.stem if manager == "launchd" else path.name):
        try:
            _run((words,), environment)
        except HoldfastError as error:
            trouble = trouble or str(error)
    _forget(home, path)
    if manager == "systemd":
        try:
            _run((("systemctl", "--user", "daemon-reload"),), environment)
        except HoldfastError:
            pass  # it was named above
    return trouble


def _forget(home: Home, path: Path) -> None:
    """Take the file and its record away. The caller may hold the manifest's lock."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise HoldfastError(f"{path} cannot be removed ({error.strerror}). Remove it by hand.") from error
    manifest.save(home, manifest.load(home).with_service(None))


def _file(manager: Manager, home: Home, environment: Mapping[str, str]) -> ServiceFile:
    house = Path(environment.get("HOME") or Path.home())
    config = Path(environment.get("XDG_CONFIG_HOME") or house / ".config")
    return service_file(manager, home, platform_home(), house, config)


def _begin(file: ServiceFile) -> tuple[tuple[str, ...], ...]:
    if file.manager == "launchd":
        return (("launchctl", "bootstrap", f"gui/{os.getuid()}", str(file.path)),)
    return (("systemctl", "--user", "daemon-reload"), ("systemctl", "--user", "enable", "--now", file.name))


def _end(manager: Manager, name: str) -> tuple[tuple[str, ...], ...]:
    if manager == "launchd":
        return (("launchctl", "bootout", f"gui/{os.getuid()}/{name}"),)
    return (("systemctl", "--user", "disable", "--now", name),)


def _run(commands: tuple[tuple[str, ...], ...], environment: Mapping[str, str]) -> None:
    for words in commands:
        line = " ".join(words)
        try:
            answer = ask(words, environment, _SECONDS)
        except NoAnswer as error:
            raise HoldfastError(f"`{line}` {error}.") from error
        if answer.code:
            said = (answer.errors or answer.output).strip().splitlines()
            raise HoldfastError(f"`{line}` ended with {answer.code}: {said[0] if said else 'no reason given'}")
