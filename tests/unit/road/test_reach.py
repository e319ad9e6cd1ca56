"""What an agent can reach in its session: only what was said, and of this home."""

from __future__ import annotations

import pytest

from holdfast.ids import ConversationId
from holdfast.items.wording import recalled, way_to_the_whole
from holdfast.road.reach import Reach


@pytest.mark.requirement("MEM-28")
@pytest.mark.parametrize(
    ("said", "is_default", "has"),
    [("named", False, True), ("default", True, True), ("default", False, False), ("", True, False)],
)
def test_a_command_counts_where_it_reaches_this_home(said: str, is_default: bool, has: bool) -> None:
    reach = Reach(is_default)
    assert not reach.has_command(ConversationId("s-1"))
    reach.note_command(ConversationId("s-1"), said)
    assert reach.has_command(ConversationId("s-1")) is has
    assert not reach.has_command(ConversationId("s-2"))
    reach.note_command(ConversationId("s-1"), "")
    assert not reach.has_command(ConversationId("s-1"))


@pytest.mark.requirement("MEM-28")
def test_a_line_names_only_what_there_is() -> None:
    reach = Reach()
    reach.note_tools(ConversationId(""))
    reach.note_tools(ConversationId("s-1"))
    assert (reach.has_tools(ConversationId("s-1")), reach.has_tools(ConversationId(""))) == (True, False)
    assert "`get`" in way_to_the_whole(has_tools=True, has_command=True)
    assert "`holdfast show ID`" in way_to_the_whole(has_tools=False, has_command=True)
    assert way_to_the_whole(has_tools=False, has_command=False) == ""
    assert recalled([], "; x") == ""
