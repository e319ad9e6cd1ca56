"""What ages, and into what."""

from __future__ import annotations

import json

import pytest

from holdfast.config import Config, Loaded
from holdfast.errors import ConfigError
from holdfast.events import light
from holdfast.program import CATALOG, ROOMS
from holdfast.rooms.gather import days_of
from holdfast.store.table import Age, Table
from holdfast.times import DAY_US
from holdfast.upkeep import aging
from holdfast.upkeep.settings import RetentionSettings
from tests.rooms.notebook import ROOM as NOTEBOOK
from tests.rooms.notebook.schema import NOTES
from tests.rooms.notebook.settings import Settings
from tests.support.upkeep import DAYS

NOW = 1_000 * DAY_US


@pytest.mark.requirement("MEM-15")
def test_the_ages_follow_the_policy() -> None:
    observation = CATALOG.tables["observation"]
    days = [(NOW - aging.before(age, RetentionSettings(14, 60, 0, 365), NOW)) // DAY_US for age in observation.ages]
    assert days == [365, 91]
    assert [aging.before(age, RetentionSettings(0, 0, 0, 0), NOW) for age in observation.ages] == [0, 0]
    assert (NOW - aging.ago(14, NOW)) // DAY_US == 14
    assert aging.ago(0, NOW) == 0


@pytest.mark.requirement("HSE-3")
@pytest.mark.parametrize("setting", ["journal_bytes", "never_days", "notebook.kept_weeks"])
def test_a_table_that_ages_by_no_setting_is_refused(setting: str) -> None:
    for table in CATALOG.tables.values():
        aging.check(table, DAYS.get(CATALOG.room_of(table.name), {}))
    with pytest.raises(ConfigError, match=f"the table note ages by {setting}"):
        aging.check(Table("note", ("id",), owner="owner", ages=(Age(setting),)), {"notebook.kept_days": 30})


@pytest.mark.requirement("HSE-3")
def test_a_table_may_age_by_a_setting_of_its_own_room() -> None:
    own = days_of((*ROOMS, NOTEBOOK), Loaded(Config(), rooms={"notebook": Settings(kept_days=30)}).section)
    assert own["notebook"] == {"notebook.kept_days": 30}
    assert "guards.undo_days" in own["guards"]
    [age] = NOTES.ages
    aging.check(NOTES, own["notebook"])
    assert (NOW - aging.before(age, RetentionSettings(), NOW, own["notebook"])) // DAY_US == 30
    with pytest.raises(ConfigError, match=r"ages by notebook\.kept_days"):
        aging.check(NOTES, own["guards"])


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
    assert light.stays_light(event) is stays


@pytest.mark.requirement("MEM-15")
def test_the_light_form_keeps_what_was_asked_and_said() -> None:
    whole = {
        "session_id": "s",
        "prompt": "p" * 5_000,
        "last_assistant_message": "done",
        "tool_input": {"command": "c" * 500, "number": 3, "a": "1", "b": "2", "c": "3", "d": "4"},
        "tool_response": {"stdout": "o" * 50_000},
    }
    text = light.light(json.dumps(whole))
    assert text.startswith(light.LIGHT_MARK)
    kept = json.loads(text)
    assert kept["prompt"] == "p" * 1_000
    assert kept["last_assistant_message"] == "done"
    assert kept["tool_input"] == {"command": "c" * 160, "a": "1", "b": "2", "c": "3"}
    assert "tool_response" not in kept
    assert json.loads(light.light(text)) == kept


@pytest.mark.parametrize("odd", ["", "[]", "no json", '"text"', '{"tool_input": null, "prompt": 5}'])
def test_odd_payloads_grow_light_too(odd: str) -> None:
    assert json.loads(light.light(odd)) == {"holdfast_light": 1}


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
