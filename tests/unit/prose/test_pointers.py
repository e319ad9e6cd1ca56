"""A sentence that only says where a cause is, and one that says the cause."""

from __future__ import annotations

import pytest

from holdfast.prose.closing import statements
from holdfast.prose.pointers import is_pointer
from tests.support.table import each_of


@pytest.mark.requirement("MEM-16")
@each_of(
    ("said", "points"),
    [
        ("The reason is in the delivery notes.", True),
        ("The real cause lies with the mill.", True),
        ("My best explanation is the old scale.", True),
        ("So the problem was how the notes are sorted.", True),
        ("The reason is a typo in `Dockerfile`.", False),
        ("The problem is that 40 loaves are counted twice.", False),
        ("The bakery opens at noon.", False),
        ("The problem is solved now.", False),
        ("The bug is gone.", False),
        ("The cause is the scale: it rounds to ten grams, and the salt is lost.", False),
    ],
)
def test_a_sentence_that_only_says_where_the_cause_is(said: str, points: bool) -> None:
    assert is_pointer(said) is points


@pytest.mark.requirement("MEM-16")
def test_it_is_told_with_the_sentence_behind_it() -> None:
    found = statements("The reason is in the delivery notes. The mill writes kilos and the shop reads pounds.")
    told = [each.text for each in found if each.kind == "finding"]
    assert told == ["The reason is in the delivery notes. The mill writes kilos and the shop reads pounds."]
