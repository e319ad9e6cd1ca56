"""Which two arrivals by different ways are one event."""

from __future__ import annotations

import pytest

from holdfast.events.event import EVENTS, Event
from holdfast.road.duplicate_events import SECONDS, DuplicateEvents


def make(name: str, **fields: object) -> Event:
    return EVENTS[name](hook_event_name=name, session_id="s", **fields)  # type: ignore[arg-type]


@pytest.mark.requirement("WRK-2")
def test_one_by_each_way_within_a_few_seconds_and_no_more() -> None:
    now = [0.0]
    twins = DuplicateEvents(lambda: now[0])
    start = make("SessionStart", source="clear")
    assert [twins.key_for(start, way, key) for way, key in (("command", "a"), ("rpc", "b"), ("rpc", "c"))] == [
        "a",
        "a",
        "c",
    ]
    assert twins.key_for(start, "http", "d") == "c", "the second pair"
    assert twins.key_for(make("SessionStart", source="compact"), "rpc", "e") == "e"
    assert twins.key_for(make("SubagentStart", agent_id="x"), "http", "f") == "f"
    assert twins.key_for(make("SubagentStart", agent_id="y"), "rpc", "g") == "g"
    assert twins.key_for(make("PreToolUse"), "rpc", "h") == "h", "tool uses have keys of their own"
    old = make("Notification", message="m")
    assert twins.key_for(old, "http", "i") == "i"
    now[0] += SECONDS + 1
    assert twins.key_for(old, "rpc", "j") == "j", "long ago is another event"
    for number in range(2_000):
        twins.key_for(make("Notification", message=str(number)), "http", str(number))
    assert len(twins._lately) <= 512
