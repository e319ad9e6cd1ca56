"""By which marks a forgotten event is known again, and that they tell nothing."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.events import tombstone
from holdfast.ids import ConversationId, ItemId


def entry(**changes: Any) -> dict[str, Any]:
    given = {
        "event_key": "UserPromptSubmit:s:p1:abc",
        "event": "UserPromptSubmit",
        "conversation": "s",
        "agent_id": "",
        "prompt_id": "p1",
        "tool_use_id": None,
        "owner": "me",
        "happened_at": 5,
    }
    return given | changes


@pytest.mark.requirement("MEM-11")
@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        # The transcript tells a prompt in other words (another key), and a fork in another conversation.
        (entry(), entry(event_key="other", conversation="fork"), True),
        (entry(), entry(event_key="other", prompt_id="p2"), False),
        (entry(event="Stop"), entry(event="Stop", event_key="other"), True),
        (entry(event="Stop"), entry(event="Stop", event_key="other", agent_id="a"), False),
        (entry(event="Stop"), entry(event_key="other"), False),
        (entry(event="PreToolUse", tool_use_id="t"), entry(event="PostToolUse", tool_use_id="t", event_key="x"), True),
        (entry(event="PreToolUse", tool_use_id="t"), entry(event="PreToolUse", tool_use_id="u", event_key="x"), False),
        # Other events are known by their key alone.
        (entry(event="Notification"), entry(event="Notification", event_key="other"), False),
        (entry(event="Notification"), entry(event="Notification"), True),
    ],
)
def test_what_is_known_again(one: dict[str, Any], other: dict[str, Any], same: bool) -> None:
    assert bool(set(tombstone.own_marks(one)) & set(tombstone.own_marks(other))) is same


@pytest.mark.requirement("MEM-11")
def test_marks_tell_nothing() -> None:
    for mark in (
        *tombstone.own_marks(entry()),
        tombstone.of_conversation(ConversationId("s")),
        tombstone.of_item(ItemId("i")),
    ):
        assert len(mark) == 32
        assert int(mark, 16) > 0
    assert tombstone.mark("a", "bc") != tombstone.mark("ab", "c")
