"""call: any tool of any room, from a shell."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from holdfast.doors.cli import show
from holdfast.doors.cli.main import Call
from holdfast.doors.cli.options import json_option
from holdfast.errors import UsageError


@click.command()
@click.argument("tool", required=False)
@click.argument("arguments", required=False, default="{}", metavar="JSON")
@json_option
@click.pass_obj
def call(call: Call, tool: str | None, arguments: str, as_json: bool) -> int:
    """Call TOOL with its arguments as JSON (- reads them from standard input). Without TOOL: list the tools.

    The result is JSON in any case.

    \b
    Examples:
      holdfast call
      holdfast call search '{"query": "login redirect"}'
    """
    client = call.client()
    if tool is None:
        listed = client.get("/api/tools")
        if as_json:
            show.say_json(listed)
            return 0
        for one in listed:
            takes = ", ".join(one["arguments"].get("properties", {}))
            show.say(show.fill(f"{one['name']}({takes})", "", "    "))
            show.say(show.fill(one["summary"], "    ", "    "))
        return 0
    show.say_json(client.post(f"/api/tools/{tool}", _parsed(arguments)))
    return 0


def _parsed(text: str) -> Any:
    text = sys.stdin.read() if text == "-" else text
    try:
        value = json.loads(text)
    except ValueError as error:
        raise UsageError(f"The arguments are not valid JSON ({error}).") from error
    if not isinstance(value, dict):
        raise UsageError('The arguments are one JSON object, such as {"query": "login"}.')
    return value
