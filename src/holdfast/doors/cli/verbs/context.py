"""context: one text of all that is known and fits a task, as hooks and the tool `assemble_context` give it (CTX-1)."""

from __future__ import annotations

from typing import Any

import click

from holdfast.doors.cli import show
from holdfast.doors.cli.main import Call
from holdfast.doors.cli.options import json_option


@click.command()
@click.argument("text", nargs=-1)
@click.option(
    "--type",
    "context_types",
    multiple=True,
    metavar="TYPE",
    help="Include this type only; may be repeated. A type that does not exist is answered with the list.",
)
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, 100), help="How many.")
@click.option(
    "--max-tokens", default=2_000, show_default=True, type=click.IntRange(1, 20_000), help="Total token limit."
)
@click.option("--project", default="", metavar="NAME", help="Use this project instead of the current one.")
@json_option
@click.pass_obj
def context(call: Call, /, text: tuple[str, ...], context_types: tuple[str, ...], as_json: bool, **asked: Any) -> int:
    """Show the context that an agent gets for a task. Without TEXT: top values and recent work.

    Exits with 1 when nothing fits.

    \b
    Example:
      holdfast context why does the login redirect for ever --limit 5
    """
    fields = asked | {"query": " ".join(text), "context_types": list(context_types)}
    told = call.client().post("/api/tools/assemble_context", fields)
    if as_json:
        show.say_json(told)
    else:
        for line in told["markdown"].splitlines():
            show.say(show.plain_line(line))
        count = show.many(told["token_count"], "token")
        show.tell(f"{show.many(len(told['items']), 'item')}, {count}." if told["items"] else "Nothing fits.")
    return 0 if told["items"] else 1
