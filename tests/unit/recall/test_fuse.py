"""Signals as factors, words and directions as one relevance."""

from __future__ import annotations

import pytest

from holdfast.recall.fuse import Signals, factors, relevance
from tests.support.table import each_of

PLAIN = Signals(None, "none", 1.0, False, 1.0)
DAY = 86_400_000_000
NONE = float("-inf")


@pytest.mark.requirement("MEM-7")
@pytest.mark.requirement("SEC-6")
@each_of(
    ("signals", "name", "expected"),
    [
        (PLAIN, "outcome", 1.0),
        (Signals(None, "ok", 1.0, False, 1.0), "outcome", 1.05),
        (Signals(None, "failed", 1.0, False, 1.0), "outcome", 0.95),
        (Signals(None, "none", 0.0, False, 1.0), "trust", 0.7),
        (Signals(None, "none", 5.0, False, 1.0), "trust", 1.0),
        (Signals(None, "none", 1.0, True, 1.0), "superseded", 0.5),
        (Signals(None, "none", 1.0, False, 0.0), "files", 0.6),
        (Signals(None, "none", 1.0, False, 0.5), "files", 0.8),
        (Signals(0, "none", 1.0, False, 1.0), "recency", 1.15),
        (Signals(30 * DAY, "none", 1.0, False, 1.0), "recency", 1.075),
        (Signals(-DAY, "none", 1.0, False, 1.0), "recency", 1.15),
        (Signals(36_500 * DAY, "none", 1.0, False, 1.0), "recency", 1.0),
    ],
)
def test_factors(signals: Signals, name: str, expected: float) -> None:
    assert factors(signals)[name] == pytest.approx(expected)


def test_age_may_not_matter() -> None:
    assert "recency" not in factors(PLAIN)


@pytest.mark.parametrize(
    ("lexical", "vector", "order"),
    [
        ({1: 9.0, 2: 3.0}, None, [1, 2]),
        ({1: 9.0, 2: 3.0}, {1: 0.0, 2: 0.0}, [1, 2]),
        ({1: 9.0, 2: 8.0}, {1: 0.0, 2: 4.0}, [2, 1]),  # about as good by words, far better by direction
        ({1: 9.0, 2: NONE}, {1: 0.0, 2: 3.0}, [1, 2]),  # words first
        ({1: 9.0, 2: 8.0}, {2: 4.0}, [2, 1]),  # without a vector: as the background
        ({1: NONE, 2: NONE}, {1: 1.0, 2: 2.0}, [2, 1]),
        ({1: 1.0, 2: NONE}, None, [1, 2]),
        ({}, {}, []),
    ],
)
def test_relevance(lexical: dict[int, float], vector: dict[int, float] | None, order: list[int]) -> None:
    found = relevance(lexical, vector)
    assert sorted(found, key=lambda item: -found[item]) == order
    assert all(0 <= value <= 1 for value in found.values())
    assert max(found.values(), default=1.0) == 1.0


def test_what_nothing_speaks_for_is_not_relevant() -> None:
    assert relevance({1: NONE, 2: 0.5}, None) == {1: 0.0, 2: 1.0}
