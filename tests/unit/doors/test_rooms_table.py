"""What the command line reads of the rooms, and the commands that it builds from that."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import click
import pytest
from msgspec import Struct

from holdfast.doors.cli.main import load
from holdfast.doors.cli.table import ROOMS_FILE, VERBS, read_rooms
from holdfast.doors.cli.verbs.forget import plan_lines
from holdfast.doors.rooms_table import rooms_table
from holdfast.events.steps import OnEvent
from holdfast.items.indexed import Family, Indexed
from holdfast.program import HOUSE_TOOLS
from holdfast.rooms.gather import gather
from holdfast.rooms.room import Room
from holdfast.store.table import Table

pytestmark = pytest.mark.requirement("HSE-1")


class Nothing(Struct):
    """No settings."""


STAMP = Table("stamp", ("id",), owner="owner", exported=("id",), on_request="stamps", plain={})
ALBUM = replace(STAMP, name="album", on_request="albums", counted="albums", called=("stamp album", "stamp albums"))
LETTER = replace(STAMP, name="letter", family="letter", on_request="", lasts=True)
ENTRY = replace(STAMP, name="diary", family="diary", on_request="")
POST = Room(
    "post",
    "Keeps letters.",
    Nothing,
    lambda ground: (),
    families=(Family("letter", "l", kinds=("airmail", "parcel")), Family("diary", "d")),
    index=lambda ground: cast(Indexed, None),
    tables=(STAMP, ALBUM, LETTER, ENTRY),
)
TABLE = rooms_table(gather((POST,), HOUSE_TOOLS), {"Stop": OnEvent(recovers=True), "Setup": OnEvent()})


def options(name: str) -> dict[str, Any]:
    command = load(name, TABLE)
    return {word: each for each in command.params if isinstance(each, click.Option) for word in each.opts}


def test_what_is_exported_on_request_is_an_option() -> None:
    assert options("export")["--post"].help == "Include stamps and albums."
    assert "; letters, diaries;" in str(load("export", TABLE).help)
    assert load("export", TABLE).params[-1].name == "as_json"
    assert "--citations" not in options("export")


def test_kinds_and_what_lasts_stand_in_the_help() -> None:
    assert options("search")["--kind"].help == "One of airmail, parcel, diary."
    assert options("forget")["--before"].help.endswith("90d. Letters stay.")


def test_rows_are_counted_by_their_names() -> None:
    plan = {"counts": {"letter": 1, "diary": 2, "albums": 1, "entries": 1}, "items": 0, "lines": []}
    assert plan_lines(plan, TABLE) == ["This will go: 1 letter, 2 diaries, 1 stamp album, 1 journal entry."]


def test_without_a_file_the_verbs_of_the_house_are_there() -> None:

    nothing = read_rooms(Path("/nowhere/rooms.json"))
    assert all(load(name, nothing).help for name in VERBS)


def test_every_group_of_commands_is_described_by_a_sentence_of_its_own() -> None:
    told = [each["summary"] for each in read_rooms(ROOMS_FILE)["verbs"].values() if "verbs" in each]
    assert len(told) > 5
    assert len(set(told)) == len(told)


@pytest.mark.requirement("HSE-3")
def test_rows_without_words_of_their_own_are_called_by_what_they_are_counted_as() -> None:
    berries = replace(STAMP, name="basket", counted="loose_berries", on_request="")
    crates = replace(STAMP, name="crate", counted="crates", on_request="")
    room = replace(POST, tables=(berries, crates, LETTER, ENTRY))
    called = rooms_table(gather([room], house_verbs=VERBS), {})["called"]
    assert called["basket"] == called["loose_berries"] == ["loose berry", "loose berries"]
    assert called["crate"] == ["crate", "crates"]
    assert "letter" not in called
