"""How well items answer a question by their words: BM25 over an item and its neighbourhood. Pure.

An item is small (one turn, one observation), and what it is about is often said just before it. So a word counts in
full in the item itself, less in its context or in the two items before it; the share of the question that is covered
counts; and a good item lends a part of its score to its neighbours. The numbers were chosen on three LoCoMo
conversations and held on two others (docs/decisions/0008-recall.md).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

REACH = 2
"""How many items before and after belong to the neighbourhood."""
SATURATION = 0.8
LENGTH = 0.2
CONTEXT = 0.6
BEFORE = (0.5, 0.3)
"""The worth of a word found in the item just before, and in the one before that."""
COVERAGE = 2.0
_NONE: set[str] = set()
LEND = {-2: 0.1, -1: 0.2, 1: 0.2, 2: 0.1}
"""What the item at this distance adds of its own score."""


@dataclass(frozen=True, slots=True)
class Weight:
    """A term of the question: how much it counts, and the share of the items that have it."""

    word: str
    idf: float
    share: float


@dataclass(slots=True)
class Row:
    """An item as it is scored: its own words, and the rest of its row as text (` ~word ~word … `)."""

    seq: int
    listener: str
    position: int
    own: list[str]
    around: str

    @classmethod
    def of(cls, seq: int, listener: str, position: int, words: str) -> Row:
        own, mark, around = f" {words} ".partition(" ~")
        return cls(seq, listener, position, own.split(), mark + around)


@dataclass(frozen=True, slots=True)
class Words:
    """How well the words of one item match."""

    score: float
    """About 1 when an item has every term once; up to half as much again from its neighbours."""
    coverage: float
    """The share of the question's weight that is found in the item or just before it."""
    own: float
    """The same, in the item alone."""
    matched: tuple[str, ...]


def weight(word: str, found: float, items: float) -> Weight:
    """Rare words count more; a word that no item has counts most, because its absence counts against every item."""
    items = max(items, found, 1.0)
    return Weight(word, math.log(1 + (items - found + 0.5) / (found + 0.5)), found / items)


def score(rows: Sequence[Row], weights: Iterable[Weight]) -> dict[int, Words]:
    """The match of every row, by number."""
    weights = list(weights)
    total = sum(each.idf for each in weights)
    if not total or not rows:
        return {}
    mean = sum(len(row.own) for row in rows) / len(rows) or 1.0
    place = {(row.listener, row.position): row for row in rows if row.listener}
    asked = {each.word for each in weights}
    has = {row.seq: asked.intersection(row.own) for row in rows}
    bare: dict[int, tuple[float, float, float, tuple[str, ...]]] = {}
    for row in rows:
        before = [
            has[there.seq] if (there := place.get((row.listener, row.position - distance))) else _NONE
            for distance in (1, 2)
        ]
        bare[row.seq] = _bare(row, weights, has[row.seq], before, total, mean)
    found = {}
    for row in rows:
        value, coverage, own, matched = bare[row.seq]
        if row.listener:
            for distance, share in LEND.items():
                if (there := place.get((row.listener, row.position + distance))) is not None:
                    value += share * bare[there.seq][0]
        found[row.seq] = Words(value, coverage, own, matched)
    return found


def _bare(
    row: Row,
    weights: Sequence[Weight],
    mine: set[str],
    before: Sequence[set[str]],
    total: float,
    mean: float,
) -> tuple[float, float, float, tuple[str, ...]]:
    """(score, coverage, own coverage, matched terms) of one item, without the score its neighbours lend."""
    length = SATURATION * (1 - LENGTH + LENGTH * len(row.own) / mean)
    value = covered = own = 0.0
    matched = []
    for each in weights:
        word = each.word
        if word in mine:
            count = row.own.count(word)
            worth = count * (SATURATION + 1) / (count + length)
            own += each.idf
        elif f" ~{word} " in row.around:
            worth = CONTEXT
        elif word in before[0]:
            worth = BEFORE[0]
        elif word in before[1]:
            worth = BEFORE[1]
        else:
            continue
        value += each.idf * worth
        covered += each.idf
        matched.append(word)
    covered /= total
    return value / total * (1 + COVERAGE * covered) / (1 + COVERAGE), covered, own / total, tuple(matched)
