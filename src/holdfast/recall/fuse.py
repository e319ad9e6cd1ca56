"""Computes one score from all that is known about an item: its words, its vector, its age, its outcome, its origin.
Pure.

Words and vectors decide what an item is about. The signals only reorder items that are about equally good.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from holdfast.recall.model import Success

LEXICAL = 1.5
DENSE = 1 / 3
"""Of one standard deviation of the cosine."""
RECENCY = 0.15
HALF_LIFE_DAYS = 30.0
OUTCOME: dict[str, float] = {"ok": 1.05, "failed": 0.95, "none": 1.0}
LEAST_TRUST = 0.7
SUPERSEDED = 0.5
FILES_GONE = 0.6

_DAY = 86_400_000_000


@dataclass(frozen=True, slots=True)
class Signals:
    """What counts besides the subject."""

    age_us: int | None
    """None when age does not matter."""
    outcome: Success
    trust: float
    superseded: bool
    files_there: float
    """The share of the cited files that still exist; 1 when there are none."""


def factors(signals: Signals) -> dict[str, float]:
    """Each signal as a factor on relevance, by name."""
    found = {
        "outcome": OUTCOME[signals.outcome],
        "trust": LEAST_TRUST + (1 - LEAST_TRUST) * min(1.0, max(0.0, signals.trust)),
        "superseded": SUPERSEDED if signals.superseded else 1.0,
        "files": FILES_GONE + (1 - FILES_GONE) * signals.files_there,
    }
    if signals.age_us is not None:
        found["recency"] = 1 + RECENCY * 0.5 ** (max(0, signals.age_us) / _DAY / HALF_LIFE_DAYS)
    return found


def relevance(lexical: Mapping[int, float], vector: Mapping[int, float] | None) -> dict[int, float]:
    """The relevance by words and vector together, for all items of one answer.

    `vector` is in standard deviations above the background. Words are compared with the best of this answer, so that
    neither side outweighs the other. An item without a vector counts as background.
    """
    if vector is None:
        return dict(lexical)
    best = max(lexical.values(), default=0.0) or 1.0
    return {item: max(0.0, LEXICAL * words / best + DENSE * vector.get(item, 0.0)) for item, words in lexical.items()}
