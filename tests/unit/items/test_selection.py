"""How far a line must be ahead where only one word fits."""

from __future__ import annotations

import pytest

from holdfast.items.selection import far_ahead
from holdfast.recall import Candidate
from tests.support.table import each_of


@pytest.mark.requirement("MEM-22")
@each_of(
    "scored, told",
    [
        ([("A press counts once now", 1.1), ("A lobby takes 4 players", 0.02)], "A press counts once now"),
        ([("Downloads are counted", 0.32), ("Listeners are counted", 0.31)], ""),
        ([("Players are four again", 0.9), ("A press counts once now", 0.8)], "Players are four again"),
        ([("Amounts are integers", 0.01)], ""),
        ([], ""),
    ],
)
def test_a_line_stands_alone_or_says_the_word(scored: list[tuple[str, float]], told: str) -> None:
    lines = [Candidate(str(at), "summary", text, score) for at, (text, score) in enumerate(scored)]
    assert "".join(each.text for each in far_ahead(lines, {"player"})) == told
