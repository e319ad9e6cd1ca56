"""Newer work replaces older work that it says is otherwise now, and leaves alone what only shares words with it."""

from __future__ import annotations

import pytest

from holdfast.rooms.memory.model import SummaryContent
from holdfast.rooms.memory.standing.replacing import said_otherwise, taken_back
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
