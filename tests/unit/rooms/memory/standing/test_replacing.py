"""Newer work replaces older work that it says is otherwise now, and leaves alone what only shares words with it."""

from __future__ import annotations

import pytest

from holdfast.rooms.memory.model import SummaryContent
from holdfast.rooms.memory.standing.replacing import admitted, rejected, said_otherwise, taken_back
from tests.support.table import each_of
from tests.unit.rooms.memory.made import summary

FILES = ("src/map.c",)


@pytest.mark.requirement("MEM-12")
@each_of(
    ("new", "old", "is_replaced"),
    [
        ("Tombstones are gone.", "Deleted keys leave tombstones behind.", True),
        ("Tombstones are gone.", "Tried and taken back: quadratic probing saves half of the misses.", False),
        ("`getline` is gone again; the reader has its own buffer.", "The reader takes lines by `getline` now.", True),
        ("Two commits: equal instead of full jitter.", "Committed as: draw the retry delay (full jitter).", True),
        (
            'A price "1.350,00" fails the row check and stops the load, rather than being loaded as 1.35.',
            "`bin/load-carriers.sh` reads prices into a staging table and checks every row, then stops.",
            False,
        ),
        (
            "The build sorts written pages once and looks them up in a map from page to position, in order.",
            "Today the second page writes over the first, in the order of the file names.",
            False,
        ),
        (
            "A later build deletes nothing that is not in the cache.",
            "The reason: the cache compared the time of the content file only.",
            False,
        ),
    ],
)
def test_older_work_is_replaced_by_what_speaks_of_it(new: str, old: str, is_replaced: bool) -> None:
    earlier = summary(old, 1, files=FILES).content
    assert bool(said_otherwise(summary(new, 2, files=FILES).content, earlier)) is is_replaced


@pytest.mark.requirement("MEM-12")
def test_a_side_remark_of_older_work_is_not_what_it_is_about() -> None:
    old = summary("Quadratic probing was measured.", 1, files=FILES, learned="It leaves the tombstones as they are.")
    new = summary("Tombstones are gone.", 2, files=FILES)
    assert said_otherwise(new.content, old.content) == ""


@pytest.mark.requirement("MEM-12")
@pytest.mark.parametrize(
    ("said", "is_back"),
    [
        ("Taken back; the cache was not it.", True),
        ("Reverted and pushed: sqlx is at 0.7 again.", True),
        ("OK, rolled back: the old parser is in place.", True),
        ("Zurückgenommen, der Cache war es nicht.", True),
        ("I reverted the order of two imports in another file.", False),
        ("The revert button works now.", False),
    ],
)
def test_an_answer_that_begins_with_a_revert_takes_back_the_turn_before(said: str, is_back: bool) -> None:
    before = SummaryContent(title="Absences are cached for 24 hours.", files=("src/absence.rs",))
    assert bool(taken_back(before, SummaryContent(title=said, said=said))) is is_back
    assert not taken_back(SummaryContent(title="Absences are cached."), SummaryContent(title=said, said=said))


@pytest.mark.requirement("MEM-12")
@each_of(
    ("before", "said", "is_wrong"),
    [
        ("1,204 members paid twice.", "You are right, I counted payments. The 1,204 were rows.", True),
        ("Two of the lamps share a fuse.", "My mistake: the lamps share a cable, not a fuse.", True),
        ("Two of the lamps share a fuse.", "You are right, the ladder is too short.", False),
        ("Two of the lamps share a fuse.", "The lamps share a fuse, I looked again.", False),
        ("Two of the lamps share a fuse.", "You're right, the two lamps and their fuse should be labelled.", False),
        ("Two of the lamps share a fuse.", "You are right that lamps with one fuse are slow to mend.", False),
        ("Two of the lamps share a fuse.", "Sorry, I missed your message. The lamps share a fuse.", False),
        ("Two of the lamps share a fuse.", "You're right, the two lamps share a cable, not a fuse.", True),
    ],
)
def test_an_answer_that_the_agent_admits_was_wrong_is_replaced(before: str, said: str, is_wrong: bool) -> None:
    old, new = summary(before, 1).content, summary(said, 2, said=said.replace(". ", ".\n")).content
    assert bool(admitted(old, new)) is is_wrong
    assert admitted(summary(before, 1, files=FILES).content, new) == ""


@pytest.mark.requirement("MEM-12")
def test_who_agrees_with_a_correction_admits_that_it_was_wrong() -> None:
    old = summary("Two of the lamps share a fuse.", 1).content
    said = "Du hast recht: the two lamps hang on a fuse each."
    asked, told = (summary(said, 2, said=said, request=each).content for each in ("label them", "no, that is wrong"))
    assert admitted(old, asked) == ""
    assert admitted(old, told)


@pytest.mark.requirement("MEM-31")
@each_of(
    ("prompt", "before", "after", "is_rejected"),
    [
        (
            "don't drop columns in the same release! we always drop one release later",
            "Migration 12 creates `marks` and drops `label` from `books`.",
            "Migration 12 only creates `marks` now.",
            True,
        ),
        (
            "always add a comment to a migration",
            "Migration 12 creates `marks` with an index.",
            "Migration 12 creates `marks` with a comment now.",
            False,
        ),
        (
            "nie, formally: always the full name in our library",
            "The labels of the shelves use the first name.",
            "The labels of the shelves use the full name now.",
            True,
        ),
    ],
)
def test_a_correction_that_took_something_back_rejects_the_turn(
    prompt: str, before: str, after: str, is_rejected: bool
) -> None:
    old, new = (summary(title, at, files=FILES).content for at, title in enumerate((before, after), 1))
    assert bool(rejected(prompt, old, new)) is is_rejected


@pytest.mark.requirement("MEM-12")
def test_a_value_that_was_told_with_its_reason_and_a_name_in_small_letters() -> None:
    old = summary("The minimum is Python 3.9, because the machines in the lab run it.", 1, files=("a.toml",)).content
    new = "Python 3.11 is the minimum now, and the fallback is deleted."
    assert said_otherwise(summary(new, 2, files=("a.toml",)).content, old) == new
    assert not said_otherwise(summary(new, 2, files=("b.py",)).content, old)
    old = summary("Secrets are stored in `.env.prod`.", 1, files=("a.md",)).content
    told = summary("deploy.sh reads them from Vault.", 2, request="secrets are stored in vault since yesterday").content
    assert said_otherwise(told, old) == "secrets are stored in Vault since yesterday"
    cause = summary("Uploads failed because the limit was 20 MB.", 1, files=("a.py",)).content
    assert not said_otherwise(summary("The limit is 50 MB now.", 2, files=("a.py",)).content, cause)


@pytest.mark.requirement("MEM-12")
def test_a_number_that_both_tell_replaces_nothing() -> None:
    limit = "Every key may send 60 requests a minute. Above that we answer 429."
    old = summary(limit, 1, files=("limit.go",)).content
    logged = summary("Every answer with 429 is logged with its key.", 2, files=("limit.go",)).content
    assert not said_otherwise(logged, old)
    raised = summary("Every key may send 120 requests a minute.", 2, files=("limit.go",)).content
    assert said_otherwise(raised, old) == raised.title
