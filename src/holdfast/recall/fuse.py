"""Computes one score from all that is known about an item: its words, its vector, its age, its outcome, its origin.
Pure.

Words and vectors decide what an item is about. The signals only reorder items that are about equally good.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from holdfast.recall.values import Success

DENSE = (2.2, 1.5)
"""Points of one standard deviation of the cosine: where the lengths of items are alike, as in a chat, and where they
vary, as those of coding work do. There names decide more often (docs/decisions/0022-ranking.md)."""
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


def relevance(words: Mapping[int, float], vector: Mapping[int, float] | None, varied: float = 0.0) -> dict[int, float]:
    """How likely each item of one answer is meant, beside the likeliest: 1 for that one, 0 where nothing speaks for it.

    `words` are the points of `score`, `vector` is in standard deviations above the background; an item without a vector
    counts as background. `varied`: how much the items' lengths vary (`score.variation`)."""
    dense = DENSE[0] * (1 - varied) + DENSE[1] * varied
    if vector is None:
        points = {item: value for item, value in words.items() if value > -math.inf}
    else:
        least = min((value for value in words.values() if value > -math.inf), default=0.0)
        points = {item: max(value, min(least, 0.0)) + dense * vector.get(item, 0.0) for item, value in words.items()}
    best = max(points.values(), default=0.0)
    return {item: math.exp(points[item] - best) if item in points else 0.0 for item in words}
