"""Decides how sure it is that a prompt means a piece of work, by how that work stands beside the others. Pure.

The floor (`floor`) holds one item against the prompt. That is not enough: where several pieces of work fit about
equally well, most of them are not meant, and where one is far ahead it mostly is. A prompt that asks something is more
often about what was than an order, which is mostly about new work. `python -m bench.left_out` fits the weights on
recorded projects and reports on those left out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from operator import mul

LEAST_SHARE = 0.01
FAR = 2.0
"""Logarithm of the lead from which on more says nothing."""


@dataclass(frozen=True, slots=True)
class Sureness:
    """What counts, and how much: a logistic regression."""

    fit: float = 2.1
    """The root of the best fit among the items of the work."""
    share: float = 0.92
    """The logarithm of its score beside the best of all, be that one below the floor."""
    ahead: float = 1.3
    """The logarithm of the lead that the best of all has over the next."""
    asks: float = 0.78
    """The prompt asks something."""
    base: float = -2.7
    first: float = 0.2
    """How sure the best line must be to be given."""
    further: float = 0.22
    """And each line after it."""

    def of(self, features: Sequence[float]) -> float:
        """0 to 1, from what is seen (`features`)."""
        points = self.base + sum(map(mul, (self.fit, self.share, self.ahead, self.asks), features))
        return 1 / (1 + math.exp(-points))


SURENESS = Sureness()


def features(fits: Sequence[float], scores: Sequence[float], rival: float, asks: bool) -> list[tuple[float, ...]]:
    """What is seen of each piece of work that fits: in the order of the weights. `rival` is the best score of what does
    not fit; 0: there is none."""
    ranked = sorted((*scores, rival, 0.0), reverse=True)
    best, second = ranked[0] or 1.0, ranked[1]
    lead = min(FAR, math.log(best / second)) if second > 0 else FAR
    return [
        (
            math.sqrt(max(0.0, fit)),
            math.log(max(LEAST_SHARE, score / best)),
            lead if score == best else 0.0,
            float(asks),
        )
        for fit, score in zip(fits, scores, strict=True)
    ]


def enough(sure: Sequence[float], limits: Sureness, *, many: bool = False) -> list[int]:
    """Which of them are given, the surest first. `many`: all of them are asked for, so each needs no more than the
    first."""
    ranked = sorted(range(len(sure)), key=lambda at: -sure[at])
    further = limits.first if many else max(limits.first, limits.further)
    return [at for place, at in enumerate(ranked) if sure[at] >= (further if place else limits.first)]
