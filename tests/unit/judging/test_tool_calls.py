"""What any tool is given is judged: the client's shells, tools that nobody here knows, and commands in any of them."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.judging.tool_calls import may_matter, read
from tests.support.table import each_of


@pytest.mark.requirement("WRK-7")
@each_of(
    ("tool", "arguments", "line"),
    [
        ("Bash", {"command": "rm -rf ~"}, "rm -rf ~"),
        ("PowerShell", {"command": "ri -r ~"}, "ri -r ~"),
        ("Monitor", {"command": "rm -rf ~", "description": "watch"}, "rm -rf ~"),
        ("Monitor", {"ws": {"url": "ws://x"}}, ""),
        ("ToolOfTomorrow", {"command": "rm -rf ~"}, "rm -rf ~"),
        ("ToolOfTomorrow", {"script": "rm -rf ~"}, "rm -rf ~"),
        ("ToolOfTomorrow", {"shell_command": "rm -rf ~"}, "rm -rf ~"),
        ("DeleteFile", {"path": "~/a"}, "rm -r -- ~/a"),
        ("TaskCreate", {"subject": "x", "metadata": {"command": "rm -rf ~"}}, "rm -rf ~"),
        ("CronCreate", {"cron": "* * * * *", "prompt": "rm -rf ~"}, ""),
        ("TaskCreate", {"subject": "rm -rf ~", "description": "rm -rf ~"}, ""),
        ("Workflow", {"script": "export const meta = {}; agent('rm -rf ~')"}, ""),
        ("Agent", {"prompt": "rm -rf ~", "description": "x"}, ""),
        ("SendMessage", {"to": "a", "message": "rm -rf ~"}, ""),
        ("CronDelete", {"id": "a"}, ""),
        ("TeamDelete", {}, ""),
        ("ExitWorktree", {"action": "keep"}, ""),
        ("ExitWorktree", {"action": "remove"}, ""),
        (
            "ExitWorktree",
            {"action": "remove", "discard_changes": True},
            "git worktree remove --force '/a b/w'; git branch -D worktree-w",
        ),
    ],
)
def test_a_call_is_told_as_the_line_that_it_runs(tool: str, arguments: dict[str, Any], line: str) -> None:
    assert read(tool, arguments, "/a b/w", "worktree-w").line == line
    if line:
        assert may_matter(tool, arguments) or tool in ("Bash", "PowerShell", "Monitor")
    elif tool != "Monitor":
        assert not may_matter(tool, arguments)
