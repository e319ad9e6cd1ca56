"""up: from nothing to working and proven, after showing the plan (OPS-1). Doing it again does no harm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import click

from holdfast import __version__
from holdfast.doors.cli import show
from holdfast.doors.cli.main import Call
from holdfast.doors.cli.options import (
    client_option,
    consent,
    diff_option,
    guard_option,
    json_option,
    scope_option,
    yes_option,
)
from holdfast.doors.cli.plugin_words import GIVES, INSTALL
from holdfast.errors import HoldfastError
from holdfast.paths import Home, claude_config_dir, token_of

_DAEMON = {
    "started": "The daemon was started",
    "running": "The daemon is running",
    "replaced": "The daemon was replaced by this version, its sockets open all the while",
}


@click.command()
@scope_option
@guard_option
@yes_option
@client_option
@diff_option
@json_option
@click.pass_obj
def up(
    call: Call,
    scope: str | None,
    guard_command: bool | None,
    yes: bool,
    client: str | None,
    with_diff: bool,
    as_json: bool,
) -> int:
    """Install the hooks, start the daemon, and prove that both work.

    Shows what it will do and asks first. Does only what is missing, so it can be run again at any time: after an
    upgrade, after a change of port, after an update of Claude Code. At the end it runs the checks of `doctor`. Exits
    with 1 when a proof or a check failed.

    \b
    Examples:
      holdfast up
      holdfast up --scope local --yes
    """
    from holdfast.doors.cli import planning

    home = call.home
    wanted = planning.intent(call, scope, client, guard_command=guard_command)
    port = planning.choose_port(call)
    shown = planning.plans(wanted, port.number, token_of(home))
    command, tools = planning.command(wanted), planning.tools(wanted)
    if not as_json:
        _preview(home, port, shown, command, tools, with_diff)
    changes = not (all(plan.nothing_to_do for plan in shown) and command.nothing_to_do and tools.nothing_to_do)
    if changes or port.instead_of:
        consent("Do this?", yes=yes, as_json=as_json)
    done = _carry_out(call, wanted, port, shown, command, tools)
    if as_json:
        show.say_json(_document(home, done, port, command, tools))
    else:
        _outcome(home, done)
    return 0 if done.passed else 1


@dataclass(frozen=True, slots=True)
class _Done:
    """What `up` did, and what it then proved."""

    how: str
    """What was done to the daemon."""
    status: dict[str, Any]
    settled: Sequence[Any]
    receipts: Sequence[Any]
    refused: Any
    """Why the tools were not registered; nothing when they were."""
    proofs: Sequence[Any]
    checks: Sequence[Any]
    passed: bool
    earlier_sessions: int


def _carry_out(call: Call, wanted: Any, port: Any, shown: Sequence[Any], command: Any, tools: Any) -> _Done:
    """Start the daemon, write what was shown, and prove that it works."""
    from holdfast.doors.cli import control, examining, planning, selftest
    from holdfast.install.on_path import write_command
    from holdfast.install.tool_server import register

    home = call.home
    planning.settle_port(home, port)
    how, status = control.ensure(home)
    settled = planning.plans(wanted, planning.port_of(status), token_of(home))
    receipts = planning.carry_out(shown, settled)
    write_command(home, command)
    refused = register(home, tools, wanted.environment)
    context = examining.context_of(call, wanted.client, is_thorough=False)
    proofs = selftest.run(context, str(status["url"]))
    checks = examining.examine(context)
    passed = all(proof.passed for proof in proofs) and not examining.failed(checks)
    return _Done(how, status, settled, receipts, refused, proofs, checks, passed, _earlier_sessions(home))


def _earlier_sessions(home: Home) -> int:
    """Sessions that Claude Code has recorded and that were never taken in."""
    from holdfast.doors.cli.client import Client

    try:
        if Client(home).get("/api/import/claude")["files"]:
            return 0
    except HoldfastError:
        return 0
    found = claude_config_dir().glob("projects/*/*.jsonl")
    return sum(not path.name.startswith("agent-") for path in found)


def _preview(home: Home, port: Any, shown: Sequence[Any], command: Any, tools: Any, with_diff: bool) -> None:
    from holdfast.doors.cli import planning
    from holdfast.install.tool_server import adding

    named = show.paint(f"holdfast {__version__}", "bold")
    show.say(show.fill(f"{named}, home {home.root}, port {port.number} on 127.0.0.1", "", "  "))
    if port.instead_of:
        show.say(
            show.fill(
                f"Port {port.instead_of}, which the configuration names, is taken by another program; "
                f"{port.number} will be used and written into the hooks."
            )
        )
    for plan in shown:
        show.say()
        show.say(planning.page(plan, with_diff))
    if not command.nothing_to_do:
        show.say()
        show.say(show.fill(f"The command `holdfast` will be at {command.link}."))
    if not tools.nothing_to_do:
        show.say()
        show.say(show.fill(f"The tools will be registered: {adding(tools)}", "", "  "))
    if any(not plan.nothing_to_do for plan in shown):
        show.say()
        gives = f"The hooks go into your settings: quick, by http. {GIVES} To have it, instead or besides: {INSTALL}"
        show.say(show.fill(gives))
    if command.notice:
        show.say()
        said, *to_copy = command.notice.fix.splitlines()
        show.say(show.fill(f"{command.notice.sentence} {said}", "! ", "  "))
        for line in to_copy:
            show.say(f"  {line}")
    show.say()


def _outcome(home: Home, done: _Done) -> None:
    _say_done(done)
    show.say()
    _say_proven(done)
    show.say()
    for line in show.facts(places(home).items()):
        show.say(line)
    if done.receipts:
        show.say()
        show.say(
            show.fill("Open Claude Code sessions take up the hooks within seconds; new ones also get what is kept.")
        )
    if done.earlier_sessions:
        number = done.earlier_sessions
        found = show.many(number, "earlier session of Claude Code was", "earlier sessions of Claude Code were")
        show.say()
        show.say(show.fill(f"{found} found. `holdfast import claude` takes them in, so that search finds them, too."))
    if done.refused:
        show.say()
        show.say(show.fill(f"{done.refused.sentence} {done.refused.fix}", "! ", "  "))


def _say_done(done: _Done) -> None:
    from holdfast.install import describe

    status = done.status
    show.say(show.fill(f"{_DAEMON[done.how]}: version {status['version']}, pid {status['pid']}, {status['url']}."))
    for receipt in done.receipts:
        show.say(describe(receipt, show.width()).rstrip("\n"))
    if not done.receipts:
        show.say(show.fill("The hooks were installed already: nothing had to be changed."))


def _say_proven(done: _Done) -> None:
    from holdfast.doors.cli import examining

    show.say("Proven just now:" if all(proof.passed for proof in done.proofs) else "The self-test:")
    for proof in done.proofs:
        mark = show.paint("ok", "green") if proof.passed else show.paint("FAILED", "red", "bold")
        show.say(show.fill(show.plain(proof.sentence), f"  {proof.number}. {mark}  ", " " * 9))
    show.say()
    for line in examining.lines([check for check in done.checks if check.state != "ok"]):
        show.say(line)
    show.say(show.fill(f"{examining.summary(done.checks)} (`holdfast doctor` lists them.)"))


def places(home: Home) -> dict[str, str]:
    """Where to look from here on."""
    return {
        "journal": f"holdfast journal -f  (in {home.database})",
        "log": f"holdfast logs -f  ({home.log})",
        "status": "holdfast status",
    }


def _document(home: Home, done: _Done, port: Any, command: Any, tools: Any) -> dict[str, Any]:
    from holdfast.doors.cli import examining
    from holdfast.install import as_json

    status = done.status
    return {
        "changed": bool(done.receipts) or done.how != "running",
        "daemon": {
            "did": done.how,
            **{name: status[name] for name in ("version", "pid", "worker_pid", "url", "socket")},
        },
        "port_instead_of": port.instead_of or None,
        "plans": [as_json(plan) for plan in done.settled],
        "receipts": [as_json(receipt) for receipt in done.receipts],
        "proofs": [
            {"number": one.number, "name": one.name, "passed": one.passed, "sentence": one.sentence}
            for one in done.proofs
        ],
        "home": str(home.root),
        "log": str(home.log),
        "database": str(home.database),
        "command": str(command.link),
        "tools": None if done.refused else list(tools.command),
        "passed": done.passed,
        "checks": examining.as_json(done.checks),
        "earlier_sessions": done.earlier_sessions,
    }
