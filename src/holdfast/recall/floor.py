"""When nothing fits, nothing is given: how surely an item has to do with a question. Pure.

Ranking compares items with each other; this compares an item with the question alone. Three things count: what share
of the question's weight the item covers (a word that is nowhere in the index counts against every item), how much that
weight is worth (one everyday word proves nothing, one rare name may), and how far the item's direction stands out from
the background, when there is a model. Words of any conversation ("look", "fix", "thanks") hardly count.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence

from holdfast.recall.score import Weight, weight
from holdfast.recall.tokens import terms
from holdfast.recall.words import GENERAL

FLOOR = 0.45
"""The least fit of what is given unasked.

Chosen by `python -m bench.floor` (LoCoMo questions asked of their own and of another conversation, requests that fit
any session, prompts about made-up coding sessions and about other projects) as the lowest sum of misses and three
times the false injections; the figures are in docs/decisions/0008-recall.md.
"""

GENERAL_WORTH = 0.1
ENOUGH = 0.7
"""Evidence that needs no more: so many times what a word that is nowhere would weigh."""
GROWN = 500.0
"""A younger index is taken to be this large: in ten items about one subject its words only look common."""
NEAR_BEGINS, NEAR_SURE = 2.5, 6.0
"""Deviations above the background from which a direction begins to count, and at which it needs no words."""


class Evidence:
    """What the terms of one question prove."""

    def __init__(self, weights: Sequence[Weight], items: float) -> None:
        general = _general()
        grown = max(items, GROWN)
        self._worth = {
            each.word: weight(each.word, each.share * items, grown).idf
            * (GENERAL_WORTH if each.word in general else 1.0)
            for each in weights
            # An identifier that is nowhere says nothing beyond its parts.
            if each.share or "_" not in each.word
        }
        self._total = sum(self._worth.values())
        self._enough = ENOUGH * weight("", 0, grown).idf

    def fit(self, matched: Iterable[str], above: float | None = None) -> float:
        """0 to 1, for an item with these terms, so many deviations above the background in direction."""
        found = sum(self._worth.get(word, 0.0) for word in matched)
        by_words = 0.0
        if found and self._total:
            by_words = found / self._total * min(1.0, found / self._enough)
        if above is None:
            return by_words
        by_direction = min(1.0, max(0.0, (above - NEAR_BEGINS) / (NEAR_SURE - NEAR_BEGINS)))
        return 1 - (1 - by_words) * (1 - by_direction)


@functools.cache
def _general() -> frozenset[str]:
    return frozenset(term for word in GENERAL for term in terms(word))
