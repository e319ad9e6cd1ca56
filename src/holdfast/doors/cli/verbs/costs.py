"""costs: the calls by which a model wrote summaries, and what each has cost."""

from __future__ import annotations

from typing import Any

import click

from holdfast.doors.cli import show
from holdfast.doors.cli.client import Client
from holdfast.doors.cli.main import Call
from holdfast.doors.cli.options import json_option

_SESSION = 8
"""Characters of a session's id; `search --session` takes the whole one, which --json has."""


@click.command()
@click.option("--since", default="", metavar="T", help="ISO time, or an age such as 3d.")
@click.option("--limit", default=50, show_default=True, type=click.IntRange(1, 1_000), help="How many.")
@json_option
@click.pass_obj
def costs(call: Call, since: str, limit: int, as_json: bool) -> int:
    """Show what a model's summaries have cost, call by call.

    The newest first: which summary (`holdfast show` tells it), the model, its tokens, US dollars as the client reckons
    them, and why it failed. Calls that failed cost, too. `holdfast status` has the sums of today and of all days.

    \b
    Example:
      holdfast costs --since 7d
    """
    made = Client(call.home).post("/api/tools/costs", {"since": since, "limit": limit})
    if as_json:
        show.say_json(made)
        return 0
    if not made:
        show.tell("No model was called. Rules write the summaries, unless `summaries.model` in the settings names one.")
        return 0
    headings = ("time", "summary", "project", "session", "model", "in", "out", "US$", "error")
    for line in show.table(headings, map(_row, made), right=frozenset({5, 6, 7})):
        show.say(line)
    return 0


def _row(one: dict[str, Any]) -> tuple[str, ...]:
    return (
        one["time"].replace("T", " ")[:16],
        one["summary"],
        show.plain(one["project"]),
        one["session"][:_SESSION],
        show.plain(one["model"]),
        str(one["input_tokens"]),
        str(one["output_tokens"]),
        f"{one['usd']:.4f}",
        show.cut(show.plain(one["error"] or ""), 60),
    )
