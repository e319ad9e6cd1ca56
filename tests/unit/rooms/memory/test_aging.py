"""What ages, and into what."""

from __future__ import annotations

import json

import pytest

from holdfast.rooms.memory import aging
from holdfast.rooms.memory.aging import DAY_US, Policy

NOW = 1_000 * DAY_US


@pytest.mark.requirement("MEM-15")
def test_the_ages_follow_the_policy() -> None:
    ages = aging.ages(Policy(14, 60, 0, 365), NOW)
    assert (NOW - ages.whole) // DAY_US == 14
    assert (NOW - ages.journal) // DAY_US == 60
    assert (NOW - ages.observations) // DAY_US == 365
    assert (NOW - ages.light_observations) // DAY_US == 91
    assert aging.ages(Policy(0, 0, 0, 0), NOW) == aging.Ages(0, 0, 0, 0)


@pytest.mark.requirement("MEM-15")
@pytest.mark.parametrize(
    ("event", "stays"),
    [
        ("UserPromptSubmit", True),
        ("PostToolUse", True),
        ("PostToolUseFailure", True),
        ("Stop", True),
        ("SessionStart", True),
        ("PreToolUse", False),
        ("PostToolBatch", False),
        ("MessageDisplay", False),
        ("SomethingNew", False),
    ],
)
def test_of_old_events_those_stay_from_which_something_was_made(event: str, stays: bool) -> None:
    assert aging.stays_light(event) is stays


@pytest.mark.requirement("MEM-15")
def test_the_light_form_keeps_what_was_asked_and_said() -> None:
    whole = {
        "session_id": "s",
        "prompt": "p" * 5_000,
        "last_assistant_message": "done",
        "tool_input": {"command": "c" * 500, "number": 3, "a": "1", "b": "2", "c": "3", "d": "4"},
        "tool_response": {"stdout": "o" * 50_000},
    }
    text = aging.light(json.dumps(whole))
    assert text.startswith(aging.LIGHT_MARK)
    light = json.loads(text)
    assert light["prompt"] == "p" * 1_000
    assert light["last_assistant_message"] == "done"
    assert light["tool_input"] == {"command": "c" * 160, "a": "1", "b": "2", "c": "3"}
    assert "tool_response" not in light
    assert json.loads(aging.light(text)) == light


@pytest.mark.parametrize("odd", ["", "[]", "no json", '"text"', '{"tool_input": null, "prompt": 5}'])
def test_odd_payloads_grow_light_too(odd: str) -> None:
    assert json.loads(aging.light(odd)) == {"holdfast_light": 1}


@pytest.mark.requirement("MEM-15")
@pytest.mark.parametrize(
    ("days", "most", "first"),
    [
        ([], 10, 0),
        ([(1, 5), (2, 5)], 10, 0),
        ([(1, 5), (2, 5)], 9, 2),
        ([(1, 5), (2, 5), (3, 4)], 9, 2),
        ([(1, 1), (2, 1), (3, 99)], 9, 4),
    ],
)
def test_days_that_fit_are_counted_from_the_newest(days: list[tuple[int, int]], most: int, first: int) -> None:
    assert aging.first_day_kept(days, most) == first
