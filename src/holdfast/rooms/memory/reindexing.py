"""Making the recall index anew from what the rooms keep, and finding out whether that is needed (STO-5).

At the daemon's start a few of the newest items are looked up by their own words, and the items are counted: quick, and
it finds a lost or damaged index. Only then, or when asked, everything is read.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable
from typing import Any

from holdfast import recall
from holdfast.errors import StoreError
from holdfast.recall import health
from holdfast.rooms.memory import index, rows, tables
from holdfast.rooms.memory.model import Item
from holdfast.rooms.memory.pages import Pages
from holdfast.store.interface import Reader, Row, Store

log = logging.getLogger(__name__)

JOB = "recall.mend"
_AT_ONCE = 200

Source = Callable[[], AsyncIterator[list[recall.Item]]]
"""What a room has in the index, in the order it happened, by parts."""


class Reindexing:
    """The service. One per daemon, made by `daemon.compose`."""

    def __init__(self, store: Store, owner: str, *sources: Source) -> None:
        """Every room that has something in the index is among the sources: what is not told by one is lost."""
        self._store = store
        self._owner = owner
        self._sources = sources

    async def reindex(self) -> int:
        """Empty the index and fill it from the rows; how many items there are. Others in the database keep theirs."""
        done = await recall.reindex(self._store, ()) if self._store.kind == "sqlite" else await self._drop_own()
        for source in self._sources:
            async for items in source():
                await self._store.write(lambda tx, items=items: recall.index(tx, items))  # type: ignore[misc]
                done += len(items)
        await recall.purge(self._store)
        log.info("the recall index was made anew: %d items", done)
        return done

    async def _drop_own(self) -> int:
        await self._store.write(lambda tx: health.drop_own(tx, self._owner))
        return 0

    async def mend(self, arguments: dict[str, Any]) -> None:
        """The job at the daemon's start: make the index anew if it is lost or damaged."""
        if not await self.is_whole():
            log.warning("the recall index is damaged; it is made anew")
            await self.reindex()

    async def is_whole(self) -> bool:
        try:
            return await self._store.read(lambda reader: _is_whole(reader, self._owner))
        except StoreError:
            return False


def _is_whole(reader: Reader, owner: str) -> bool:
    counted = reader.one("upkeep.indexed_and_kept", owner=owner) or {}
    if int(counted.get("indexed") or 0) < int(counted.get("kept") or 0):
        return False
    return health.finds_its_newest(reader)


def memory_source(store: Store, owner: str) -> Source:
    """What the memory room has in the index."""
    pages = Pages(store, owner)

    async def items() -> AsyncIterator[list[recall.Item]]:
        waiting: list[Item] = []
        async for kind, row in pages.by_time():
            waiting.append(_item(kind, row))
            if len(waiting) >= _AT_ONCE:
                yield await store.read(lambda reader, some=tuple(waiting): _indexed(reader, some, owner))  # type: ignore[misc]
                waiting = []
        async for row in pages.of("memory"):
            waiting.append(rows.memory_of(dict(row) | {"owner": owner}))
        yield await store.read(lambda reader: _indexed(reader, tuple(waiting), owner))

    return items


def _item(kind: str, row: Row) -> Item:
    match kind:
        case "prompt":
            return rows.prompt_of(row)
        case "observation":
            return rows.observation_of(row)
        case _:
            return rows.summary_of(row)


def _indexed(reader: Reader, items: tuple[Item, ...], owner: str) -> list[recall.Item]:
    return [tables.indexed(reader, item, owner) for item in items if index.is_indexed(item)]
