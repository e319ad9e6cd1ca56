"""call: any tool of any room, from a shell."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from holdfast.doors.cli import show
from holdfast.doors.cli.client import Client
from holdfast.doors.cli.main import Call
from holdfast.errors import UsageError


@click.command()
@click.argument("tool", required=False)
@click.argument("arguments", required=False, default="{}", metavar="JSON")
@click.pass_obj
def call(call: Call, tool: str | None, arguments: str) -> int:
    """Call TOOL with its arguments as JSON (- reads them from standard input). Without TOOL: list the tools.

    \b
    Example:
      holdfast call search '{"query": "login redirect"}'
    """
    client = Client(call.home)
    if tool is None:
        for one in client.get("/api/tools"):
            takes = ", ".join(one["arguments"].get("properties", {}))
            show.say(f"{one['name']}({takes})")
            show.say(f"    {one['summary']}")
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
