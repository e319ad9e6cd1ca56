"""Decides how surely an item answers a question, so that nothing is injected when nothing fits. Pure.

Ranking compares items with each other; this compares one item with the question. Three things count: the share of the
question's weight that the item covers (a word that no item has counts against every item); how much that weight is
worth (one everyday word proves nothing, one rare name may); and how near the item's vector is to the question's, if the
model's scale was measured. Words of any conversation ("look", "fix", "thanks") hardly count.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Sequence, Set

from holdfast.recall.score import Weight, weight
from holdfast.recall.tokens import general_terms

FLOOR = 0.3
"""The least fit of what is given unasked.

Chosen with `python -m bench.floor` (LoCoMo questions asked of their own and of another conversation, requests that fit
any session, prompts about made-up coding sessions and about other projects) near the lowest sum of misses and three
times the false injections, where that sum hardly changes; the figures are in docs/decisions/0008-recall.md.
"""

GENERAL_WORTH = 0.1
ENOUGH = 2.0
"""Evidence that needs no more: so many times what a word that is nowhere would weigh."""
TELLING = 6
"""Terms of a question that an item is held against, the weightiest: a long prompt says much that no item repeats."""
LONGEST_DIRECTION = 16
"""Terms of a question whose direction proves something: a longer prompt is near to everything that is work."""
GROWN = 500.0
"""A younger index is taken to be this large: in ten items about one subject its words only look common."""


class Evidence:
    """What the terms of one question prove.

    A long prompt holds several requests, and no item answers them all: it is enough to fit one sentence.
    """

    def __init__(self, weights: Sequence[Weight], items: float, sentences: Sequence[Set[str]] = ()) -> None:
        general = general_terms()
        grown = max(items, GROWN)
        self._worth = {
            each.word: weight(each.word, each.share * items, grown).idf
            * (GENERAL_WORTH if each.word in general else 1.0)
            for each in weights
            # An identifier that is nowhere says nothing beyond its parts.
            if each.share or "_" not in each.word
        }
        self._enough = ENOUGH * weight("", 0, grown).idf
        parts = [self._worth.keys() & terms for terms in sentences] if len(sentences) > 1 else []
        self._parts = [(part, self._total(part)) for part in (self._worth.keys(), *parts) if part]

    def _total(self, part: Iterable[str]) -> float:
        return sum(heapq.nlargest(TELLING, (self._worth[word] for word in part)))

    def fit(self, matched: Collection[str], direction: float = 0.0) -> float:
        """0 to 1, for an item with these terms and this certainty by its vector alone."""
        words = 0.0
        for part, total in self._parts:
            found = sum(self._worth[word] for word in matched if word in part)
            words = max(words, min(1.0, found / total) * min(1.0, found / self._enough))
        return 1 - (1 - words) * (1 - direction)


def by_direction(cosine: float | None, scale: tuple[float, float] | None) -> float:
    """How sure the vector alone makes us: from where it begins to count to where no words are needed.

    The scale belongs to a model (`sentence_models.Description.scale`). A model that was not measured proves nothing.
    """
    if cosine is None or scale is None:
        return 0.0
    begins, sure = scale
    return min(1.0, max(0.0, (cosine - begins) / (sure - begins)))
