"""Finds candidates by words: for each term of the question the newest items that have it, up to a limit.

The work is bounded whatever the size of the index. A long list is cut at `MOST` and its length is estimated; rare terms
are narrowed to the project in one query; items that only several common words together can find are looked up by pairs
of words. `score` scores them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise

from holdfast.ids import ListenerId
from holdfast.recall import match
from holdfast.recall.score import REACH, Pair, ScoredRow, Weight, weight
from holdfast.recall.tokens import terms
from holdfast.recall.values import END_OF_TIME, Query
from holdfast.store.interface import Reader, Value

MOST = 300
"""Items per term that are looked at."""
CANDIDATES = 50
"""Items that are scored, besides their neighbours."""
COMMON = 0.4
"""A term in a greater share of the items is left out, if there are others."""
FEW = 20
"""Below so many items, shares say nothing."""
LONGEST_QUESTION = 48
ASKED = 24
"""Terms of a question that count: the rarest."""
MOST_SENTENCES = 40
MOST_PAIRS = 40
"""Pairs of a question's words that an item is searched for."""
PAIRED = 3
"""Common terms that are tried together."""
WORTH = 0.25
"""A candidate has at least this share of the best one's weight; others would not be hits beside it."""


_NAMED = re.compile(r"`([^`\s]{2,60})`")
_SENTENCE = re.compile(r"(?<=[.!?:;])\s+|\n+")


@dataclass(slots=True)
class Lists:
    """What the index has for the terms of a question."""

    weights: list[Weight]
    items: float = 0.0
    """How many items are in scope, about."""
    points: dict[int, float] = field(default_factory=dict)
    """Item → the weight of the terms it has."""

    def add(self, seqs: Iterable[int], idf: float) -> None:
        points = self.points
        for seq in seqs:
            points[seq] = points.get(seq, 0.0) + idf

    def at_least(self, seqs: Iterable[int], idf: float) -> None:
        for seq in seqs:
            self.points[seq] = max(self.points.get(seq, 0.0), idf)


class Searcher:
    """One question on one view of the store."""

    def __init__(self, reader: Reader, query: Query) -> None:
        self._reader = reader
        self._query = query
        self._scope = match.scope(reader.kind, query)
        self._narrow = bool(query.conversation or query.since or query.until < END_OF_TIME)

    def lists(self) -> Lists:
        """Look the question's terms up, and weigh them."""
        asked = question_terms(self._query.text)
        if not asked:
            return Lists([])
        items, reach = self._size()
        postings = self._each(asked)
        weights = [weight(word, self._estimate(postings[word], items, reach), items) for word in asked]
        found = Lists(choose(weights, items), items)
        for each in found.weights:
            found.add(postings[each.word], each.idf)
        cut = sorted((each for each in found.weights if len(postings[each.word]) >= MOST), key=lambda each: -each.idf)
        self._together(cut[:PAIRED], found)
        return found

    def _together(self, cut: Sequence[Weight], found: Lists) -> None:
        """Items too old for a cut list, but with two of its words; or with all words, where even pairs are common.

        Skipped when rare words have found something twice as good, because these are the most expensive queries.
        """
        enough = 0.5 * max(found.points.values(), default=0.0)
        groups: list[tuple[Weight, ...]] = list(combinations(cut, 2))
        for group in groups:
            worth = sum(each.idf for each in group)
            if worth <= enough:
                continue
            both = self._postings([match.term(self._reader.kind, each.word) for each in group])
            found.at_least(both, worth)
            if len(both) >= MOST and len(group) < len(cut):
                groups.append(tuple(cut))
                cut = ()

    def _each(self, asked: Sequence[str]) -> dict[str, list[int]]:
        """The items in scope of each term."""
        kind = self._reader.kind
        if kind != "sqlite" or not (self._scope or self._narrow):
            return {word: self._postings([match.term(kind, word)]) for word in asked}
        # A term's own list is quick to read, narrowing it is not: that walks the project's whole list.
        found = {word: self._anywhere([match.term(kind, word)]) for word in asked}
        rare = [word for word in asked if 0 < len(found[word]) < MOST]
        if rare:
            both = match.any_of(kind, [form for word in rare for form in (word, f"~{word}")])
            within = set(self._postings([both], most=MOST * len(rare)))
            found |= {word: [seq for seq in found[word] if seq in within] for word in rare}
        return {
            word: seqs if len(seqs) < MOST else self._postings([match.term(kind, word)]) for word, seqs in found.items()
        }

    def _anywhere(self, parts: Sequence[str], most: int = MOST) -> list[int]:
        row = self._reader.one("recall.postings", match=match.all_of(self._reader.kind, parts), most=most)
        return _numbers(row)

    def _postings(self, parts: Sequence[str], most: int = MOST) -> list[int]:
        parts = [*parts, self._scope]
        if self._reader.kind == "sqlite" and not self._narrow:
            return self._anywhere(parts, most)
        expression = match.all_of(self._reader.kind, parts)
        return _numbers(self._reader.one("recall.postings_of", match=expression, most=most, **self._filters()))

    def _filters(self) -> dict[str, Value]:
        query = self._query
        shared: dict[str, Value] = {"since": query.since, "until": query.until, "conversation": query.conversation}
        if self._reader.kind == "sqlite":
            return shared
        return shared | {
            "projects": ",".join(query.project_ids),
            "kinds": ",".join(query.kinds),
            "light": int(query.light),
            "owners": ",".join(query.owners),
        }

    def _size(self) -> tuple[float, tuple[int, int]]:
        """About how many items are in the projects, and the first and last number there is."""
        if self._reader.kind == "postgresql":
            row = self._reader.one(
                "recall.count_of",
                projects=",".join(self._query.project_ids),
                owners=",".join(self._query.owners),
            )
            return float((row or {}).get("n") or 0), (0, 0)
        row = self._reader.one("recall.extent") or {}
        reach = (int(row.get("first") or 0), int(row.get("last") or 0))
        whole = float(reach[1] - reach[0] + 1)
        if not self._query.project_ids:
            return whole, reach
        project = match.scope("sqlite", Query("", (), self._query.project_ids))
        return self._estimate(self._anywhere([project], 4 * MOST), whole, reach, 4 * MOST), reach

    def _estimate(self, postings: Sequence[int], items: float, reach: tuple[int, int], most: int = MOST) -> float:
        """The length of a list: counted, or, when it was cut, from how far back it reached."""
        if len(postings) < most:
            return float(len(postings))
        if self._reader.kind == "postgresql":
            return max(float(most), items * COMMON / 2)
        first, last = reach
        return min(items, most * (last - first + 1) / max(1, last - postings[-1] + 1))

    def rows(self, points: Iterable[int]) -> list[dict[str, Value]]:
        """These items and their neighbours."""
        numbers = list(points)
        if not numbers:
            return []
        near = _numbers(self._reader.one("recall.around", seqs=self._array(numbers), reach=REACH))
        wanted = {*numbers, *near}
        return self._reader.all("recall.rows", seqs=self._array(sorted(wanted)))

    def exactly(self, numbers: Sequence[int]) -> list[dict[str, Value]]:
        """These items, in this order."""
        place = {seq: at for at, seq in enumerate(numbers)}
        rows = self._reader.all("recall.rows", seqs=self._array(numbers))
        return sorted(rows, key=lambda row: place[int(row["seq"] or 0)])

    def among(self) -> list[int]:
        """Those that the question is limited to."""
        return _numbers(self._reader.one("recall.numbers", ids=",".join(self._query.among or ())))

    def recent(self) -> list[int]:
        """The newest in scope: for a question without words."""
        query = self._query
        rows = self._reader.all(
            "recall.recent",
            match=self._scope if query.file else "",
            projects=",".join(query.project_ids),
            kinds=",".join(query.kinds),
            since=query.since,
            until=query.until,
            conversation=query.conversation,
            most=query.limit + len(query.exclude) + 50,
        )
        return [int(row["seq"] or 0) for row in rows]

    def _array(self, numbers: Sequence[int]) -> str:
        text = ",".join(map(str, numbers))
        return f"[{text}]" if self._reader.kind == "sqlite" else f"{{{text}}}"


def question_terms(text: str) -> list[str]:
    """The different terms of a question; of a long one, the most frequent, then the first."""
    counted = Counter(terms(text))
    if len(counted) <= LONGEST_QUESTION:
        return list(counted)
    return [word for word, _ in counted.most_common(LONGEST_QUESTION)]


def sentences(text: str) -> list[frozenset[str]]:
    """The terms of each sentence or line that has any."""
    parts = _SENTENCE.split(text, maxsplit=MOST_SENTENCES)
    return [found for part in parts if (found := frozenset(terms(part)))]


def named(text: str) -> frozenset[str]:
    """The terms that a question marks as names: short texts in backticks."""
    return frozenset(term for found in _NAMED.findall(text) for term in terms(found))


def pairs(text: str, weights: Sequence[Weight]) -> list[Pair]:
    """The words of a question that stand side by side, if there are items that have them."""
    known = {each.word for each in weights if each.share}
    found = dict.fromkeys(
        (one, other) for one, other in pairwise(terms(text)) if one != other and one in known and other in known
    )
    return list(found)[:MOST_PAIRS]


def choose(weights: Sequence[Weight], items: float) -> list[Weight]:
    """The terms that count: not too common, and the rarest if there are many."""
    telling = [each for each in weights if each.share <= COMMON] if items >= FEW else []
    telling = telling or list(weights)
    if len(telling) <= ASKED:
        return telling
    # A term that is nowhere finds nothing: it keeps its weight against the others, but takes no place from them.
    present = sorted((each for each in telling if each.share), key=lambda each: -each.idf)[:ASKED]
    kept = {each.word for each in present} | {each.word for each in telling if not each.share}
    return [each for each in telling if each.word in kept]


def best(points: Mapping[int, float], most: int = CANDIDATES) -> list[int]:
    """The most promising; of equals the newest."""
    enough = WORTH * max(points.values(), default=0.0)
    ranked = sorted(((worth, seq) for seq, worth in points.items() if worth >= enough), reverse=True)
    return [seq for _, seq in ranked[:most]]


def as_row(row: dict[str, Value]) -> ScoredRow:
    listener = ListenerId(str(row["listener"]))
    return ScoredRow.of(int(row["seq"] or 0), listener, int(row["position"] or 0), str(row["words"]))


def _numbers(row: dict[str, Value] | None) -> list[int]:
    """Many numbers in one row: one row for each would cost more than finding them."""
    text = row["seqs"] if row else None
    return list(map(int, str(text).split(","))) if text else []
