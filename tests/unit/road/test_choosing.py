"""Which steps of an event are still to be heard: by tool, for our own calls, on the road and from the spool."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.events.event import PreToolUse
from holdfast.events.steps import OnEvent, Step
from holdfast.ids import ConversationId
from holdfast.road.choosing import StepChoice
from holdfast.road.deadlines import Rests
from tests.support.table import each_of


async def guard(*_: Any) -> Any: ...
async def read(*_: Any) -> Any: ...
async def keep(*_: Any) -> Any: ...
async def progress(*_: Any) -> Any: ...


ON = OnEvent(
    (
        Step(guard, may_deny=True),
        Step(read, tools=frozenset({"Read"})),
        Step(keep, later=True),
        Step(progress, of_own_calls=True),
    )
)


@pytest.mark.requirement("EVT-18")
@each_of(
    ("tool", "own", "live", "now", "later"),
    [
        ("Read", False, True, ["read"], ["keep"]),
        ("Bash", False, True, [], ["keep"]),
        ("Bash", False, False, ["guard"], ["keep"]),
        ("Bash", True, True, ["progress"], []),
        ("Bash", True, False, ["guard", "progress"], []),
    ],
)
def test_the_steps_of_an_event(tool: str, own: bool, live: bool, now: list[str], later: list[str]) -> None:
    choice, event = (
        StepChoice(),
        PreToolUse(session_id=ConversationId("s"), tool_name=tool, tool_input={"command": "ls"}),
    )
    for _ in range(2):  # the second time it is remembered
        found = choice.steps(ON, event, Rests(), own=own, live=live)
        assert [step.run.__name__ for step in found.now] == now
        assert [step.run.__name__ for step in found.later] == later
        assert [step for step in ON.steps if step in (*found.now, *found.later)] == [*found.all]


def test_another_list_of_steps_is_not_taken_from_memory() -> None:
    choice, event = StepChoice(), PreToolUse(session_id=ConversationId("s"), tool_name="Bash", tool_input={})
    assert choice.steps(ON, event, Rests(), own=False, live=True).later
    assert choice.steps(OnEvent(), event, Rests(), own=False, live=True).all == ()
