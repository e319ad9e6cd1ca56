"""doctor: every check with its fix, and the repairs that are safe to make."""

from __future__ import annotations

import os
from typing import Any

import click

from holdfast.doors.cli import show
from holdfast.doors.cli.main import Call
from holdfast.doors.cli.options import client_option, json_option
from holdfast.errors import DaemonAway
from holdfast.paths import Home


@click.command()
@click.option("--fix", is_flag=True, help="Make safe repairs, start the daemon, and check again.")
@client_option
@json_option
@click.pass_obj
def doctor(call: Call, fix: bool, client: str | None, as_json: bool) -> int:
    """Check the installation and suggest fixes.

    Exits with 1 when a check fails.

    \b
    Examples:
      holdfast doctor
      holdfast doctor --fix
    """
    from holdfast.doors.cli import examining
    from holdfast.install import find_client, repair

    found = find_client(client, os.environ)

    def look() -> Any:
        return examining.context_of(call, found, client_was_named=client is not None)

    context = look()
    checks = examining.examine(context)
    repairs: list[tuple[str, str | None]] = []
    if fix:
        repairs = repair(checks)
        if context.status is None:
            repairs.append(("daemon", _start(call.home)))
        checks = examining.examine(look())
    failed = examining.failed(checks)
    if as_json:
        show.say_json(
            {
                "healthy": not failed,
                "checks": examining.as_json(checks),
                "repairs": [{"name": name, "error": error} for name, error in repairs],
            }
        )
        return 1 if failed else 0
    for name, error in repairs:
        show.say(f"repaired: {name}" if error is None else show.fill(f"not repaired: {name}: {error}", "", "  "))
    for line in examining.lines(checks):
        show.say(line)
    show.say()
    show.say(examining.summary(checks))
    return 1 if failed else 0


def _start(home: Home) -> str | None:
    from holdfast.doors.cli import control

    try:
        control.start(home)
    except DaemonAway as error:
        return str(error)
    return None
