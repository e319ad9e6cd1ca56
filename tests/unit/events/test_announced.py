"""Which agent a call of our own tools is of, as the client's PreToolUse told before it."""

from __future__ import annotations

from typing import Any

from holdfast.composition import Registry
from holdfast.events.announced import Announced, Note, announce
from holdfast.events.event import PreToolUse
from holdfast.events.scene import Place, Scene
from holdfast.ids import NO_CONVERSATION, NO_ENTRY, ConversationId, WindowId
from tests.support.table import each_of

S1, S2 = ConversationId("s1"), ConversationId("s2")
MINUTE = 60_000_000


async def nothing(_: Any) -> Any:
    raise AssertionError("it reads nothing")


def told(board: Announced, tool: str, arguments: Any, agent: str | None = None) -> None:
    services = Registry()
    services.add(board)
    place = Place("p", "", "", "/p", WindowId(""), 1)
    scene = Scene(NO_ENTRY, 0, "me", "http", place, services, nothing, now=lambda: 7)
    announce(PreToolUse(session_id=S1, agent_id=agent, tool_name=tool, tool_input=arguments), scene)


@each_of(
    ("tool", "arguments", "asked", "found"),
    [
        ("mcp__holdfast__search", {"query": "x"}, "search", Note(S1, "a7", "p", "search", {"query": "x"}, 7)),
        ("mcp__plugin_holdfast_holdfast__get", {"ids": [1]}, "get", Note(S1, "a7", "p", "get", {"ids": [1]}, 7)),
        ("Bash", {"command": "holdfast search x"}, "search", Note(S1, "a7", "p", "holdfast", {}, 7)),
        ("mcp__holdfast__search", {"query": "x"}, "get", None),
    ],
)
def test_a_call_is_of_the_agent_that_announced_it(tool: str, arguments: Any, asked: str, found: Note | None) -> None:
    board = Announced()
    told(board, tool, arguments, "a7")
    assert board.who(asked, arguments, NO_CONVERSATION, 8) == found
    assert board.who(asked, arguments, S2, 8) is None, "another conversation"


def test_an_announced_call_is_used_up_and_soon_too_old() -> None:
    board = Announced()
    told(board, "mcp__holdfast__log", {"text": "one"}, "a1")
    told(board, "mcp__holdfast__log", {"text": "two"})
    assert [note.agent_id for text in ("two", "one") if (note := board.who("log", {"text": text}, S1, 8))] == ["", "a1"]
    assert board.who("log", {"text": "one"}, S1, 8) is None
    told(board, "mcp__holdfast__log", {"text": "old"})
    assert board.who("log", {"text": "old"}, S1, 3 * MINUTE) is None
