"""Answers a question with hits: candidates by words and by vector, scored together, with the reasons."""

from __future__ import annotations

import asyncio
import dataclasses
import heapq
import math
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar, cast

import msgspec

from holdfast.ids import ItemId, ListenerId
from holdfast.recall import lexical, match
from holdfast.recall.floor import LONGEST_DIRECTION, Evidence, by_direction
from holdfast.recall.fuse import Signals, factors, relevance
from holdfast.recall.score import NOTHING, Words, score, variation
from holdfast.recall.tokens import names
from holdfast.recall.values import Hit, Query, Success
from holdfast.store.interface import Reader, Value

T = TypeVar("T")
IndexRow = dict[str, Value]


class Read(Protocol):
    """`store.read`."""

    def __call__(self, work: Callable[[Reader], T], /) -> Awaitable[T]: ...


class Near(Protocol):
    """Items whose vectors are near: `dense.Dense` or `pgvector.Pgvector`."""

    @property
    def scale(self) -> tuple[float, float] | None:
        """See `vectors.Embedder`."""
        ...

    def direction(self, text: str, /) -> Any: ...

    def nearest(
        self, reader: Reader, direction: Any, owners: Sequence[str], projects: Sequence[str], most: int, /
    ) -> Mapping[int, float]:
        """The most similar items, and their cosines."""
        ...

    def cosines(
        self, reader: Reader, direction: Any, projects: Sequence[str], seqs: Sequence[int], /
    ) -> Mapping[int, float]: ...

    def background(self, reader: Reader, direction: Any, projects: Sequence[str], /) -> tuple[float, float]:
        """The mean cosine of whatever there is, and its standard deviation."""
        ...


FEWEST = 30
"""Items whose cosines are a background: beside fewer, nothing can stand out."""
NEAREST = 50
"""Candidates by direction."""
_WHEN = re.compile(r"\s*(when|how long|since when|what (date|day|year|month|time))\b", re.IGNORECASE)


def asks_when(text: str) -> bool:
    """Does a question ask for a time?"""
    return bool(_WHEN.match(text))


async def search(read: Read, query: Query, /, near: Near | None = None) -> list[Hit]:
    """The best items for a question, the best first."""
    direction = None
    if near is not None and query.text.strip():
        direction = await asyncio.to_thread(near.direction, query.text)
    return await read(lambda reader: find(reader, query, near, direction))


def find(reader: Reader, query: Query, near: Near | None = None, direction: Any = None) -> list[Hit]:
    """The same, on a view or in a transaction that is already open; with the question's vector, if it has one."""
    searcher = lexical.Searcher(reader, query)
    if not query.text.strip():
        rows = searcher.exactly(searcher.recent() if query.among is None else searcher.among())
        rows.sort(key=lambda row: -cast(int, row["happened_at"]))
        return [_hit(query, row, NOTHING, 0.0, 0.0, None) for row in rows if _wanted(query, row)][: query.limit]
    lists = searcher.lists()
    seqs = lexical.best(lists.points) if query.among is None else searcher.among()
    cosines: Mapping[int, float] = {}
    if near is not None and direction is not None and query.among is None:
        cosines = near.nearest(reader, direction, query.owners, query.project_ids, NEAREST)
        seqs = list({*seqs, *cosines})
    rows = searcher.rows(seqs)
    candidates = [lexical.as_row(row) for row in rows]
    scored = score(
        candidates,
        lists.weights,
        asks_when=asks_when(query.text),
        pairs=lexical.pairs(query.text, lists.weights),
    )
    rows = [row for row in rows if _wanted(query, row)]
    above: Mapping[int, float] | None = None
    if near is not None and direction is not None:
        cosines = near.cosines(reader, direction, query.project_ids, [_seq(row) for row in rows])
        mean, deviation = near.background(reader, direction, query.project_ids)
        above = {seq: (cosine - mean) / deviation for seq, cosine in cosines.items()}
    points = {_seq(row): scored.get(_seq(row), NOTHING).score for row in rows}
    worth = relevance(points, above, variation(candidates))
    # The signals move an item by a few places only: no need to look at what is far behind.
    best = heapq.nlargest(4 * query.limit, rows, key=lambda row: worth[_seq(row)])
    scale = near.scale if near and len(lists.weights) <= LONGEST_DIRECTION else None
    evidence = Evidence(
        lists.weights, lists.items, lexical.sentences(query.text), lexical.named(query.text), names(query.text)
    )
    hits: list[Hit] = []
    below: list[Hit] = []
    for row in best:
        seq = _seq(row)
        words = scored.get(seq, NOTHING)
        beside = above.get(seq, 0.0) if above and lists.items >= FEWEST else math.inf
        sure = by_direction(cosines.get(seq), scale, beside)
        fit = evidence.fit(words.matched, sure, words.mine)
        into = hits if fit >= query.floor else below
        if (worth[seq] > 0 or not lists.weights) and (into is hits or len(below) < query.below):
            hit = _hit(query, row, words, worth[seq], fit, cosines.get(seq))
            if query.floor and into is hits:
                hit = dataclasses.replace(hit, covered=evidence.covered(words.mine), pairs=words.pairs)
            into.append(hit)
    return [*_best(query, hits), *(below if hits else ())]


def _best(query: Query, hits: list[Hit]) -> list[Hit]:
    def order(hit: Hit) -> tuple[float, int, str]:
        return (-hit.score, -hit.happened_at, hit.id)

    hits.sort(key=order)
    if query.exists is None:
        return hits[: query.limit]
    # Only the best are asked for their files: each is a look at the disk.
    looked = [_with_files(hit, query.exists) for hit in hits[: 2 * query.limit]]
    return sorted(looked, key=order)[: query.limit]


def _with_files(hit: Hit, exists: Callable[[str], bool]) -> Hit:
    if not hit.files:
        return hit
    there = sum(map(exists, hit.files)) / len(hit.files)
    factor = factors(Signals(None, "none", 1.0, False, there))["files"]
    return dataclasses.replace(hit, score=hit.score * factor, parts={**hit.parts, "files": factor})


def _seq(row: IndexRow) -> int:
    return cast(int, row["seq"])


def _wanted(query: Query, row: IndexRow) -> bool:
    """Neighbours are read to lend their score; they are hits only if they pass the filters themselves."""
    return (
        row["owner"] in query.owners
        and (not query.project_ids or row["project_id"] in query.project_ids)
        and (not query.kinds or row["kind"] in query.kinds)
        and (query.light or not row["light"])
        and query.since <= cast(int, row["happened_at"]) < query.until
        and (not query.conversation or f"{row['listener']!s}/".startswith(f"{query.conversation}/"))
        and (not query.not_listener or row["listener"] != query.not_listener)
        and row["id"] not in query.exclude
        and (query.among is None or row["id"] in query.among)
        and (not query.file or match.file_word(query.file) in str(row["words"]).split())
    )


def _hit(query: Query, row: IndexRow, words: Words, worth: float, fit: float, cosine: float | None) -> Hit:
    happened_at = cast(int, row["happened_at"])
    signals = Signals(
        age_us=query.now - happened_at if query.now else None,
        outcome=cast(Success, row["outcome"]),
        trust=cast(float, row["trust"]),
        superseded=bool(row["superseded"]),
        files_there=1.0,
    )
    parts = factors(signals)
    value = worth
    for factor in parts.values():
        value *= factor
    parts["lexical"] = round(max(words.score, 0.0), 3)
    if cosine is not None:
        parts["vector"] = cosine
    return Hit(
        id=ItemId(str(row["id"])),
        kind=str(row["kind"]),
        score=value,
        fit=fit,
        parts=parts,
        matched=words.matched,
        project_id=str(row["project_id"]),
        listener=ListenerId(str(row["listener"])),
        happened_at=happened_at,
        files=tuple(msgspec.json.decode(str(row["files"]))) if row["files"] else (),
        trust=signals.trust,
        superseded=signals.superseded,
    )
