"""install: the hooks into Claude Code's settings, plan first. (`up` does this too, and proves it.)"""

from __future__ import annotations

import click

from holdfast.doors.cli import show
from holdfast.doors.cli.main import Call
from holdfast.doors.cli.options import (
    client_option,
    consent,
    diff_option,
    events_option,
    guard_option,
    json_option,
    scope_option,
    yes_option,
)
from holdfast.paths import token_of


@click.command()
@scope_option
@yes_option
@client_option
@events_option
@guard_option
@diff_option
@json_option
@click.pass_obj
def install(
    call: Call,
    scope: str | None,
    yes: bool,
    client: str | None,
    events: str | None,
    guard_command: bool | None,
    with_diff: bool,
    as_json: bool,
) -> None:
    """Put the hooks into Claude Code's settings.

    Shows the plan and asks. Entries of other programs stay as they are, and `uninstall` restores the file. The hooks
    name the daemon's port and token, so a home that never had a daemon gets one.

    \b
    Examples:
      holdfast install --scope user
      holdfast install --scope project --yes
    """
    from holdfast.doors.cli import control, planning
    from holdfast.install import as_json as to_json
    from holdfast.install import describe

    home = call.home
    wanted = planning.intent(call, scope, client, events, guard_command)
    port = planning.choose_port(call)
    shown = planning.plans(wanted, port.number, token_of(home))
    if not as_json:
        show.say("\n\n".join(planning.page(plan, with_diff) for plan in shown))
    if all(plan.nothing_to_do for plan in shown):
        if as_json:
            show.say_json({"changed": False, "plans": [to_json(plan) for plan in shown], "receipts": []})
        return
    if not as_json:
        show.say()
    consent("Install these hooks?", yes=yes, as_json=as_json)
    planning.settle_port(home, port)
    if token_of(home) is None:
        control.start(home)
    settled = planning.plans(wanted, port.number, token_of(home))
    receipts = planning.carry_out(shown, settled)
    if as_json:
        documents = [to_json(receipt) for receipt in receipts]
        show.say_json({"changed": True, "plans": [to_json(plan) for plan in settled], "receipts": documents})
        return
    for receipt in receipts:
        show.say(describe(receipt, show.width()).rstrip("\n"))
