"""seen: what the model was given in a session, where, and what it cost (MEM-27)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from holdfast.doors.cli import show
from holdfast.doors.cli.client import Client
from holdfast.doors.cli.main import Call
from holdfast.doors.cli.options import json_option


@click.command()
@click.argument("session", default="", metavar="[SESSION]")
@click.option("--short", is_flag=True, help="Only where and what it cost, not the words.")
@json_option
@click.pass_obj
def seen(call: Call, session: str, short: bool, as_json: bool) -> int:
    """Show what the model was given in a session: at which event and turn, in which words, and what it cost.

    SESSION is a session's id or its beginning. Without it: the session that this command runs in, else the newest of
    this project. Exits with 1 when the session was given nothing.

    \b
    Examples:
      holdfast seen
      holdfast seen 2f1c9c0e --json | jq .tokens
    """
    told = Client(call.home).post("/api/tools/seen", {"session": session})
    if as_json:
        show.say_json(told)
    else:
        for line in lines(told, short=short):
            show.say(line)
    return 0 if told["given"] else 1


def lines(told: dict[str, Any], *, short: bool) -> Iterator[str]:
    """The page for people."""
    given = told["given"]
    what = f"{told['tokens']} tokens in {len(given)} places" if given else "nothing"
    yield f"session {show.plain(told['session'])} in {show.plain(told['project'])}, {told['turns']} turns: {what}"
    for piece in given:
        agent = f" (subagent {show.plain(piece['agent'])})" if piece.get("agent") else ""
        yield ""
        where = f"turn {piece['turn']}  {piece['event']}{agent}  from {show.plain(piece['origin'])}"
        cost = f"{piece['tokens']} tokens  {piece['time'].replace('T', ' ')[:16]}"
        yield show.paint(f"{where}  {cost}", "bold")
        for line in () if short else piece["text"].splitlines():
            yield f"    {show.plain_line(line)}"
