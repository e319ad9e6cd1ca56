"""After a restore: reads the events since the backup from the client's transcripts; they take the road late.

The restored store knows how far it had read each transcript; recovery compares the rest. Sessions that it never saw are
taken from the time of the backup on. Done once, in the background; the progress is stored.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from holdfast.errors import HoldfastError
from holdfast.road.backfill import Backfill, agent_of, transcripts
from holdfast.road.recovery import Recovery
from holdfast.store.interface import Store

log = logging.getLogger(__name__)

_MARGIN_SECONDS = 3600.0
"""A file system's clock may differ from ours; a file too many costs a look."""


class Refill:
    """Reads back the events after one restore."""

    def __init__(self, store: Store, recovery: Recovery, backfill: Backfill, folder: Path) -> None:
        self._store = store
        self._recovery = recovery
        self._backfill = backfill
        self._folder = folder

    async def run(self, since: int, done: Callable[[int], None]) -> None:
        """Compare every transcript that changed since the backup; `done` receives how many events were new."""
        before = await self._count()
        self._recovery.heard_since = since
        for path in await asyncio.to_thread(self._changed, since):
            await self._recovery.run({"path": str(path)})
            await self._backfill.end(path)
        events = await self._count() - before
        log.info("%d events since the restored backup were read from transcripts", events)
        done(events)

    def _changed(self, since: int) -> list[Path]:
        """The oldest first: a fork repeats its parent's lines, and the parent's are known by then."""
        found = _written_since(self._folder, since / 1_000_000 - _MARGIN_SECONDS)
        return [path for _, path in sorted(found)]

    async def _count(self) -> int:
        row = await self._store.read(lambda reader: reader.one("journal.count"))
        return int((row or {}).get("n") or 0)


def _written_since(folder: Path, at: float) -> Iterable[tuple[float, Path]]:
    try:
        found = transcripts(folder)
    except HoldfastError:
        return
    for path, _ in found:
        with suppress(OSError):
            written = path.stat().st_mtime
            if agent_of(path) is None and written >= at:
                yield written, path
