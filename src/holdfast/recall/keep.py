"""Writes the index: rooms add, replace and remove their items inside their own transactions.

`remove` makes an item unfindable at once. Then `purge`, outside the transaction, removes its last traces from SQLite's
index files, because SQLite before 3.42 only marks them. The index holds nothing that cannot be made again.
"""

from __future__ import annotations

import time
from collections.abc import Iterable

import msgspec

from holdfast.errors import StoreError
from holdfast.ids import ItemId
from holdfast.recall.match import file_words
from holdfast.recall.score import QUESTION_MARK
from holdfast.recall.tokens import terms, unique
from holdfast.recall.values import Item
from holdfast.store.interface import Store, Tx, Value

LONGEST_QUESTION = 60
"""Terms of an item that may be a question and nothing else."""
MERGE_PAGES = 256
"""Index pages per step of `purge`: a few milliseconds, so that other writers wait no longer."""


def words(item: Item) -> str:
    """The indexed words of an item: its own in order, then those of its context, its day and its files."""
    own = terms(f"{item.title}\n{item.text}" if item.title else item.text)
    day = time.gmtime(max(0, item.happened_at) // 1_000_000)
    around = unique(terms(item.context) + terms(time.strftime(f"{day.tm_mday} %B %Y %A", day)))
    mine = set(own)
    marked = [f"~{word}" for word in around if word not in mine]
    if is_question(item.text, len(own)):
        marked.append(QUESTION_MARK)
    return " ".join([*own, *marked, *unique([word for path in item.files for word in file_words(path)])])


def is_question(text: str, length: int = 0) -> bool:
    """Does a short text ask, rather than answer? A long one that ends with a question has said something before.
    `length` in terms."""
    return length <= LONGEST_QUESTION and text.rstrip(" \n\t\"')*`").endswith("?")


def index(tx: Tx, items: Iterable[Item], /) -> None:
    """Add items, or replace those with the same id. Nearly all are new, so that is tried first."""
    for item in items:
        added = _added(tx, item, None)
        if added is None and (old := tx.one("recall.find", id=item.id)) is not None:
            _drop(tx, old["seq"])
            added = _added(tx, item, old["position"] if old["listener"] == item.listener else None)
        if tx.kind == "sqlite" and added is not None:
            tx.run("recall.add_words", seq=added["seq"])


def _added(tx: Tx, item: Item, position: Value) -> dict[str, Value] | None:
    """The number of the new entry; None when there is one with its id."""
    return tx.one(
        "recall.add",
        id=item.id,
        kind=item.kind,
        owner=item.owner,
        project_id=item.project_id,
        listener=item.listener,
        position=position,
        happened_at=item.happened_at,
        outcome=item.outcome,
        trust=float(item.trust),
        superseded=int(item.superseded),
        light=int(item.light),
        files=msgspec.json.encode(item.files).decode() if item.files else "",
        words=words(item),
    )


def mark(
    tx: Tx,
    ids: Iterable[ItemId],
    /,
    *,
    outcome: str | None = None,
    trust: float | None = None,
    superseded: bool | None = None,
) -> None:
    """Change what counts in ranking, without touching the words."""
    flag = None if superseded is None else int(superseded)
    for each in ids:
        tx.run("recall.mark", id=each, outcome=outcome, trust=trust, superseded=flag)


def remove(tx: Tx, ids: Iterable[ItemId], /) -> int:
    """Forget items: their words and vectors. How many there were."""
    removed = 0
    for each in ids:
        row = tx.one("recall.find", id=each)
        if row is not None:
            _drop(tx, row["seq"])
            removed += 1
    return removed


def _drop(tx: Tx, seq: str | int | float | bytes | None) -> None:
    if tx.kind == "sqlite":
        tx.run("recall.drop_words", seq=seq)
    tx.run("recall.drop_vectors", seq=seq)
    tx.run("recall.drop", seq=seq)


async def purge(store: Store, /) -> None:
    """After a forget: rewrite the index into one segment, in short steps, so that no removed word stays in the file."""
    if store.kind != "sqlite":
        return
    # A negative count begins to merge everything; then by steps, until a step has nothing left to do.
    await store.write(lambda tx: tx.run("recall.merge", pages=-MERGE_PAGES))
    while await store.write(_merge_step) > 1:
        pass
    await store.write(lambda tx: tx.run("recall.optimize"))


def _merge_step(tx: Tx) -> int:
    before = tx.one("recall.changes")
    tx.run("recall.merge", pages=MERGE_PAGES)
    after = tx.one("recall.changes")
    return int((after or {})["n"] or 0) - int((before or {})["n"] or 0)


async def healthy(store: Store, /) -> bool:
    """Do the index and its items agree? Reads the whole index: work for a job."""
    if store.kind != "sqlite":
        return True
    try:
        await store.write(lambda tx: tx.run("recall.check"))
    except StoreError:
        return False
    return True


async def mend(store: Store, /) -> bool:
    """Rebuild the words from the items if they disagree. Was there anything to do?"""
    if await healthy(store):
        return False
    await store.write(lambda tx: tx.run("recall.rebuild"))
    return True


async def reindex(store: Store, items: Iterable[Item], /, *, batch: int = 500) -> int:
    """Empty the index and fill it from `items`, in the order given: a listener's items in the order they happened."""

    def clear(tx: Tx) -> None:
        if tx.kind == "sqlite":
            tx.run("recall.clear_words")
        tx.run("recall.clear_vectors")
        tx.run("recall.clear")

    await store.write(clear)
    done = 0
    waiting: list[Item] = []
    for item in items:
        waiting.append(item)
        if len(waiting) >= batch:
            done += await _add(store, waiting)
            waiting = []
    done += await _add(store, waiting)
    if store.kind == "postgresql":
        await store.write(lambda tx: tx.run("recall.analyze"))
    return done


async def _add(store: Store, items: list[Item]) -> int:
    if items:
        await store.write(lambda tx: index(tx, items))
    return len(items)
