"""What a tool of an MCP server writes over comes back: the client keeps it for its own tools only (WRK-13)."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.ids import now_us
from holdfast.rooms.guards.service import Judged, ToolCall
from tests.support.guarded import C1, Sandbox
from tests.support.roads import run

WRITES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("mcp__fs__write_file", {"path": "draft.txt", "content": "new"}),
    ("mcp__fs__edit_file", {"path": "./src/app.py", "edits": [{"oldText": "a", "newText": "b"}]}),
    ("mcp__editor__replace_symbol_body", {"relative_path": "notes/plan.md", "body": "x"}),
    ("mcp__ide__create_new_file", {"pathInProject": "local.cfg", "text": "x"}),
    ("mcp__fs__write_file", {"path": "link.txt", "content": "new"}),
)
LEFT: tuple[tuple[str, dict[str, Any]], ...] = (
    ("mcp__fs__write_file", {"path": "new.txt", "content": "new"}),
    ("mcp__fs__write_file", {"path": "src/same.md", "content": "git has it"}),
    ("mcp__fs__read_file", {"path": "draft.txt"}),
    ("mcp__fs__create_directory", {"path": "notes"}),
    ("mcp__github__create_or_update_file", {"owner": "a", "repo": "b", "path": "draft.txt", "content": "x"}),
    ("Write", {"file_path": "draft.txt", "content": "x"}),
)


def judged(sandbox: Sandbox, number: int, tool: str, arguments: dict[str, Any]) -> Judged:
    call = ToolCall(tool, arguments, str(sandbox.root), str(sandbox.root), C1)
    return run(sandbox.guards.judge(call, keep_as=f"{number:08}", now=now_us(), known=sandbox.guards.look(call)))


@pytest.mark.requirement("WRK-13")
def test_a_file_that_a_tool_of_a_server_writes_over_comes_back(sandbox: Sandbox) -> None:
    for number, (tool, arguments) in enumerate(WRITES):
        before = sandbox.snapshot()
        made = judged(sandbox, number, tool, arguments)
        assert (made.verdict.decision, made.kept is not None) == ("allow", True), (tool, made.verdict)
        assert made.kept is not None
        assert made.kept.command.startswith(f"{tool}(")
        name = next(value for value in arguments.values() if isinstance(value, str))
        (sandbox.root / name).write_text("written by the server\n")
        assert sandbox.snapshot() != before
        sandbox.guards.undo.restore(made.kept, over=made.kept.replaces)
        assert sandbox.snapshot() == before, tool


@pytest.mark.requirement("WRK-13")
def test_nothing_is_kept_where_nothing_is_lost(sandbox: Sandbox) -> None:
    said = [judged(sandbox, number, *call) for number, call in enumerate(LEFT)]
    assert [(call, each.verdict) for call, each in zip(LEFT, said, strict=True) if each.kept or each.verdict.kept] == []
