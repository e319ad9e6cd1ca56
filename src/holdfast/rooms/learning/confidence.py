"""How sure a lesson is: a Beta estimate that starts from how it was learned and moves with its outcome. Pure.

Exposure, use and success are counted apart: being shown moves nothing. What speaks for or against it loses half of its
weight in half a year, so that the estimate returns to where it started. Praise only ever adds to what speaks for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec.structs import replace

from holdfast.rooms.learning.model import LearnedValue, Remedy
from holdfast.times import DAY_US

HALF_LIFE_US = 180 * DAY_US
PRIORS: dict[str, tuple[float, float]] = {
    "gold": (8.0, 2.0),
    "silver": (6.0, 2.5),
    "seen": (4.0, 2.0),
    "bronze": (3.0, 3.0),
    "abandoned": (1.0, 3.0),
}
"""What speaks for and against a lesson at the start, by how it was learned."""
WEIGHTS: dict[str, tuple[float, float]] = {
    "worked": (2.0, 0.0),
    "failed": (0.0, 2.0),
    "helpful": (1.0, 0.0),
    "not helpful": (0.0, 1.5),
}
"""How much each piece of evidence adds to either side."""
Feedback = Literal["helpful", "not helpful", "outdated"]
FEEDBACK: tuple[str, ...] = ("helpful", "not helpful", "outdated")


def estimate(learned: str, good: float, bad: float, passed_us: int) -> float:
    """How likely it holds, from 0 to 1: the mean of the Beta distribution, `passed_us` after the last evidence."""
    before_good, before_bad = PRIORS.get(learned, PRIORS["bronze"])
    left = kept(passed_us)
    return (before_good + good * left) / (before_good + before_bad + (good + bad) * left)


def kept(passed_us: int) -> float:
    """The share of old evidence that still counts."""
    return float(0.5 ** (max(0, passed_us) / HALF_LIFE_US))


def of_remedy(remedy: Remedy, now: int) -> float:
    sure = estimate(remedy.learned, remedy.good, remedy.bad, now - remedy.judged_at)
    return sure / 2 if remedy.outdated else sure


def with_evidence(remedy: Remedy, what: str, now: int) -> Remedy:
    """The remedy after one more piece of evidence; what was known before is worth less by now."""
    left = kept(now - remedy.judged_at)
    good, bad = WEIGHTS[what]
    counted = {"used": remedy.used + 1} if what in ("worked", "failed") else {}
    counted |= {"worked": remedy.worked + 1} if what == "worked" else {}
    return replace(
        remedy,
        good=remedy.good * left + good,
        bad=remedy.bad * left + bad,
        judged_at=max(now, remedy.judged_at),
        **counted,
    )


def with_feedback(remedy: Remedy, feedback: Feedback, now: int) -> Remedy:
    """What somebody thinks of it. Praise takes the mark `outdated` back."""
    if feedback == "outdated":
        return replace(remedy, outdated=1)
    judged = with_evidence(remedy, feedback, now)
    return replace(judged, outdated=0) if feedback == "helpful" else judged


def feedback(said: str) -> Feedback:
    return "helpful" if said == "helpful" else "outdated" if said == "outdated" else "not helpful"


def ranked(values: Sequence[LearnedValue], now: int) -> list[LearnedValue]:
    """Values, the best first: a person's own, then by how many experiences support them and how near they are."""

    def score(value: LearnedValue) -> tuple[int, float, int]:
        near = 1 - value.distance / value.most if value.most > 0 else 0.0
        fresh = 0.5 + 0.5 * kept(now - value.created_at)
        return (1 if value.trust == "user" else 0, (value.support + near) * fresh, value.created_at)

    return sorted(values, key=score, reverse=True)
