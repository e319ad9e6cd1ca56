"""Whose event it is."""

from __future__ import annotations

import pytest

from holdfast.events.event import Event, SessionEnd, SessionStart, SubagentStop, agent_of
from tests.support.table import each_of


@pytest.mark.requirement("WRK-11")
@each_of(
    ("event", "agent"),
    [
        (SessionStart(), ""),
        (SessionStart(agent_id="a1", agent_type="x"), "a1"),
        (SubagentStop(agent_id="a1", agent_type="general-purpose"), "a1"),
        (SubagentStop(agent_id="a1", agent_type=""), ""),
        (SubagentStop(agent_id="a1"), "a1"),
        (SubagentStop(), ""),
        (SessionEnd(agent_id="a1", agent_type=""), "a1"),
    ],
)
def test_whose_event_it_is(event: Event, agent: str) -> None:
    assert agent_of(event) == agent
