"""seen: what the model was given in a session, where, and what it cost (MEM-27)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from holdfast.doors.cli import show
from holdfast.doors.cli.main import Call
from holdfast.doors.cli.options import json_option
from holdfast.ids import now_us


@click.command()
@click.argument("session", default="", metavar="[SESSION]")
@click.option("--short", is_flag=True, help="Only event, turn and tokens, without the words.")
@json_option
@click.pass_obj
def seen(call: Call, session: str, short: bool, as_json: bool) -> int:
    """Show the context that the model got in a session: event, turn, words and tokens.

    SESSION is a session's id or its beginning. Without it: the session that this command runs in, else the newest of
    this project. Exits with 1 when the session was given nothing.

    \b
    Examples:
      holdfast seen
      holdfast seen 2f1c9c0e --json | jq .tokens
    """
    told = call.client().post("/api/tools/seen", {"session": session})
    if as_json:
        show.say_json(told)
    else:
        for line in lines(told, short=short, now=now_us()):
            show.say(line)
    return 0 if told["given"] else 1


def lines(told: dict[str, Any], *, short: bool, now: int) -> Iterator[str]:
    """The page for people."""
    given = told["given"]
    what = f"{show.many(told['tokens'], 'token')} in {show.many(len(given), 'place')}" if given else "nothing"
    where = f"session {show.plain(told['session'])} in {show.plain(told['project'])}"
    yield show.fill(f"{where}, {show.many(told['turns'], 'turn')}: {what}", "", "  ")
    for piece in given:
        agent = f" (subagent {show.plain(piece['agent'])})" if piece.get("agent") else ""
        yield ""
        where = f"turn {piece['turn']}, {piece['event']}{agent}, from {show.plain(piece['origin'])}"
        cost = f"{show.many(piece['tokens'], 'token')}, {show.local(piece['time'], now)}"
        yield show.paint(show.fill(f"{where}: {cost}", "", "  "), "bold")
        for line in () if short else piece["text"].splitlines():
            yield show.fill(show.plain_line(line), "    ", "      ")
