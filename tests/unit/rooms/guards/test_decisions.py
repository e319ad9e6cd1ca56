"""How a call is told in the list of decisions."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.rooms.guards.decisions import described
from tests.support.table import each_of


@pytest.mark.requirement("WRK-6")
@each_of(
    ("tool", "arguments", "told"),
    [
        ("Bash", {"command": "rm -rf ~"}, "rm -rf ~"),
        ("Write", {"file_path": "/a", "content": "x"}, "/a"),
        ("mcp__redis__flushall", {}, "mcp__redis__flushall()"),
        ("mcp__term__run", {"command": "rm -rf ~"}, "mcp__term__run(command: rm -rf ~)"),
        ("ExitWorktree", {"action": "remove"}, "ExitWorktree(action: remove)"),
    ],
)
def test_a_call_without_a_line_of_its_own_is_told_with_the_name_of_its_tool(
    tool: str, arguments: dict[str, Any], told: str
) -> None:
    assert described(tool, arguments) == told
