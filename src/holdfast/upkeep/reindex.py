"""Making the recall index anew from what the rooms keep, and finding out whether that is needed (STO-5).

At the daemon's start a few of the newest items are looked up by their own words, and the items are counted: quick, and
it finds a lost or damaged index. Only then, or when asked, everything is read.
"""

from __future__ import annotations

import logging
from typing import Any

from holdfast import recall
from holdfast.errors import StoreError
from holdfast.items.service import Items
from holdfast.recall import health
from holdfast.store.interface import Reader, Store

log = logging.getLogger(__name__)

JOB = "upkeep.mend_index"


class Reindexing:
    """Makes one owner's part of the index anew, from every room's items."""

    def __init__(self, store: Store, items: Items, owner: str) -> None:
        self._store = store
        self._items = items
        self._owner = owner

    async def reindex(self) -> int:
        """Empty the index and fill it from the rows; how many items there are. Others in the database keep theirs."""
        done = 0
        if self._store.kind == "sqlite":
            await recall.reindex(self._store, ())
        else:
            await self._store.write(lambda tx: health.drop_own(tx, self._owner))
        async for items in self._items.documents():
            await self._store.write(lambda tx, items=items: recall.index(tx, items))  # type: ignore[misc]
            done += len(items)
        await recall.purge(self._store)
        log.info("the recall index was made anew: %d items", done)
        return done

    async def mend(self, arguments: dict[str, Any]) -> None:
        """The job at the daemon's start: make the index anew if it is lost or damaged."""
        if not await self.is_whole():
            log.warning("the recall index is damaged; it is made anew")
            await self.reindex()

    async def is_whole(self) -> bool:
        try:
            return await self._store.read(self._is_whole)
        except StoreError:
            return False

    def _is_whole(self, reader: Reader) -> bool:
        return health.count(reader, self._owner) >= self._items.count(reader) and health.finds_its_newest(reader)
