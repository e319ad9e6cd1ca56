"""Decides how sure it is that a prompt means a piece of work, by how that work stands beside the others. Pure.

The floor (`floor`) holds one item against the prompt. That is not enough: where several pieces of work fit about
equally well, most of them are not meant, and where one is far ahead it mostly is. A prompt that asks something is more
often about what was than an order, which is mostly about new work. `python -m bench.left_out` fits the weights on
recorded projects and reports on those left out.

And words can be shared by chance: projects of one kind have a vocabulary in common, and a long prompt shares words with
much. So an order must also say much of what it says with the item's own words, best side by side
(`SharedWords`). `python -m bench.shared_words` fits those weights on public repositories.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from operator import mul

LEAST_SHARE = 0.01
FAR = 2.0
"""Logarithm of the lead from which on more says nothing."""
MOST_PAIRS = 3
"""So many pairs of words, and more, prove the same."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What is known of a piece of work that fits: of its item that fits best."""

    fit: float
    score: float
    covered: float = 0.0
    """The share of the prompt's weight that the item itself has."""
    pairs: int = 0
    """Pairs of words that stand side by side in both."""
    said: float = 1.0
    """The share of the prompt's telling words that its line says."""


@dataclass(frozen=True, slots=True)
class SharedWords:
    """How likely it is that a prompt and an item share words because both speak of one matter: a logistic regression of
    what is seen (`features`)."""

    fit: float = 2.5
    share: float = 0.56
    ahead: float = 0.96
    covered: float = 2.2
    pairs: float = 0.3
    base: float = -4.9
    order: float = 0.2
    """How likely it must be where the prompt is an order or a statement."""
    hint: float = 0.06
    """And where it speaks of something that was before. A question is asked of what was: no more is needed."""
    itself: float = 0.13
    """An order is given only a line that itself says more than this share of its telling words (`python -m
    bench.prompt_lines`): else it shares them with something that the line leaves out."""
    surely: float = 0.5
    """Or one of work that fits so well, whatever its line says."""

    def of(self, features: Sequence[float]) -> float:
        """0 to 1."""
        fit, share, ahead, _, covered, pairs, _ = features
        points = self.fit * fit + self.share * share + self.ahead * ahead + self.covered * covered
        points += self.pairs * pairs + self.base
        return 1 / (1 + math.exp(-points))

    def is_told(self, features: Sequence[float]) -> bool:
        """Does the line itself speak of what the order is about?"""
        return features[-1] > self.itself or features[0] >= math.sqrt(self.surely)


@dataclass(frozen=True, slots=True)
class Sureness:
    """What counts, and how much: a logistic regression of what is seen (`features`)."""

    fit: float = 2.0
    """The root of the best fit among the items of the work."""
    share: float = 0.86
    """The logarithm of its score beside the best of all, be that one below the floor."""
    ahead: float = 1.3
    """The logarithm of the lead that the best of all has over the next."""
    asks: float = 0.82
    """The prompt asks something."""
    base: float = -2.8
    first: float = 0.0
    """How sure the best line must be to be given."""
    further: float = 0.21
    """And each line after it."""
    words: SharedWords = SharedWords()

    def of(self, features: Sequence[float]) -> float:
        """0 to 1, from what is seen (`features`)."""
        points = self.base + sum(map(mul, (self.fit, self.share, self.ahead, self.asks), features[:4]))
        return 1 / (1 + math.exp(-points))


SURENESS = Sureness()


def features(works: Sequence[Standing], rival: float, asks: bool) -> list[tuple[float, ...]]:
    """What is seen of each piece of work that fits: the root of its fit, its score beside the best, the lead of the
    best, does the prompt ask, how much of the prompt it has, how many pairs, and how much of the prompt its line says.
    `rival` is the best score of what does not fit; 0: there is none."""
    ranked = sorted((*(each.score for each in works), rival, 0.0), reverse=True)
    best, second = ranked[0] or 1.0, ranked[1]
    lead = min(FAR, math.log(best / second)) if second > 0 else FAR
    return [
        (
            math.sqrt(max(0.0, each.fit)),
            math.log(max(LEAST_SHARE, each.score / best)),
            lead if each.score == best else 0.0,
            float(asks),
            each.covered,
            float(min(MOST_PAIRS, each.pairs)),
            each.said,
        )
        for each in works
    ]


def clear(
    seen: Sequence[Sequence[float]],
    limits: Sureness,
    *,
    many: bool = False,
    least: float = 0.0,
    order: bool = False,
) -> list[int]:
    """Which of them are given, the surest first: what stands out, and shares words by more than chance (`least`). An
    order needs a line that says what it is about."""
    sure = enough([limits.of(each) for each in seen], limits, many=many)
    sure = [at for at in sure if not least or limits.words.of(seen[at]) >= least]
    return [at for at in sure if not order or limits.words.is_told(seen[at])]


def enough(sure: Sequence[float], limits: Sureness, *, many: bool = False) -> list[int]:
    """Which of them are given, the surest first. `many`: all of them are asked for, so each needs no more than the
    first."""
    ranked = sorted(range(len(sure)), key=lambda at: -sure[at])
    further = limits.first if many else max(limits.first, limits.further)
    return [at for place, at in enumerate(ranked) if sure[at] >= (further if place else limits.first)]
