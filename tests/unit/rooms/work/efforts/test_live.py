"""The heartbeat in memory: exact while commits come in any order, and the same for one call by two doors."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.ids import ConversationId, WindowId
from holdfast.rooms.work.efforts import live as module
from holdfast.rooms.work.efforts.live import LiveEfforts, LiveWindow


def window() -> LiveWindow:
    return LiveWindow("e", WindowId("w"), ConversationId("c"))


@pytest.mark.requirement("WRK-4")
def test_counts_hold_whatever_the_order_of_commits() -> None:
    one = window()
    assert [one.count(use) for use in ("a", "b", "a", "c", "b")] == [1, 2, 1, 3, 2]
    one.settle("b", 1, 1)
    one.settle("c", 3, 3)
    one.settle("a", 2, 2)  # heard of late: the store has counted three
    assert (one.heartbeat, one.count("d")) == (3, 4)
    one.reset(4, at=7)
    assert (one.heartbeat, one.count("a"), one.logged_at) == (0, 1, 7)
    late = window()
    late.count("x")
    late.reset(5, at=1)
    late.settle("x", 4, 1)  # its commit came before the log entry
    assert late.heartbeat == 0
    late.settle("y", 6, 1)  # and this one after it
    assert late.heartbeat == 1


@pytest.mark.requirement("WRK-4")
def test_a_call_whose_commit_was_never_heard_of_is_counted_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    one = window()
    one.count("a")
    assert one.heartbeat == 1
    monkeypatch.setattr(module, "_LOST_AFTER", -1.0)
    assert one.heartbeat == 0


@pytest.mark.requirement("WRK-3")
def test_who_holds_a_window() -> None:
    live = LiveEfforts()
    hour = 3_600_000_000
    cases: list[tuple[dict[str, Any], int, bool]] = [
        ({}, 0, True),
        ({"ended": True}, 0, False),
        ({"agent_id": "sub"}, 0, False),
        ({"process": 2**22 + 7}, 0, False),
        ({}, 11 * hour, True),
        ({}, 13 * hour, False),
    ]
    for fields, later, held in cases:
        one = window()
        for name, value in fields.items():
            setattr(one, name, value)
        assert live.is_held(one, later) == held, fields
