"""What around us keeps hooks from working: settings of any scope, an administrator's, a proxy.

Each finding is a `Notice` with the exact thing to set. Shared by the plan (before) and the doctor (after).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holdfast.errors import HoldfastError
from holdfast.install import files
from holdfast.install.hooks import hook_url, is_holdfast
from holdfast.install.model import InstallScope, Notice
from holdfast.install.settings import all_hooks, decode, managed_files, parse_settings, settings_file

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class InstallSource:
    """One settings file that a session in this project obeys."""

    name: str
    path: Path
    values: dict[str, Any]
    hooks: tuple[tuple[str, object], ...]
    mode: int | None
    problem: str | None = None

    @property
    def holdfast_events(self) -> tuple[str, ...]:
        return tuple(event for event, hook in self.hooks if is_holdfast(hook))


def read_source(name: str, path: Path) -> InstallSource:
    """A settings file's meaning; one that cannot be read is empty and says why."""
    try:
        found = files.read(path)
        root = parse_settings(decode(found.data, path), path) if found.data is not None else None
    except HoldfastError as error:
        return InstallSource(name, path, {}, (), None, str(error))
    values = root.value() if root else {}
    return InstallSource(name, path, values if isinstance(values, dict) else {}, tuple(all_hooks(root)), found.mode)


def read_sources(
    root: Path, environment: Mapping[str, str], managed: Sequence[Path] | None = None
) -> tuple[InstallSource, ...]:
    """User, project, local, managed: the order in which a later one overrules an earlier one."""
    named = [(scope.value, settings_file(scope, root, environment)) for scope in InstallScope]
    named += [("managed", path) for path in (managed_files() if managed is None else managed)]
    sources: dict[Path, InstallSource] = {}
    for name, path in named:
        sources.setdefault(files.target_of(path), read_source(name, path))
    return tuple(sources.values())


def hooks_off(sources: Sequence[InstallSource]) -> Iterator[Notice]:
    """Settings that silently switch every hook off."""
    for source in sources:
        if source.values.get("disableAllHooks") is True:
            yield Notice(
                "disableAllHooks",
                f'{source.path} has "disableAllHooks": true, so Claude Code runs no hook at all.',
                f'Remove "disableAllHooks" from {source.path}.',
            )
        if source.name == "managed" and source.values.get("allowManagedHooksOnly") is True:
            yield Notice(
                "allowManagedHooksOnly",
                f'{source.path} has "allowManagedHooksOnly": true, so only your administrator\'s hooks run.',
                "Ask your administrator to add holdfast's hooks to the managed settings.",
            )


def http_blocked(sources: Sequence[InstallSource], port: int) -> Notice | None:
    """`allowedHttpHookUrls`: unset allows all, any list allows what matches, an empty list nothing."""
    setting = [source for source in sources if isinstance(source.values.get("allowedHttpHookUrls"), list)]
    patterns = [str(one) for source in setting for one in source.values["allowedHttpHookUrls"]]
    if not setting or any(_matches(pattern, hook_url(port, "PreToolUse")) for pattern in patterns):
        return None
    where = ", ".join(str(source.path) for source in setting)
    return Notice(
        "allowedHttpHookUrls",
        f'"allowedHttpHookUrls" in {where} does not let Claude Code post to holdfast.',
        f'Add "http://{LOOPBACK}:*" to "allowedHttpHookUrls" in {setting[-1].path}.',
    )


def _matches(pattern: str, url: str) -> bool:
    return re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), url) is not None


def proxied(sources: Sequence[InstallSource], environment: Mapping[str, str], port: int) -> Notice | None:
    """Claude Code sends loopback hooks, token and all, to a proxy unless NO_PROXY names the address."""
    effective: dict[str, str] = dict(environment)
    origin = dict.fromkeys(environment, "the environment")
    for source in sources:
        table = source.values.get("env")
        for name, value in table.items() if isinstance(table, dict) else ():
            effective[name] = str(value)
            origin[name] = str(source.path)
    proxy = next((name for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY") if effective.get(name)), None)
    if proxy is None:
        return None
    exception = next((name for name in ("no_proxy", "NO_PROXY") if effective.get(name)), "NO_PROXY")
    present = effective.get(exception, "")
    if any(one in ("*", LOOPBACK, f"{LOOPBACK}:{port}") for one in re.split(r"[,\s]+", present)):
        return None
    line = f"{exception}={present + ',' if present else ''}{LOOPBACK},localhost"
    return Notice(
        "proxy",
        f"{proxy} is set in {origin[proxy]} and {exception} does not name {LOOPBACK}, "
        "so Claude Code would send http hooks, with the token, to the proxy.",
        f"Set {line} where you start Claude Code.",
    )


def installed_elsewhere(sources: Sequence[InstallSource], target: Path) -> Iterator[Notice]:
    """Hooks of any holdfast in another file that the same session obeys. The plugin's hooks stay silent beside them."""
    for source in sources:
        if files.target_of(source.path) != files.target_of(target) and source.holdfast_events:
            yield Notice(
                "twice",
                f"holdfast hooks are also in {source.path} ({source.name} scope), so events arrive twice "
                "(they are recorded once).",
                "Keep one scope: `holdfast uninstall` removes all, then install the one you want.",
            )


def plugin_enabled(sources: Sequence[InstallSource]) -> Iterator[Notice]:
    for source in sources:
        plugins = source.values.get("enabledPlugins")
        names = [name for name, on in plugins.items() if on] if isinstance(plugins, dict) else []
        if any(name.split("@")[0] == "holdfast" for name in names):
            yield Notice(
                "plugin",
                f"The holdfast plugin is enabled in {source.path}; beside hooks in the settings its own hooks are "
                "silent.",
            )
