"""A question in, hits out: candidates by words (and direction), scored together, with the reasons kept."""

from __future__ import annotations

import dataclasses
import heapq
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar, cast

import msgspec

from holdfast.recall import lexical, match
from holdfast.recall.floor import fit
from holdfast.recall.fuse import Signals, factors, relevance
from holdfast.recall.model import Hit, Outcome, Query
from holdfast.recall.score import Words, score
from holdfast.store.interface import Reader, Value

T = TypeVar("T")
Found = dict[str, Value]


class Read(Protocol):
    """`store.read`."""

    def __call__(self, work: Callable[[Reader], T], /) -> Awaitable[T]: ...


_NOTHING = Words(0.0, 0.0, 0.0, ())


async def search(read: Read, query: Query, /) -> list[Hit]:
    """The best items for a question, the best first."""
    return await read(lambda reader: find(reader, query))


def find(reader: Reader, query: Query) -> list[Hit]:
    """The same, on a view or in a transaction that is already there."""
    searcher = lexical.Searcher(reader, query)
    if not query.text.strip():
        rows = searcher.exactly(searcher.recent())
        return [_hit(query, row, _NOTHING, None) for row in rows if _wanted(query, row)][: query.limit]
    lists = searcher.lists()
    rows = searcher.rows(lexical.best(lists.points))
    scored = score([lexical.as_row(row) for row in rows], lists.weights)
    rows = [row for row in rows if scored[_seq(row)].score > 0 and _wanted(query, row)]
    # The signals move an item by a few places only: no need to look at what is far behind.
    rows = heapq.nlargest(4 * query.limit, rows, key=lambda row: scored[_seq(row)].score)
    hits = [_hit(query, row, scored[_seq(row)], None) for row in rows]
    return _best(query, [hit for hit in hits if hit.fit >= query.floor])


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


def _seq(row: Found) -> int:
    return cast(int, row["seq"])


def _wanted(query: Query, row: Found) -> bool:
    """Neighbours come along to lend their score; they are hits only if they pass the filters themselves."""
    return (
        row["owner"] in query.owners
        and (not query.project_ids or row["project_id"] in query.project_ids)
        and (not query.kinds or row["kind"] in query.kinds)
        and query.since <= cast(int, row["happened_at"]) < query.until
        and (not query.session or row["session_id"] == query.session)
        and (not query.not_session or row["session_id"] != query.not_session)
        and row["id"] not in query.exclude
        and (not query.file or match.file_word(query.file) in str(row["words"]).split())
    )


def _hit(query: Query, row: Found, words: Words, vector: float | None) -> Hit:
    happened_at = cast(int, row["happened_at"])
    signals = Signals(
        age_us=query.now - happened_at if query.now else None,
        outcome=cast(Outcome, row["outcome"]),
        trust=cast(float, row["trust"]),
        superseded=bool(row["superseded"]),
        files_there=1.0,
    )
    parts = factors(signals)
    value = relevance(words.score, vector)
    for factor in parts.values():
        value *= factor
    parts["lexical"] = words.score
    return Hit(
        id=str(row["id"]),
        kind=str(row["kind"]),
        score=value,
        fit=fit(words, None),
        parts=parts,
        matched=words.matched,
        project_id=str(row["project_id"]),
        session_id=str(row["session_id"]),
        happened_at=happened_at,
        files=tuple(msgspec.json.decode(str(row["files"]))) if row["files"] else (),
        trust=signals.trust,
        superseded=signals.superseded,
    )
