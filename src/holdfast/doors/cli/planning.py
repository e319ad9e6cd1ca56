"""What `up` and `install` share: for whom, into which scope, with which port, and the plans that follow from it.

Nothing here changes anything but `settle_port`, which is called after the user's word.
"""

from __future__ import annotations

import errno
import os
import socket
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holdfast import config, hook
from holdfast.doors.cli import show
from holdfast.doors.cli.client import lock_holder
from holdfast.doors.cli.main import Call
from holdfast.doors.cli.options import project_root
from holdfast.errors import HoldfastError, Refused
from holdfast.install import (
    ClientInfo,
    InstallPlan,
    InstallReceipt,
    InstallScope,
    apply,
    describe,
    find_client,
    plan_install,
)
from holdfast.install import manifest as manifests
from holdfast.install.describe import diff
from holdfast.install.on_path import CommandPlan, plan_command
from holdfast.install.settings import settings_file
from holdfast.install.tool_server import ServerPlan, plan_server
from holdfast.paths import Home
from holdfast.settings_file import installed_port

NO_TOKEN_YET = "the-token-of-this-home-is-made-at-its-first-start"


@dataclass(frozen=True, slots=True)
class SetUpIntent:
    """What the user wants installed, before the port is known."""

    home: Home
    scope: InstallScope
    root: Path
    client: ClientInfo
    environment: Mapping[str, str]
    events: Sequence[str] | None
    """Those that a step or recovery uses; None: all of them."""
    all_events: bool | None = None
    """None: as it was chosen before."""
    guard_command: bool | None = None
    """None: as it was chosen before."""


def intent(
    call: Call, scope: str | None, client: str | None, events: str | None = None, guard_command: bool | None = None
) -> SetUpIntent:
    home, environment = call.home, dict(os.environ)
    root = project_root()
    chosen = InstallScope(scope) if scope else _usual_scope(home, root, environment)
    found = find_client(client, environment)
    if client and found.path is None:
        raise Refused(f"There is no program {client}. Nothing was changed.")
    every = None if events is None else events == "all"
    return SetUpIntent(home, chosen, root, found, environment, call.rooms["events"], every, guard_command)


def _usual_scope(home: Home, root: Path, environment: Mapping[str, str]) -> InstallScope:
    """Where the hooks that count here are already, so that a second `up` finds them; else the user's settings."""
    record = manifests.load(home)
    for scope in InstallScope:
        if record.find(settings_file(scope, root, environment)):
            return scope
    return InstallScope.USER


@dataclass(frozen=True, slots=True)
class Port:
    """The port that hooks will name; `instead_of` is the configured one when another program has it."""

    number: int
    instead_of: int = 0


def choose_port(call: Call) -> Port:
    """The daemon's port, the configured one, the one that the hooks name, or a free one when that is taken."""
    home = call.home
    configured = config.load(home.config, rooms=call.sections()).config.daemon.port
    facts = lock_holder(home)
    if facts is not None:
        return Port(configured or int(facts.get("port") or 0) or _free_port())
    if not configured:
        named = installed_port(home)  # config.toml was lost
        return Port(named if named and _is_free(named) else _free_port())
    if _is_free(configured):
        return Port(configured)
    variable = config.environment_name("daemon.port")
    if os.environ.get(variable):
        raise HoldfastError(f"{variable} says {configured}, which another program has taken. Set it to another port.")
    return Port(_free_port(), instead_of=configured)


def settle_port(home: Home, port: Port) -> None:
    """Write the chosen port down, unless it is there."""
    from holdfast.doors.cli.control import check_home
    from holdfast.settings_file import keep_port

    if config.load(home.config, rooms=()).config.daemon.port != port.number:
        check_home(home)
        keep_port(home.config, port.number)


def _is_free(port: int) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
            probe.listen(1)
        except OSError as error:
            return error.errno != errno.EADDRINUSE
    return True


def _free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def port_of(status: dict[str, Any]) -> int:
    return int(str(status["url"]).rsplit(":", 1)[1])


def plans(wanted: SetUpIntent, port: int, token: str | None) -> list[InstallPlan]:
    """The plan for the wanted scope first, then those for other files of ours that name an old port or Python."""
    main = _plan(wanted, wanted.scope, wanted.root, port, token)
    return [main, *(plan for plan in _others(wanted, main, port, token) if not plan.nothing_to_do)]


def command(wanted: SetUpIntent) -> CommandPlan:
    """Where `holdfast` goes so that a shell finds it."""
    return plan_command(wanted.home, Path(sys.executable), wanted.environment)


def tools(wanted: SetUpIntent) -> ServerPlan:
    """Our tools, to be registered with Claude Code."""
    return plan_server(wanted.home, wanted.client, wanted.scope)


def _others(wanted: SetUpIntent, main: InstallPlan, port: int, token: str | None) -> Iterator[InstallPlan]:
    for entry in manifests.load(wanted.home).files:
        path, root = Path(entry.path), Path(entry.root)
        is_reachable = settings_file(entry.scope, root, wanted.environment) == path
        if path != main.change.path and is_reachable and path.exists():
            yield _plan(wanted, entry.scope, root, port, token)


def _plan(wanted: SetUpIntent, scope: InstallScope, root: Path, port: int, token: str | None) -> InstallPlan:
    return plan_install(
        scope,
        root=root,
        home=wanted.home,
        port=port,
        token=token or NO_TOKEN_YET,
        python=Path(sys.executable),
        hook=Path(hook.__file__).absolute(),
        client=wanted.client,
        environment=wanted.environment,
        used=wanted.events,
        all_events=wanted.all_events,
        guard_command=wanted.guard_command,
    )


def page(plan: InstallPlan, with_diff: bool) -> str:
    """The plan as a page; its last part, the diff of some hundred lines, only for those who ask."""
    text = describe(plan, show.width()).rstrip("\n")
    if with_diff or plan.nothing_to_do:
        return text
    lines = "\n".join(diff(plan.change, plan.token))
    return text.removesuffix(lines).rstrip("\n") + "\n\n" + show.paint("(--diff shows every line)", "dim")


def carry_out(shown: Sequence[InstallPlan], settled: Sequence[InstallPlan]) -> list[InstallReceipt]:
    """Apply the settled plans, if they speak of the very files that were shown."""
    if [(plan.change.path, plan.change.before) for plan in shown] != [
        (plan.change.path, plan.change.before) for plan in settled
    ]:
        raise Refused("The settings were changed by someone else after the plan was shown. No hook was installed.")
    return [apply(plan) for plan in settled if not plan.nothing_to_do]
