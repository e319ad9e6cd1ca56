"""Which tools are holdfast's own, by the names that the client gives them."""

from __future__ import annotations

import pytest

from holdfast.events.own_tools import own_tool
from tests.support.table import each_of


@pytest.mark.requirement("EVT-10")
@each_of(
    ("name", "own"),
    [
        ("mcp__holdfast__search", "search"),
        ("mcp__plugin_holdfast_holdfast__search", "search"),
        ("mcp__holdfast__start_ghap", "start_ghap"),
        ("mcp__holdfast__odd__name", "odd__name"),
        ("mcp__holdfast__", ""),
        ("mcp__holdfast__a\nb", ""),
        ("mcp__other__holdfast__search", ""),
        ("mcp__plugin_other_holdfast__search", ""),
        ("mcp__plugin_holdfast_other__search", ""),
        ("mcp__evil_holdfast__search", ""),
        ("mcp__holdfaster__search", ""),
        ("mcp__HOLDFAST__search", ""),
        ("xmcp__holdfast__search", ""),
        (" mcp__holdfast__search", ""),
        ("holdfast__search", ""),
        ("Bash", ""),
        ("", ""),
    ],
)
def test_our_own_tools_are_known_by_server_and_plugin(name: str, own: str) -> None:
    assert own_tool(name) == own
