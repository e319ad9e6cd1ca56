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

JOB = "recall.mend"
_AT_ONCE = 200


class Reindexing:
    """The service. One per daemon, made by `daemon.compose`."""

    def __init__(self, store: Store, owner: str, items: Items) -> None:
        self._store = store
        self._owner = owner
        self._items = items

    async def reindex(self) -> int:
        """Empty the index and fill it from the rows; how many items there are. Others in the database keep theirs."""
        done = await recall.reindex(self._store, ()) if self._store.kind == "sqlite" else await self._drop_own()
        async for some in self._items.documents():
            await self._store.write(lambda tx, some=some: recall.index(tx, some))  # type: ignore[misc]
            done += len(some)
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
            return await self._store.read(lambda reader: _is_whole(reader, self._owner, self._items.count(reader)))
        except StoreError:
            return False


def _is_whole(reader: Reader, owner: str, kept: int) -> bool:
    return health.count(reader, owner) >= kept and health.finds_its_newest(reader)
