"""holdfast's own tools, as the client names them. Pure.

The client names the tool of a server `mcp__SERVER__TOOL`, and one of a plugin's `mcp__plugin_PLUGIN_SERVER__TOOL`. Our
server and our plugin are both called `holdfast` (`install/tool_server.py`, `plugin/`).
"""

from __future__ import annotations

import re

_OWN = re.compile(r"mcp__(?:plugin_holdfast_)?holdfast__(.+)")


def own_tool(name: str) -> str:
    """The tool's name without its server: `search`; '' when it is none of ours."""
    found = _OWN.fullmatch(name)
    return found[1] if found else ""
