"""What an outcome says in short: a cause with what was done about it."""

from __future__ import annotations

import pytest

from holdfast.prose.cores import core, mended_in, what_holds
from holdfast.prose.sentences import split_line
from tests.support.table import each_of

CAUSE = "Loaves were sold twice because two tills read the shelf."
DETAIL = "That happens on Saturdays."


@pytest.mark.requirement("MEM-16")
@each_of(
    ("said", "told"),
    [
        (f"{CAUSE} {DETAIL} `sell()` locks the shelf now.", f"{CAUSE} `sell()` locks the shelf now."),
        # a label leads to what was done, and not to what that brought
        (f"{CAUSE} Fix: One lock per shelf. A sale takes 2 s now.", f"{CAUSE} Fix: One lock per shelf."),
        # without a fix, and without a cause
        (f"{CAUSE} {DETAIL}", CAUSE),
        ("`sell()` locks the shelf now. That costs 2 ms.", "`sell()` locks the shelf now."),
        # the sentence behind one that only says where the cause is
        ("The reason is in the notes. The mill writes kilos. `weigh()` converts them now.",
         "The mill writes kilos. `weigh()` converts them now."),
        # what a word marks as the cause, rather than what leads to it
        (f"The mill sends each note again when the shop is slow. {CAUSE} `sell()` locks the shelf now.",
         f"{CAUSE} `sell()` locks the shelf now."),
        # but not why something else is right
        ("The till rounds to ten cents. The mill has cents, and that is why its sums are right. Both have cents now.",
         "The till rounds to ten cents. Both have cents now."),
        ("The shop runs 2.5. Nothing was lost on the way, and all tills answered within a minute.",
         "The shop runs 2.5."),
    ],
)  # fmt: skip
def test_the_core_of_an_outcome(said: str, told: str) -> None:
    assert core(said, 250) == told


@pytest.mark.requirement("MEM-16")
def test_a_cause_is_cut_where_the_room_is_short() -> None:
    long = "Loaves were sold twice because two tills read the shelf, which happens on Saturdays, when both are open."
    told = core(f"{long} `sell()` locks the shelf now.", 110)
    assert told == "Loaves were sold twice because two tills read the shelf… `sell()` locks the shelf now."


@pytest.mark.requirement("MEM-16")
@each_of(
    ("said", "told"),
    [
        (f"{CAUSE} Fix: one lock per shelf.", "One lock per shelf."),
        (f"{CAUSE} `sell()` locks the shelf now.", "`sell()` locks the shelf now."),
        (f"{CAUSE} It locks the shelf now.", CAUSE),
        ("2.5 is in all shops. The sign is green now.", "2.5 is in all shops."),
        ("I added a lock per shelf. The sign is green now.", "I added a lock per shelf."),
    ],
)
def test_what_holds_is_told_without_how_it_was(said: str, told: str) -> None:
    assert what_holds(said) == told


@pytest.mark.requirement("MEM-16")
def test_where_nothing_was_done_nothing_is_found() -> None:
    assert mended_in(split_line(f"{CAUSE} {DETAIL}")) == -1
