"""Decides how surely an item answers a question, so that nothing is injected when nothing fits. Pure.

Ranking compares items with each other; this compares one item with the question. Three things count: the share of the
question's weight that the item covers (a word that no item has counts against every item); how much that weight is
worth; and how near the item's vector is to the question's, beside what else there is, if the model's scale is known.
Words of any conversation ("look", "fix", "thanks") hardly count. One telling word proves nothing ("can you double
check?" is not about a doubled word): there must be two, or a name such as `reconcile.py`, or the prompt must ask for
memory.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Collection, Iterable, Sequence, Set

from holdfast.recall.score import Weight, weight
from holdfast.recall.tokens import says_little

FLOOR = 0.4
"""The least fit of what is given unasked.

Chosen with `python -m bench.floor` and `python -m bench.recorded`, with what was left out in mind: where a little more
costs few right answers and saves many false ones (docs/decisions/0022-ranking.md).
"""

FLOOR_HINTED, FLOOR_ASKED = 0.24, 0.12
"""The same where a prompt speaks of something that was before, and where it asks for memory: who asks expects one."""
ONE_WORD = 0.22
"""The most that one telling word proves: enough where memory is asked for, and nowhere else."""
LESSER_WORD, SUBJECT = 0.07, 0.42
"""The same where it has less than this share of what tells something in the question: "when did we go camping in the
north of Norway?" is not about another camping. Enough nowhere. An item whose vector is near may say the rest in other
words."""
TELLS = 0.33
"""A word tells something if it weighs this share of what a word that is nowhere would."""
BESIDE = 0.7
"""What a word is worth that stands beside the item, not in it."""
EACH_PART = 0.05
"""What each further sentence takes from the proof of the best one: of many sentences one fits by chance."""
SENTENCE = 5
"""Terms of a sentence that says enough to be held against an item alone, to see how much of it the item has."""
SHORT, LONG, LONG_COSTS = 8, 24, 0.25
"""Terms of a short prompt and of a long one, and how much more proof the long one needs: it shares words with much."""
GENERAL_WORTH, NAMED_WORTH = 0.1, 1.25
ENOUGH = 2.0
"""Evidence that needs no more: so many times what a word that is nowhere would weigh."""
TELLING = 6
"""Terms of a question that an item is held against, the weightiest: a long prompt says much that no item repeats."""
LONGEST_DIRECTION = 16
"""Terms of a question whose direction proves something: a longer prompt is near to everything that is work."""
ABOVE = (2.0, 3.5)
"""Standard deviations above the background: from where a cosine proves something, and where it proves all it can."""
GROWN = 500.0
"""A younger index is taken to be this large: in ten items about one subject its words only look common."""


class Evidence:
    """What the terms of one question prove.

    A long prompt holds several requests, and no item answers them all: it is enough to fit one sentence.
    """

    def __init__(
        self,
        weights: Sequence[Weight],
        items: float,
        sentences: Sequence[Set[str]] = (),
        named: Set[str] = frozenset(),
        identifiers: Set[str] = frozenset(),
    ) -> None:
        """`named` are terms that the prompt marks as names (`in backticks`), `identifiers` those that are names by
        themselves (`tokens.names`)."""
        grown = max(items, GROWN)
        self._worth = {
            each.word: weight(each.word, each.share * items, grown).idf
            * (NAMED_WORTH if each.word in named else GENERAL_WORTH if says_little(each.word) else 1.0)
            for each in weights
            # An identifier that is nowhere says nothing beyond its parts.
            if each.share or each.word not in identifiers
        }
        nowhere = weight("", 0, grown).idf
        self._enough = ENOUGH * nowhere
        self._telling = {word for word, worth in self._worth.items() if worth >= TELLS * nowhere}
        self._names = {word for word in self._worth if word in identifiers and not says_little(word)}
        self._names |= self._telling & named
        self._length = 1 + LONG_COSTS * min(1.0, max(0.0, (len(self._worth) - SHORT) / (LONG - SHORT)))
        parts = [self._worth.keys() & terms for terms in sentences] if len(sentences) > 1 else []
        self._parts = [(part, self._total(part)) for part in (self._worth.keys(), *parts) if part]
        told = [self._telling & part for part in (self._worth.keys(), *parts)]
        self._subjects = [(part, sum(self._worth[word] for word in part)) for part in told if part]
        idf = {each.word: each.idf for each in weights}
        said = [{word: idf[word] for word in part} for part in parts if len(part) >= SENTENCE]
        more = 1 + EACH_PART * len(self._parts)
        self._said = [(idf, sum(idf.values())), *((part, sum(part.values()) * more) for part in said)]

    def _total(self, part: Iterable[str]) -> float:
        return sum(heapq.nlargest(TELLING, (self._worth[word] for word in part)))

    def fit(self, matched: Collection[str], direction: float = 0.0, mine: Set[str] | None = None) -> float:
        """0 to 1, for an item with these terms (`mine` are its own; None: all) and this certainty by its vector."""
        words = 0.0
        for number, (part, total) in enumerate(self._parts):
            found = sum(
                self._worth[word] * (1.0 if mine is None or word in mine else BESIDE)
                for word in matched
                if word in part
            )
            proof = min(1.0, found / total) * min(1.0, found / self._enough)
            words = max(words, proof if number == 0 else proof / (1 + EACH_PART * len(self._parts)))
        words /= self._length
        if not self._is_enough(matched):
            lesser = direction <= 0 and self._is_beside_the_subject(matched)
            words = min(words, LESSER_WORD if lesser else ONE_WORD)
        return 1 - (1 - words) * (1 - direction)

    def covered(self, mine: Set[str]) -> float:
        """The share of the question, or of its sentence that fits best, that an item says itself: common words, too."""
        shares = (sum(idf for word, idf in part.items() if word in mine) / total for part, total in self._said if total)
        return max(shares, default=0.0)

    def _is_beside_the_subject(self, matched: Collection[str]) -> bool:
        """Is the only telling word of an item a lesser part of each sentence that has it?"""
        telling = [word for word in matched if word in self._telling]
        shares = [self._worth[word] / total for word in telling for part, total in self._subjects if word in part]
        return bool(shares) and max(shares) < SUBJECT

    def _is_enough(self, matched: Collection[str]) -> bool:
        telling = [word for word in matched if word in self._telling]
        return len(telling) > 1 or any(word in self._names for word in matched)


def by_direction(cosine: float | None, scale: tuple[float, float] | None, above: float = math.inf) -> float:
    """How sure the vector alone makes us: from where it begins to count to where no words are needed.

    The scale belongs to a model (`sentence_models.Description.scale`). A model that was not measured proves nothing.
    `above` is how far the cosine lies above those of everything else, in standard deviations: a prompt that is near to
    all there is proves nothing either.
    """
    if cosine is None or scale is None:
        return 0.0
    begins, sure = scale
    least, clear = ABOVE
    beside = min(1.0, max(0.0, (above - least) / (clear - least)))
    return beside * min(1.0, max(0.0, (cosine - begins) / (sure - begins)))
