"""up: from nothing to working and proven, after showing the plan (OPS-1). Doing it again does no harm."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from holdfast import __version__
from holdfast.doors.cli import show
from holdfast.doors.cli.main import Call
from holdfast.doors.cli.options import client_option, consent, diff_option, json_option, scope_option, yes_option
from holdfast.doors.cli.plugin_words import GIVES, INSTALL
from holdfast.paths import Home, token_of

_DAEMON = {
    "started": "The daemon was started",
    "running": "The daemon is running",
    "replaced": "The daemon was replaced by this version, its sockets open all the while",
}


@click.command()
@scope_option
@yes_option
@client_option
@diff_option
@json_option
@click.pass_obj
def up(call: Call, scope: str | None, yes: bool, client: str | None, with_diff: bool, as_json: bool) -> int:
    """Install the hooks, start the daemon, and prove that both work.

    Shows what it will do and asks first. Does only what is missing, so it can be run again at any time: after an
    upgrade, after a change of port, after an update of Claude Code. Exits with 1 when a proof failed.

    \b
    Examples:
      holdfast up
      holdfast up --scope local --yes
    """
    from holdfast.doors.cli import control, planning, selftest
    from holdfast.install.on_path import write_command
    from holdfast.install.tool_server import register

    home = call.home
    wanted = planning.intent(home, scope, client)
    port = planning.choose_port(home)
    shown = planning.plans(wanted, port.number, token_of(home))
    command = planning.command(wanted)
    tools = planning.tools(wanted)
    changes = not (all(plan.nothing_to_do for plan in shown) and command.nothing_to_do and tools.nothing_to_do)
    if not as_json:
        _preview(home, port, shown, command, tools, with_diff)
    if changes or port.instead_of:
        consent("Do this?", yes=yes, as_json=as_json)
    planning.settle_port(home, port)
    how, status = control.ensure(home)
    settled = planning.plans(wanted, planning.port_of(status), token_of(home))
    receipts = planning.carry_out(shown, settled)
    write_command(home, command)
    refused = register(home, tools, wanted.environment)
    proofs = selftest.run(home, settled[0], str(status["url"]))
    passed = all(proof.passed for proof in proofs)
    if as_json:
        known = {"command": str(command.link), "tools": None if refused else list(tools.command)}
        show.say_json(_document(home, how, status, settled, receipts, proofs, port) | known)
    else:
        _outcome(home, how, status, receipts, proofs)
        if refused:
            show.say()
            show.say(f"! {refused.sentence} {refused.fix}")
    return 0 if passed else 1


def _preview(home: Home, port: Any, shown: Sequence[Any], command: Any, tools: Any, with_diff: bool) -> None:
    from holdfast.doors.cli import planning

    show.say(f"{show.paint(f'holdfast {__version__}', 'bold')}, home {home.root}, port {port.number} on 127.0.0.1")
    if port.instead_of:
        show.say(
            f"Port {port.instead_of}, which the configuration names, is taken by another program; "
            f"{port.number} will be used and written into the hooks."
        )
    for plan in shown:
        show.say()
        show.say(planning.page(plan, with_diff))
    if not command.nothing_to_do:
        show.say()
        show.say(f"The command `holdfast` will be at {command.link}.")
    if not tools.nothing_to_do:
        show.say()
        show.say(f"The tools will be registered: claude mcp add --scope user holdfast -- {' '.join(tools.command)}")
    if any(not plan.nothing_to_do for plan in shown):
        show.say()
        show.say(f"The hooks go into your settings: quick, by http. {GIVES} To have it, instead or besides: {INSTALL}")
    if command.notice:
        show.say()
        show.say(f"! {command.notice.sentence} {command.notice.fix}")
    show.say()


def _outcome(home: Home, how: str, status: dict[str, Any], receipts: Sequence[Any], proofs: Sequence[Any]) -> None:
    from holdfast.install import describe

    show.say(f"{_DAEMON[how]}: version {status['version']}, pid {status['pid']}, {status['url']}.")
    for receipt in receipts:
        show.say(describe(receipt).rstrip("\n"))
    if not receipts:
        show.say("The hooks were installed already: nothing had to be changed.")
    show.say()
    show.say("Proven just now:" if all(proof.passed for proof in proofs) else "The self-test:")
    for proof in proofs:
        mark = show.paint("ok", "green") if proof.passed else show.paint("FAILED", "red", "bold")
        show.say(f"  {proof.number}. {mark}  {show.plain(proof.sentence)}")
    show.say()
    for line in show.facts(places(home).items()):
        show.say(line)
    if receipts:
        show.say()
        show.say("Claude Code sessions that are open now have the hooks after a restart.")


def places(home: Home) -> dict[str, str]:
    """Where to look from here on."""
    return {
        "journal": f"holdfast journal -f  (in {home.database})",
        "log": f"holdfast logs -f  ({home.logs / 'daemon.log'})",
        "status": "holdfast status",
    }


def _document(
    home: Home,
    how: str,
    status: dict[str, Any],
    settled: Sequence[Any],
    receipts: Sequence[Any],
    proofs: Sequence[Any],
    port: Any,
) -> dict[str, Any]:
    from holdfast.install import as_json

    return {
        "changed": bool(receipts) or how != "running",
        "daemon": {"did": how, **{name: status[name] for name in ("version", "pid", "worker_pid", "url", "socket")}},
        "port_instead_of": port.instead_of or None,
        "plans": [as_json(plan) for plan in settled],
        "receipts": [as_json(receipt) for receipt in receipts],
        "passed": all(proof.passed for proof in proofs),
        "proofs": [
            {"number": one.number, "name": one.name, "passed": one.passed, "sentence": one.sentence} for one in proofs
        ],
        "home": str(home.root),
        "log": str(home.logs / "daemon.log"),
        "database": str(home.database),
    }
