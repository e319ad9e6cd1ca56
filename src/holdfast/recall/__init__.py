"""Recall: one index for all rooms, searched by words (and vectors, if there is a model), scored, budgeted, explained.

Writing, inside a room's own transaction:

    index(tx, items: Iterable[Item])                 add, or replace by id
    mark(tx, ids, *, outcome=, trust=, superseded=)  change what counts in ranking
    remove(tx, ids) -> int                           forget: words and vectors go
    await purge(store)                               after a forget, as a job: no removed word stays in SQLite's file

Reading:

    await search(store.read, Query(text, owners, project_ids=, kinds=, since=, until=, conversation=,
                 file=, not_listener=, exclude=, limit=, floor=FLOOR, now=now_us(), exists=path_exists), near=None)
        -> list[Hit]
    find(reader, query) -> list[Hit]                 the same inside a view or transaction that is already there
    Hit(id, kind, score, fit, parts, matched, project_id, listener, happened_at, files, trust, superseded, …)
    assemble([Candidate(id, source, text, score)], max_tokens, weights=, most=, overhead=)
        -> Assembly(candidates, tokens, left_out)

`floor=FLOOR` for what is given unasked, `FLOOR_ASKED` where a prompt asks for memory (`intent`), 0 for a search. An
empty text finds the newest that pass the filters (`Query("", owners, file=path)` is a file's history). Items of one
listener (one agent of a conversation) are neighbours in the order they are indexed: they find each other, so rooms need
not repeat them in `context`.

Upkeep, as jobs:

    await reindex(store, items)                      everything anew
    words_version() -> str, outdated(reader, items)  after an upgrade: entries whose words are not today's,
    renew(tx, entries)                               which get them in place
    await mend(store)                                check, and rebuild the words if they are damaged
    await embed_missing(store, embedder, texts)      vectors for items that have none (`vectors`)

What an item says is kept by its room: the index has its words only.
"""

from __future__ import annotations

from holdfast.recall.assemble import Assembly, Candidate, assemble
from holdfast.recall.floor import FLOOR, FLOOR_ASKED, FLOOR_HINTED
from holdfast.recall.keep import healthy, index, mark, mend, purge, reindex, remove
from holdfast.recall.renewing import outdated, renew, words_version
from holdfast.recall.search import find, search
from holdfast.recall.values import Hit, Item, Query, Success

__all__ = [
    "FLOOR",
    "FLOOR_ASKED",
    "FLOOR_HINTED",
    "Assembly",
    "Candidate",
    "Hit",
    "Item",
    "Query",
    "Success",
    "assemble",
    "find",
    "healthy",
    "index",
    "mark",
    "mend",
    "outdated",
    "purge",
    "reindex",
    "remove",
    "renew",
    "search",
    "words_version",
]
