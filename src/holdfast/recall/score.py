"""How well items answer a question by their words: a weighted sum of what is seen of an item and its neighbours. Pure.

An item is small (one turn, one observation), and what it is about is often said just before it. So a word counts in the
item itself, in its context and in the two items before it; the scores of neighbours and of its listener's items count;
so does whether the item itself asks, and whether it names a time where a time is asked for. In a chat all items are
about equally long; where their lengths vary, as those of coding work do, length and neighbours count differently. So
there are two sets of weights, mixed by how much the lengths of what was found vary. `python -m bench.weights` fits
them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import mul

from holdfast.ids import ListenerId
from holdfast.recall.tokens import time_terms

REACH = 2
"""How many items before and after belong to the neighbourhood."""
QUESTION_MARK = "_q"
"""Stands among the words of an item that asks."""
LEAD = 8
"""Words at the beginning of an item that say what it is about."""
TOP = 5
"""Items of a listener whose scores are averaged."""
_FLAT, _NORMED = (0.8, 0.0), (1.2, 0.75)
"""BM25's k and b: for items of equal length, and for those of any."""

ALIKE, VARIED = 0.45, 0.75
"""Standard deviation of the logarithms of lengths: up to the first they are alike, from the second on they vary."""

WEIGHTS: Mapping[str, tuple[float, float]] = {
    "flat": (0.81, 1.13),  # BM25 of its own words, whatever its length
    "own": (1.10, 1.51),  # the share of the question's weight that it has
    "own_root": (1.13, 1.29),  # the root of that: the first words count most
    "normed_sum": (0.48, 1.50),  # BM25 with its length, not as a share
    "covered_sum": (1.66, 0.42),  # all that it has, or has beside it
    "context": (5.0, 4.0),  # words of its day and its context
    "before": (0.37, 0.0),  # words that only the item before has
    "earlier": (2.31, 0.60),  # and the one before that
    "next": (1.04, 0.0),  # BM25 of the item after it
    "session": (2.53, 1.23),  # BM25 of the best item of its session
    "session_top": (3.07, 0.61),  # mean BM25 of the best five
    "asks": (-0.71, -1.93),  # it asks
    "answers": (5.48, 4.45),  # words of an item before it that asks
    "length": (0.60, -0.29),  # its length beside the mean (logarithm)
    "first": (1.03, 3.01),  # words that it begins with
    "lead": (0.37, 1.55),  # words among its first eight
    "time": (2.67, 0.22),  # it names a time, and a time is asked for
    "rarest": (0.34, 0.63),  # the rarest word it has, beside the rarest that any has
    "pairs": (0.0, 2.91),  # words that stand side by side in the question and in it
}
"""What is seen of an item → its weight where lengths are alike, and where they vary."""


@dataclass(frozen=True, slots=True)
class Weight:
    """A term of the question: how much it counts, and the share of the items that have it."""

    word: str
    idf: float
    share: float


@dataclass(slots=True)
class ScoredRow:
    """An item as it is scored: its own words, and the rest of its row as text (` ~word ~word … `)."""

    seq: int
    listener: ListenerId
    position: int
    own: list[str]
    around: str
    asks: bool = False
    said: str = ""
    """Its own words as text, a space around each."""

    @classmethod
    def of(cls, seq: int, listener: ListenerId, position: int, words: str) -> ScoredRow:
        own, mark, around = f" {words} ".partition(" ~")
        return cls(seq, listener, position, own.split(), mark + around, f" {QUESTION_MARK} " in around, f"{own} ")


@dataclass(slots=True)
class Words:
    """How well the words of one item match."""

    score: float
    """Its logarithm compares items of one answer: one more makes an item e times as likely to be meant. Minus infinity
    when neither the item nor a neighbour has a word of the question."""
    coverage: float
    """The share of the question's weight that is found in the item or just before it."""
    own: float
    """The same, in the item alone."""
    matched: tuple[str, ...]
    mine: frozenset[str] = frozenset()
    """Those of them that are the item's own."""
    pairs: int = 0
    """Words of the question that stand side by side in it, too."""


Pair = tuple[str, str]
NOTHING = Words(-math.inf, 0.0, 0.0, ())


def weight(word: str, found: float, items: float) -> Weight:
    """Rare words count more; a word that no item has counts most, because its absence counts against every item."""
    items = max(items, found, 1.0)
    return Weight(word, math.log(1 + (items - found + 0.5) / (found + 0.5)), found / items)


@dataclass(slots=True)
class _Seen:
    """What is seen of one item before its neighbours are."""

    row: ScoredRow
    mine: frozenset[str]
    flat: float
    normed: float
    own: float
    length: float
    """Logarithm of its length beside the mean."""


def score(
    rows: Sequence[ScoredRow], weights: Iterable[Weight], *, asks_when: bool = False, pairs: Sequence[Pair] = ()
) -> dict[int, Words]:
    """The match of every row, by number. `asks_when`: the question asks for a time; `pairs`: words that stand side by
    side in it."""
    share, features, found = look(rows, weights, asks_when=asks_when, pairs=pairs)
    weigh = [alike * (1 - share) + varied * share for alike, varied in WEIGHTS.values()]
    for seq, amounts in features.items():
        found[seq].score = sum(map(mul, weigh, amounts))
    return found


def look(
    rows: Sequence[ScoredRow], weights: Iterable[Weight], *, asks_when: bool = False, pairs: Sequence[Pair] = ()
) -> tuple[float, dict[int, tuple[float, ...]], dict[int, Words]]:
    """How much the lengths vary (0 to 1); what is seen of every row that has to do with the question, in the order of
    `WEIGHTS`; and every row's match, without its score."""
    idf = {each.word: each.idf for each in weights}
    total = sum(idf.values())
    if not total or not rows:
        return 0.0, {}, {}
    mean = sum(len(row.own) for row in rows) / len(rows) or 1.0
    seen = [_seen(row, idf, total, mean) for row in rows]
    place = {(each.row.listener, each.row.position): each for each in seen if each.row.listener}
    best, top = _listeners(seen)
    rarest = max((idf[word] for each in seen for word in each.mine), default=1.0)
    times = time_terms()
    worth = {pair: idf[pair[0]] + idf[pair[1]] for pair in pairs}
    all_pairs = sum(worth.values()) or 1.0
    features: dict[int, tuple[float, ...]] = {}
    found: dict[int, Words] = {}
    for each in seen:
        row = each.row
        before, earlier, after = (
            place.get((row.listener, row.position + distance)) if row.listener else None for distance in (-1, -2, 1)
        )
        context, one, two, matched = _around(each, idf, before, earlier)
        same = _side_by_side(each, pairs)
        found[row.seq] = Words(
            -math.inf, each.own + (context + one + two) / total, each.own, matched, each.mine, len(same)
        )
        if not matched and not (before and before.flat) and not (after and after.flat):
            continue

        lead = row.own[:LEAD]
        features[row.seq] = (
            each.flat,
            each.own,
            math.sqrt(each.own),
            each.normed * total / 10,
            found[row.seq].coverage * total / 10,
            context / total,
            one / total,
            two / total,
            after.flat if after else 0.0,
            best.get(row.listener, 0.0),
            top.get(row.listener, 0.0),
            float(row.asks),
            one / total if before and before.row.asks else 0.0,
            each.length,
            sum(idf[word] for word in each.mine.intersection(lead[:2])) / total,
            sum(idf[word] for word in each.mine.intersection(lead)) / total,
            float(asks_when and not times.isdisjoint(row.own)),
            max((idf[word] for word in each.mine), default=0.0) / rarest,
            sum(worth[pair] for pair in same) / all_pairs,
        )
    return _variation([each.length for each in seen]), features, found


def variation(rows: Sequence[ScoredRow]) -> float:
    """0 where items are about equally long, 1 where their lengths vary as those of coding work do."""
    return _variation([math.log(len(row.own) + 1) for row in rows]) if rows else 0.0


def _variation(lengths: Sequence[float]) -> float:
    """0 where lengths (their logarithms) are alike, as in a chat; 1 where they vary as those of coding work do."""
    mean = sum(lengths) / len(lengths)
    deviation = math.sqrt(sum((each - mean) ** 2 for each in lengths) / len(lengths))
    return min(1.0, max(0.0, (deviation - ALIKE) / (VARIED - ALIKE)))


def _seen(row: ScoredRow, idf: Mapping[str, float], total: float, mean: float) -> _Seen:
    mine = frozenset(idf.keys() & row.own)
    ratio = len(row.own) / mean
    flat = normed = own = 0.0
    for word in mine:
        count = row.own.count(word)
        flat += idf[word] * _saturated(count, *_FLAT, ratio)
        normed += idf[word] * _saturated(count, *_NORMED, ratio)
        own += idf[word]
    return _Seen(row, mine, flat / total, normed / total, own / total, math.log((len(row.own) + 1) / (mean + 1)))


def _side_by_side(each: _Seen, pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs of words that stand side by side in the item itself, too."""
    mine, said = each.mine, each.row.said
    return [(one, other) for one, other in pairs if one in mine and other in mine and f" {one} {other} " in said]


def _saturated(count: int, k: float, b: float, ratio: float) -> float:
    return count * (k + 1) / (count + k * (1 - b + b * ratio))


def _listeners(seen: Iterable[_Seen]) -> tuple[dict[ListenerId, float], dict[ListenerId, float]]:
    """Of each listener the best score, and the mean of the best few."""
    scores: dict[ListenerId, list[float]] = {}
    for each in seen:
        if each.row.listener:
            scores.setdefault(each.row.listener, []).append(each.flat)
    best = {listener: max(some) for listener, some in scores.items()}
    return best, {listener: sum(sorted(some)[-TOP:]) / TOP for listener, some in scores.items()}


def _around(
    each: _Seen, idf: Mapping[str, float], before: _Seen | None, earlier: _Seen | None
) -> tuple[float, float, float, tuple[str, ...]]:
    """The weight of the words that only the context has, or the item before, or the one before that; and all that
    match, in the question's order."""
    context = one = two = 0.0
    matched = []
    for word, worth in idf.items():
        if word in each.mine:
            pass
        elif f" ~{word} " in each.row.around:
            context += worth
        elif before is not None and word in before.mine:
            one += worth
        elif earlier is not None and word in earlier.mine:
            two += worth
        else:
            continue
        matched.append(word)
    return context, one, two, tuple(matched)
