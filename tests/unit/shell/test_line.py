"""A line of many tests costs no more than a line of some."""

from __future__ import annotations

import pytest

from holdfast.events.event import PostToolUseFailure
from holdfast.ids import ConversationId
from holdfast.shell.line import MOST_RUNS, line_of


@pytest.mark.requirement("SEC-7")
@pytest.mark.parametrize("command", ["pytest; ", "make; ", "npm test && "])
def test_the_output_is_read_for_so_many_runs_only(command: str) -> None:
    event = PostToolUseFailure(
        session_id=ConversationId("c"),
        tool_name="Bash",
        tool_input={"command": command * 1_000 + "ls"},
        error="FAILED tests/test_a.py::test_x\n" * 300,
    )
    line = line_of(event)
    assert line is not None
    assert len(line.runs) == MOST_RUNS
