"""The words of the program, and the program's own page against the client's events (EVT-3)."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.events.answer import Part
from holdfast.events.event import EVENTS
from holdfast.events.scene import Source
from holdfast.events.steps import Step
from holdfast.program import PROGRAM, UNKNOWN
from tests.support.roads import scene


async def contribution(event: Any, scene: Any) -> Part | None:
    return None


@pytest.mark.requirement("EVT-3")
@pytest.mark.parametrize(
    ("tools", "tool", "fits"),
    [
        (frozenset(), None, True),
        (frozenset(), "Bash", True),
        ({"Bash"}, "Bash", True),
        ({"Bash", "Read"}, "Read", True),
        ({"Bash"}, "bash", False),
        ({"Bash"}, "", False),
        ({"Bash"}, None, False),
    ],
)
def test_a_step_runs_for_its_tools(tools: set[str], tool: str | None, fits: bool) -> None:
    assert Step(contribution, tools=frozenset(tools)).fits(tool) is fits


@pytest.mark.requirement("EVT-3")
def test_a_step_is_named_by_its_room_and_function() -> None:
    assert Step(contribution).name == "events.contribution"


@pytest.mark.requirement("EVT-3")
def test_the_program_has_every_event_and_no_other() -> None:
    assert list(PROGRAM) == list(EVENTS)
    assert UNKNOWN.steps == ()


@pytest.mark.requirement("EVT-8")
def test_transcripts_are_compared_at_starts_prompts_stops_and_ends() -> None:
    assert {name for name, on_event in PROGRAM.items() if on_event.recovers} >= {
        *("SessionStart", "UserPromptSubmit", "Stop", "SessionEnd")
    }


@pytest.mark.parametrize(
    ("source", "live"), [("http", True), ("command", True), ("spool", False), ("transcript", False)]
)
def test_only_a_client_that_waits_is_live(source: Source, live: bool) -> None:
    assert scene(source=source).is_live is live
