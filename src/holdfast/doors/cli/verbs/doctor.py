"""doctor: every check with its fix, and the repairs that are safe to make."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click

from holdfast.doors.cli import show
from holdfast.doors.cli.client import Client
from holdfast.doors.cli.main import Call
from holdfast.doors.cli.options import client_option, json_option, project_root
from holdfast.errors import ConfigError, DaemonAway, HoldfastError
from holdfast.paths import Home

_PATIENCE = 30.0
_MARKS = {"ok": ("ok", "green"), "warn": ("note", "yellow"), "fail": ("FAIL", "red")}


@click.command()
@click.option("--fix", is_flag=True, help="Make the repairs that are safe, start the daemon, and look again.")
@client_option
@json_option
@click.pass_obj
def doctor(call: Call, fix: bool, client: str | None, as_json: bool) -> int:
    """Examine everything that can be wrong, each with its fix.

    Exits with 1 when a check fails.

    \b
    Examples:
      holdfast doctor
      holdfast doctor --fix
    """
    from holdfast.install import repair, run_checks

    context = _context(call.home, client)
    checks = [*run_checks(context), *_of_rooms(call.home)]
    repairs: list[tuple[str, str | None]] = []
    if fix:
        repairs = repair(checks)
        if context.status is None:
            repairs.append(("daemon", _start(call.home)))
        checks = [*run_checks(_context(call.home, client)), *_of_rooms(call.home)]
    failed = [check for check in checks if check.state == "fail"]
    if as_json:
        show.say_json(
            {
                "healthy": not failed,
                "checks": [
                    {"name": one.name, "state": one.state, "sentence": one.sentence, "fix": one.fix} for one in checks
                ],
                "repairs": [{"name": name, "error": error} for name, error in repairs],
            }
        )
        return 1 if failed else 0
    for name, error in repairs:
        show.say(f"repaired: {name}" if error is None else f"not repaired: {name}: {error}")
    width = max(len(check.name) for check in checks)
    for check in checks:
        mark, style = _MARKS[check.state]
        show.say(f"{show.paint(mark.ljust(4), style)}  {check.name.ljust(width)}  {show.plain(check.sentence)}")
        if check.state != "ok" and check.fix:
            show.say(f"{' ' * (width + 8)}{show.paint('fix: ' + show.plain(check.fix), 'bold')}")
    show.say()
    show.say(f"{len(failed)} of {len(checks)} checks fail." if failed else f"All {len(checks)} checks pass.")
    return 1 if failed else 0


def _of_rooms(home: Home) -> list[Any]:
    """What the rooms examine, which the daemon does for them; nothing while it does not run."""
    from holdfast.install.examination import Check

    try:
        found = Client(home, patience=_PATIENCE).get("/api/checks")
    except HoldfastError:
        return []
    sentences = {one["name"]: one["sentence"] for one in found}
    return [Check(name, "warn" if told else "ok", told or "Nothing is wrong.") for name, told in sentences.items()]


def _context(home: Home, client: str | None) -> Any:
    from holdfast import config, hook
    from holdfast.doors.cli.selftest import without
    from holdfast.events.entry import used_events
    from holdfast.install import DoctorContext, find_client
    from holdfast.program import PROGRAM

    try:
        port = config.load(home.config).config.daemon.port
    except ConfigError:
        port = 0  # the check `configuration` tells

    def probe() -> dict[str, Any] | None:
        try:
            return without(Client(home, patience=5.0).status())
        except HoldfastError:
            return None

    return DoctorContext(
        home=home,
        root=project_root(),
        port=port,
        client=find_client(client, os.environ),
        python=Path(sys.executable),
        hook=Path(hook.__file__).absolute(),
        environment=dict(os.environ),
        probe=probe,
        used=used_events(PROGRAM),
    )


def _start(home: Home) -> str | None:
    from holdfast.doors.cli import control

    try:
        control.start(home)
    except DaemonAway as error:
        return str(error)
    return None
