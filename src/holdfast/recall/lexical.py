"""Finding candidates by words: for each term of the question the newest items that have it, at most so many.

Work is bounded whatever the size of the index: long lists are cut at `MOST`, the length of a cut list is estimated,
and what only several common words together can find is asked for in pairs. Scoring is `score`'s.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from holdfast.recall import match
from holdfast.recall.model import END_OF_TIME, Query
from holdfast.recall.score import REACH, Row, Weight, split, weight
from holdfast.recall.tokens import terms
from holdfast.store.interface import Reader, Value

MOST = 2_000
"""Items per term that are looked at."""
CANDIDATES = 100
"""Items that are scored, besides their neighbours."""
COMMON = 0.4
"""A term in a greater share of the items is left out, if there are others."""
FEW = 20
"""Below so many items, shares say nothing."""
LONGEST_QUESTION = 48
ASKED = 16
"""Terms of a question that count: the rarest."""
PAIRED = 4


@dataclass(slots=True)
class Lists:
    """What the index knows of a question."""

    weights: list[Weight]
    items: float
    """How many items are in scope, about."""
    points: dict[int, float] = field(default_factory=dict)
    """Item → the weight of the terms it has."""


class Searcher:
    """One question on one view of the store."""

    def __init__(self, reader: Reader, query: Query) -> None:
        self._reader = reader
        self._query = query
        self._scope = match.scope(reader.kind, query)
        self._narrow = bool(query.session or query.since or query.until < END_OF_TIME)

    def lists(self) -> Lists:
        """Look the question's terms up."""
        asked = question_terms(self._query.text)
        if not asked:
            return Lists([], 0)
        items, reach = self._size()
        postings = {word: self._postings([match.term(self._reader.kind, word)]) for word in asked}
        weights = [weight(word, self._estimate(postings[word], items, reach), items) for word in asked]
        chosen = choose(weights, items)
        found = Lists(chosen, items)
        for each in chosen:
            for seq in postings[each.word]:
                found.points[seq] = found.points.get(seq, 0.0) + each.idf
        cut = [each for each in chosen if len(postings[each.word]) >= MOST]
        if len(cut) > 1:
            self._pairs(sorted(cut, key=lambda each: -each.idf)[:PAIRED], found)
        return found

    def _pairs(self, cut: Sequence[Weight], found: Lists) -> None:
        """Items too old to be on a cut list, but with two of its words."""
        kind = self._reader.kind
        for one, two in combinations(cut, 2):
            for seq in self._postings([match.term(kind, one.word), match.term(kind, two.word)]):
                found.points[seq] = max(found.points.get(seq, 0.0), one.idf + two.idf)

    def _postings(self, parts: Sequence[str]) -> list[int]:
        expression = match.all_of(self._reader.kind, [*parts, self._scope])
        if self._reader.kind == "sqlite" and not self._narrow:
            rows = self._reader.all("recall.postings", match=expression, most=MOST)
        else:
            rows = self._reader.all("recall.postings_of", match=expression, most=MOST, **self._filters())
        return [int(row["seq"] or 0) for row in rows]

    def _filters(self) -> dict[str, Value]:
        query = self._query
        shared: dict[str, Value] = {"since": query.since, "until": query.until, "session": query.session}
        if self._reader.kind == "sqlite":
            return shared
        return shared | {
            "projects": ",".join(query.project_ids),
            "kinds": ",".join(query.kinds),
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
        expression = match.scope("sqlite", Query("", (), self._query.project_ids))
        rows = self._reader.all("recall.postings", match=expression, most=MOST)
        return self._estimate([int(row["seq"] or 0) for row in rows], whole, reach), reach

    def _estimate(self, postings: Sequence[int], items: float, reach: tuple[int, int]) -> float:
        """The length of a list: counted, or, when it was cut, from how far back it reached."""
        if len(postings) < MOST:
            return float(len(postings))
        if self._reader.kind == "postgresql":
            return max(float(MOST), items * COMMON / 2)
        first, last = reach
        return min(items, MOST * (last - first + 1) / max(1, last - postings[-1] + 1))

    def rows(self, points: Iterable[int]) -> list[dict[str, Value]]:
        """These items and their neighbours."""
        numbers = list(points)
        if not numbers:
            return []
        near = self._reader.all("recall.around", seqs=self._array(numbers), reach=REACH)
        wanted = set(numbers) | {int(row["seq"] or 0) for row in near}
        return self._reader.all("recall.rows", seqs=self._array(sorted(wanted)))

    def exactly(self, numbers: Sequence[int]) -> list[dict[str, Value]]:
        """These items, in this order."""
        place = {seq: at for at, seq in enumerate(numbers)}
        rows = self._reader.all("recall.rows", seqs=self._array(numbers))
        return sorted(rows, key=lambda row: place[int(row["seq"] or 0)])

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
            session=query.session,
            most=query.limit + len(query.exclude) + 50,
        )
        return [int(row["seq"] or 0) for row in rows]

    def _array(self, numbers: Sequence[int]) -> str:
        text = ",".join(map(str, numbers))
        return f"[{text}]" if self._reader.kind == "sqlite" else f"{{{text}}}"


def question_terms(text: str) -> list[str]:
    """The different terms of a question; of a long one, those that come most often, then those that come first."""
    counted = Counter(terms(text))
    if len(counted) <= LONGEST_QUESTION:
        return list(counted)
    return [word for word, _ in counted.most_common(LONGEST_QUESTION)]


def choose(weights: Sequence[Weight], items: float) -> list[Weight]:
    """The terms that count: not too common, the rarest first if they are many."""
    telling = [each for each in weights if each.share <= COMMON] if items >= FEW else []
    telling = telling or list(weights)
    if len(telling) <= ASKED:
        return telling
    # A term that is nowhere finds nothing: it keeps its weight against the others, but takes no place from them.
    present = sorted((each for each in telling if each.share), key=lambda each: -each.idf)[:ASKED]
    kept = {each.word for each in present} | {each.word for each in telling if not each.share}
    return [each for each in telling if each.word in kept]


def best(points: dict[int, float], most: int = CANDIDATES) -> list[int]:
    """The most promising; of equals the newest."""
    if len(points) <= most:
        return list(points)
    return sorted(points, key=lambda seq: (-points[seq], -seq))[:most]


def as_row(row: dict[str, Value]) -> Row:
    own, around = split(str(row["words"]))
    return Row(int(row["seq"] or 0), str(row["session_id"]), int(row["position"] or 0), own, around)
