"""Newer work that says the state of a thing otherwise is told in the place of older work, and only that."""

from __future__ import annotations

from dataclasses import replace

import pytest

from holdfast.ids import ConversationId
from holdfast.rooms.memory.model import Summary
from holdfast.rooms.memory.standing.anew import SINCE_THEN, newest_instead, told_otherwise, with_news
from tests.support.table import each_of
from tests.unit.rooms.memory.made import summary

OLD = "Keys of the boats are kept in the drawer of the office, because there is one office."
NEWER = "Keys of the boats are kept in the box at the pier now."
NEWEST = "Keys of the boats lie in the harbour master's safe now."


def _later(title: str, number: int, **content: object) -> Summary:
    found = summary(title, number, **content)
    return replace(found, conversation=ConversationId(f"c{number}"))


@pytest.mark.requirement("MEM-12")
def test_the_newest_of_several_takes_the_place() -> None:
    old, newer, newest = (_later(each, at) for at, each in enumerate((OLD, NEWER, NEWEST), 1))
    assert newest_instead(old, [old, newer, newest]) == newest
    assert newest_instead(newer, [old, newer, newest]) == newest
    assert newest_instead(newest, [old, newer, newest]) is None


@pytest.mark.requirement("MEM-12")
def test_what_no_longer_holds_itself_a_person_wrote_or_is_older_takes_no_place() -> None:
    old, newer = _later(OLD, 1), _later(NEWER, 2)
    assert newest_instead(old, [replace(newer, replaced=True)]) is None
    assert newest_instead(replace(old, written_by="user"), [newer]) is None
    assert newest_instead(newer, [_later(NEWEST, 1)]) is None


@pytest.mark.requirement("MEM-12")
@each_of(
    ("asked", "chosen", "new", "is_other"),
    [
        (
            "which glue should we use for the spines: bone or starch?",
            "Starch, because it can be undone.",
            "The spines of the atlases are glued with bone glue.",
            True,
        ),
        (
            "which glue should we use for the spines: bone or starch?",
            "Starch, because it can be undone.",
            "Starch glue holds the spines of the atlases.",
            False,
        ),
        (
            "which glue should we use for the spines: bone or starch?",
            "Starch, because it can be undone.",
            "The bone folder lies in the drawer of the press.",
            False,
        ),
    ],
)
def test_later_work_that_takes_another_of_the_options(asked: str, chosen: str, new: str, is_other: bool) -> None:
    old = summary(chosen, 1, request=asked, done=f"Answered: {chosen}").content
    work = summary(new, 2, request="glue them", files=("atlas.md",), done="Edited atlas.md").content
    assert bool(told_otherwise(work, old)) is is_other


@pytest.mark.requirement("MEM-16")
def test_a_cause_stays_found_and_a_design_does_not() -> None:
    title = "Keys of the boats are kept in the drawer, because nobody has another place."
    new = summary("Keys of the boats are kept in the box now.", 2, files=("keys.md",)).content
    looked = summary(title, 1, request="why are the keys always lost?").content
    made = summary(title, 1, request="why are the keys always lost?", files=("keys.md",), outcome="passed").content
    assert told_otherwise(new, looked) == ""
    assert told_otherwise(new, made)


@pytest.mark.requirement("MEM-12")
def test_a_value_that_was_given_up_is_told_with_what_it_is_now() -> None:
    old = _later("Each boat has its own lock, without a shared key: 40 s to open and 200 N of force.", 1)
    new = _later("A lock of a boat opens in 10 s instead of 40 s.", 2, files=("lock.c",))
    told = with_news(old, [new]).content.title
    assert told.startswith(old.content.title)
    assert told.endswith(f"{SINCE_THEN}A lock of a boat opens in 10 s instead of 40 s.")
    assert with_news(new, [old, new]) == new
    assert with_news(old, [_later("A letter of the club costs 10 s instead of 40 s.", 2)]) == old


@pytest.mark.requirement("MEM-12")
def test_what_a_later_turn_of_the_talk_did_to_the_same_file_is_told_with_the_earlier_one() -> None:
    photo = summary("Photos are scaled to 1600 px.", 1, files=("photo.kt",))
    coarse = summary("Photos are scaled to 2400 px on the long edge now. It costs 17 MB.", 2, files=("photo.kt",))
    other = summary("The list is sorted by street now.", 3, files=("list.kt",))
    told = with_news(photo, [photo, coarse, other]).content.title
    assert told == f"{photo.content.title}{SINCE_THEN}Photos are scaled to 2400 px on the long edge now."
    assert with_news(other, [photo, coarse, other]) == other
    assert with_news(coarse, [photo, coarse]) == coarse
    header = summary("The header has a dark mode now.", 4, files=("photo.kt",))
    assert with_news(photo, [photo, header]) == photo  # another matter, which changed the same file
    sorry = summary("Sorry, I should have asked first.", 2, request="photos are scaled too far", files=("photo.kt",))
    sorry = replace(sorry, content=replace(sorry.content, said="It reads 4 at a time now."))
    assert with_news(photo, [sorry]).content.title.endswith(f"{SINCE_THEN}It reads 4 at a time now.")
