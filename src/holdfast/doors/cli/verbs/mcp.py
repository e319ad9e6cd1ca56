"""mcp: the daemon's tools by stdio, for a client that starts its servers itself."""

from __future__ import annotations

import click

from holdfast.doors import relay
from holdfast.doors.cli.main import Call


@click.command()
@click.pass_obj
def mcp(call: Call) -> int:
    """Serve MCP by stdio, as a relay to the daemon, which is started when it is away.

    \b
    Example:
      claude mcp add holdfast -- holdfast mcp
    """
    relay.main(call.home)
    return 0
