"""Windows: which event opens one, which ends one, and where a late event belongs. The rules as tables."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.events.event import EVENTS, Event, SessionEnd, SessionStart, SubagentStop
from holdfast.events.parse import parse
from holdfast.ids import ConversationId, WindowId
from holdfast.road.windows import Window, ends_window, opens_window
from tests.support.payloads import load, names
from tests.support.table import each_of

SECOND = 1_000_000
START = 1_000 * SECOND


def window(*, implicit: bool = False, ended: bool = False) -> Window:
    return Window(WindowId("w"), 1, implicit, START, ended)


def start(source: str) -> SessionStart:
    return SessionStart(session_id=ConversationId("s"), source=source)


@pytest.mark.requirement("EVT-7")
@each_of("name", sorted(EVENTS))
def test_the_first_event_of_a_conversation_opens_its_window_whatever_it_is(name: str) -> None:
    assert opens_window(EVENTS[name](), None, START)


@pytest.mark.requirement("WRK-11")
@each_of("name", sorted(EVENTS.keys() - {"SessionStart"}))
@each_of("ended", [True, False])
@each_of("implicit", [True, False])
def test_nothing_but_a_start_opens_the_next_one(name: str, ended: bool, implicit: bool) -> None:
    assert not opens_window(EVENTS[name](), window(implicit=implicit, ended=ended), START + SECOND)


# source, seconds after the current window began: does it open the next one if that window
#   began with a SessionStart | did not | did not, and has ended?
STARTS: list[tuple[str, int, bool, bool, bool]] = [
    ("startup", 1, True, False, True),
    ("clear", 1, True, False, True),
    ("fork", 1, True, False, True),
    ("fork", 9_999, True, False, True),
    ("compact", 0, True, True, True),
    ("compact", 9_999, True, True, True),
    ("resume", 1, True, False, True),
    ("resume", 30, True, False, True),
    ("resume", 31, True, True, True),
    ("newer", 1, True, False, True),
    ("resume", -1, False, False, False),
    ("compact", -1, False, False, False),
]


@pytest.mark.requirement("MEM-1")
@each_of(("source", "after", "explicit", "implicit", "ended"), STARTS)
def test_a_start_opens_the_next_window(source: str, after: int, explicit: bool, implicit: bool, ended: bool) -> None:
    at = START + after * SECOND
    assert opens_window(start(source), window(), at) is explicit
    assert opens_window(start(source), window(ended=True), at) is explicit
    assert opens_window(start(source), window(implicit=True), at) is implicit
    assert opens_window(start(source), window(implicit=True, ended=True), at) is ended


@pytest.mark.requirement("WRK-11")
@pytest.mark.parametrize(
    ("event", "reason"),
    [
        (SessionEnd(reason="clear"), "clear"),
        (SessionEnd(), "other"),
        (SubagentStop(agent_id="a1", agent_type="general-purpose"), "done"),
        (SubagentStop(agent_id="a1"), "done"),
        (SubagentStop(agent_id="a1", agent_type=""), None),
        (SubagentStop(agent_type="general-purpose"), None),
        (SubagentStop(), None),
    ],
)
def test_what_ends_a_window(event: Event, reason: str | None) -> None:
    assert ends_window(event) == reason


@pytest.mark.requirement("WRK-11")
def test_of_the_recorded_events_only_ends_and_subagents_stops_end_a_window() -> None:
    ends = {name: ends_window(parse(load(name))) for name in names()}
    told: dict[str, Any] = {name: reason for name, reason in ends.items() if reason is not None}
    assert told == {
        "SessionEnd-clear": "clear",
        "SessionEnd-other": "other",
        "SessionEnd-other.print": "other",
        "SessionEnd-prompt_input_exit": "prompt_input_exit",
        "SubagentStop": "done",
    }
