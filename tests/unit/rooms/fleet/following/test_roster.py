"""What memory holds of agents and tasks is bounded, and the living stay."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from holdfast.ids import ConversationId
from holdfast.rooms.fleet.following import roster as module
from holdfast.rooms.fleet.following.roster import Roster
from holdfast.rooms.fleet.model import Agent, TeamTask


@pytest.mark.requirement("FLT-1")
def test_at_the_bound_those_that_ended_go_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST", 4)
    monkeypatch.setattr(module, "_MOST_TASKS", 3)
    roster = Roster(cast(Any, SimpleNamespace(folder=tmp_path / "fleet")))
    session = ConversationId("s")
    for number in range(9):
        ended_at = 0 if number in (0, 8) else number
        roster.put(Agent(conversation=session, agent_id=f"a{number}", kind="subagent", since=1, ended_at=ended_at))
        roster.put_task(TeamTask(session, f"t{number}", "p", "", "", 1, 0 if number == 0 else number))
    assert len(roster.agents) <= 4
    assert {"a0", "a8"} <= {agent.agent_id for agent in roster.of(session)}, "they still run"
    assert [task.task_id for task in roster.tasks.values()] == ["t0", "t7", "t8"]
    for number in range(20, 29):
        roster.put(Agent(conversation=session, agent_id=f"a{number}", kind="subagent", since=1))
        roster.put_task(TeamTask(session, f"t{number}", "p", "", "", 1, 0))
    assert len(roster.agents) == 4
    assert [task.task_id for task in roster.tasks.values()] == ["t26", "t27", "t28"]
