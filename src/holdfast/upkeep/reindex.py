"""Makes anew what can be made anew (STO-5): items that the journal mentions and no room has, then the recall index.

At the daemon's start a few of the newest items are looked up by their own words, and the items are counted: quick, and
it finds a lost or damaged index. Where an upgrade changed how text becomes words, those of old items are renewed. The
journal is read once after an upgrade and when someone asks. It goes by slices, in the background; how far it got is
stored with what was made, so a daemon that dies goes on there.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any, Literal, Protocol, TypeVar

import msgspec

from holdfast import recall
from holdfast.errors import StoreError
from holdfast.events.reading import JournalReading
from holdfast.ids import new_id
from holdfast.items.service import Items
from holdfast.recall import health
from holdfast.store.interface import Reader, Store, Tx
from holdfast.upkeep import tables

log = logging.getLogger(__name__)

JOB = "upkeep.mend_index"
AGAIN = "upkeep.reindex"
_SLICE_SECONDS = 5.0
_AT_ONCE = 25
"""Items whose words are written in one transaction: hooks wait for the writer."""
Stored = TypeVar("Stored")
_EVER = 1 << 62
"""Later than any entry."""


class ReindexProgress(msgspec.Struct, frozen=True):
    """How far it is. Stored, so that a restart goes on."""

    phase: Literal["journal", "index", "done", "failed"] = "done"
    entries: int = 0
    """Journal entries to read."""
    read: int = 0
    made: int = 0
    """Entries from which something was made that was missing."""
    items: int = 0
    """Items in the new index."""
    after: str = ""
    until: str = ""
    error: str = ""


class WordsRenewal(msgspec.Struct, frozen=True):
    """How far the index has been gone through for words that are not today's. Stored, so that a restart goes on."""

    version: str = ""
    """Of the words (`recall.words_version`); of another version nothing counts."""
    done: bool = False
    at: int = 0
    last: str = ""
    """The time and the id of the last item that was looked at."""


class ReplaysEntries(Protocol):
    """Makes what is missing from old entries: `road.replay.Replay`."""

    async def count(self, until: str) -> int: ...

    async def read_some(
        self, reading: JournalReading, note: Callable[[Tx, JournalReading], None]
    ) -> JournalReading | None: ...


class AsksForSlices:
    """What reindexing needs of the queue: ask for the next slice; wait while others have much to do."""

    def __init__(self, next_slice: Callable[[Tx], None], let_pass: Callable[[], Awaitable[None]]) -> None:
        self.next_slice = next_slice
        self.let_pass = let_pass


class Reindexing:
    """Makes one owner's items and part of the index anew."""

    def __init__(
        self,
        store: Store,
        items: Items,
        owner: str,
        replay: ReplaysEntries | None = None,
        asks: AsksForSlices | None = None,
    ) -> None:
        """Without `replay` only the index is made anew."""
        self._store = store
        self._items = items
        self._owner = owner
        self._replay = replay
        self._asks = asks
        self._fact = f"reindex {owner}"
        self._renewal_fact = f"index words {owner}"

    # --- all of it, by slices

    async def begin(self) -> ReindexProgress:
        """Ask for everything to be made anew; how far it is when it runs already. Then the next slice is asked for all
        the same: the job that would have asked may have failed for good."""
        now = await self.progress()
        if now.phase in ("journal", "index"):
            if self._asks:
                await self._store.write(self._asks.next_slice)
            return now
        until = new_id()
        entries = await self._replay.count(until) if self._replay else 0
        begun = ReindexProgress("journal", entries, until=until)

        def write(tx: Tx) -> None:
            self._note(tx, begun)
            if self._asks:
                self._asks.next_slice(tx)

        await self._store.write(write)
        return begun

    async def progress(self) -> ReindexProgress:
        """How far it is; `done` when nobody asked."""
        return await self._store.read(self._progress) or ReindexProgress()

    async def run(self, arguments: dict[str, Any]) -> None:
        """The job: one slice, and ask for the next."""
        progress = await self.progress()
        until = time.monotonic() + _SLICE_SECONDS
        try:
            while progress.phase == "journal" and (time.monotonic() < until or self._asks is None):
                progress = await self._read_some(progress)
            if progress.phase == "index":
                items = await self.reindex()
                progress = msgspec.structs.replace(progress, phase="done", items=items)
                await self._store.write(lambda tx: self._note(tx, progress))
        except StoreError:
            raise
        except Exception as error:
            failed = msgspec.structs.replace(progress, phase="failed", error=type(error).__name__)
            await self._store.write(lambda tx: self._note(tx, failed))
            raise
        if progress.phase == "journal" and self._asks:
            await self._store.write(self._asks.next_slice)

    async def _read_some(self, progress: ReindexProgress) -> ReindexProgress:
        if self._asks:
            await self._asks.let_pass()
        reading = JournalReading(progress.after, progress.until, progress.read, progress.made)
        there = await self._replay.read_some(reading, self._noting(progress)) if self._replay else None
        if there is None:
            log.info("the journal was read again: %d of %d entries were missing", progress.made, progress.read)
            ended = msgspec.structs.replace(progress, phase="index")
            await self._store.write(lambda tx: self._note(tx, ended))
            return ended
        return _reached(progress, there)

    def _noting(self, progress: ReindexProgress) -> Callable[[Tx, JournalReading], None]:
        return lambda tx, there: self._note(tx, _reached(progress, there))

    def _note(self, tx: Tx, progress: ReindexProgress) -> None:
        tables.put_fact(tx, self._fact, msgspec.json.encode(progress).decode())

    def _progress(self, reader: Reader) -> ReindexProgress | None:
        return _decoded(tables.fact(reader, self._fact), ReindexProgress)

    # --- the index alone

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
            await asyncio.sleep(0)
        await recall.purge(self._store)
        await self._store.write(lambda tx: self._note_renewal(tx, WordsRenewal(recall.words_version(), done=True)))
        log.info("the recall index was made anew: %d items", done)
        return done

    async def renew_words(self) -> int:
        """After an upgrade: give items the words that they would have today, a few at a time, while searches go on; how
        many had others. It goes on where a daemon before got to."""
        version = recall.words_version()
        reached = await self._store.read(lambda reader: _decoded(tables.fact(reader, self._renewal_fact), WordsRenewal))
        if reached is None or reached.version != version:
            reached = WordsRenewal(version)
        if reached.done:
            return 0
        done = 0
        async for items in self._items.documents(reached.at, reached.last):
            if self._asks:
                await self._asks.let_pass()
            entries = await self._store.read(lambda reader, items=items: recall.outdated(reader, items))  # type: ignore[misc]
            for first in range(0, len(entries), _AT_ONCE):
                some = entries[first : first + _AT_ONCE]
                done += await self._store.write(lambda tx, some=some: recall.renew(tx, some))  # type: ignore[misc]
            there = WordsRenewal(version, at=items[-1].happened_at, last=items[-1].id)
            await self._store.write(lambda tx, there=there: self._note_renewal(tx, there))  # type: ignore[misc]
        await self._store.write(lambda tx: self._note_renewal(tx, WordsRenewal(version, done=True)))
        log.info("%d items of the recall index have other words now", done)
        return done

    def _note_renewal(self, tx: Tx, reached: WordsRenewal) -> None:
        tables.put_fact(tx, self._renewal_fact, msgspec.json.encode(reached).decode())

    async def mend(self, arguments: dict[str, Any]) -> None:
        """The job at the daemon's start: read the journal if this store never did, make a damaged index anew, or give
        its items the words that an upgrade made of them."""
        progress = await self._store.read(self._progress)
        is_under_way = progress is not None and progress.phase in ("journal", "index")
        if is_under_way or (self._replay and progress is None):
            await self.begin()
        elif not await self.is_whole():
            log.warning("the recall index is damaged; it is made anew")
            await self.reindex()
        else:
            await self.renew_words()

    def spare_new_store(self, tx: Tx) -> None:
        """Note that all is read, where nothing was ever recorded. Called before the first event: `mend` would empty the
        index beside it, and the first prompts would be given nothing."""
        if self._progress(tx) is None and not tables.entries_before(tx, _EVER, self._owner, 1):
            self._note(tx, ReindexProgress())

    async def is_settled(self) -> bool:
        """Has the journal been read? Until then nothing of it may age."""
        progress = await self._store.read(self._progress)
        return progress is not None and progress.phase not in ("journal",)

    async def is_whole(self) -> bool:
        try:
            return await self._store.read(self._is_whole)
        except StoreError:
            return False

    def _is_whole(self, reader: Reader) -> bool:
        return health.count(reader, self._owner) >= self._items.count(reader) and health.finds_its_newest(reader)


def _decoded(text: str, wanted: type[Stored]) -> Stored | None:
    try:
        return msgspec.json.decode(text, type=wanted) if text else None
    except msgspec.MsgspecError:
        return None  # of another version


def _reached(progress: ReindexProgress, there: JournalReading) -> ReindexProgress:
    return msgspec.structs.replace(progress, after=there.after, read=there.read, made=there.made)
