"""Open lines that give way although nobody said that they are over."""

from __future__ import annotations

import pytest

from holdfast.rooms.memory.standing.giving_way import gives_way, has_faded, needs_no_deed
from holdfast.rooms.memory.standing.thread import Thread, kind_of
from holdfast.times import DAY_US
from tests.support.table import each_of


def thread(line: str) -> Thread:
    return Thread(line, kind_of(line))


@pytest.mark.requirement("MEM-18")
@each_of(
    ("line", "days"),
    [
        ("Nothing limits the size of the file, so the outbox grows until the disk is full.", 7),
        ("I couldn't come up with a way around that which I'd defend.", 7),
        ("There's no test for the verifier yet.", 10),
        ("docs/dst.md is still to be written.", 10),
        ("Pending: the backfill since March.", None),
        ("Attestation is undecided.", None),
        ("Ops must rotate the signing secret.", None),
        ("Nothing of this is on production yet.", None),
        ("Should I join the bookings?", None),
        ("Still fails: pytest: 1 failed", None),
    ],
)
def test_what_waits_for_nobody_fades_after_a_week_and_what_somebody_owes_a_little_later(
    line: str, days: int | None
) -> None:
    told = [day for day in range(60) if not has_faded(thread(line), 0, day * DAY_US)]
    assert told[-1] == (59 if days is None else days)
    assert gives_way(thread(line)) is (days is not None)


@pytest.mark.requirement("MEM-18")
def test_a_reason_names_nothing_that_anybody_could_do_about_it() -> None:
    assert needs_no_deed(thread("I couldn't come up with a way around that which I'd defend."))
    assert not needs_no_deed(thread("We know of one limit: at night recall drops. I haven't written that down."))
