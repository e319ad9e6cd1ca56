"""Drains the spool: its events take the road, in order, and leave the spool only when they are committed."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

from holdfast import spool
from holdfast.errors import StoreAway
from holdfast.road.edge import Payload
from holdfast.road.memory_spool import MemorySpool
from holdfast.road.road import Road, Travelled

log = logging.getLogger(__name__)

_MOST_WARNINGS = 1_000


class Drain:
    """Moves the events of one spool folder, and of the memory behind it, to the road."""

    def __init__(self, road: Road, folder: Path, pocket: MemorySpool) -> None:
        self._road = road
        self._folder = folder
        self._pocket = pocket
        self._lock = asyncio.Lock()
        self._warned: set[str] = set()
        self._stopped = False

    async def run_or_say(self) -> int:
        """The same as `run`, but raises the reason when the store stopped it."""
        self._stopped = False
        drained = await self.run()
        if self._stopped:
            fault = self._road.last_fault
            raise StoreAway(fault[1] if fault else "The store takes no event at present.")
        return drained

    async def run(self) -> int:
        """Take what waits; how many events that was. Stops at the first that the store will not take.

        A file that cannot be read, or whose event fails by itself, is set aside: it must not hold up those behind it.
        """
        if not spool.waiting(self._folder) and not len(self._pocket):
            return 0
        drained = 0
        async with self._lock:
            for path in spool.waiting(self._folder):
                took = await self._take(path)
                if took is None:
                    self._stopped = True
                    break
                drained += took
            else:
                drained += await self._from_memory()
        if drained:
            log.info("%d events were taken from the spool", drained)
        return drained

    async def _take(self, path: Path) -> int | None:
        """How many events were taken from this file; None when the store takes none at present."""
        try:
            item = spool.take(path)
        except FileNotFoundError:
            return 0
        except ValueError as error:
            return self._set_aside(path, str(error))
        except OSError as error:  # no descriptor left, a bad block: it may be over next time, and others go on
            self._warn(path, f"{path.name} cannot be read at present ({error.strerror})")
            return 0
        travelled = await self._travel(item)
        if travelled.kept:
            path.unlink(missing_ok=True)
            return 1
        return self._set_aside(path, f"{path.name} cannot be taken") if travelled.broken else None

    async def _from_memory(self) -> int:
        """Take what waits in memory, as far as the store takes it."""
        drained = 0
        while item := self._pocket.first():
            travelled = await self._travel(item)
            if not travelled.kept and not travelled.broken:
                self._stopped = True
                break
            if self._pocket.done(item) and travelled.broken:
                self._road.meter.count(travelled.event, "lost")
            drained += travelled.kept
        return drained

    async def _travel(self, item: spool.Spooled) -> Travelled:
        return await self._road.travel(
            Payload(item.payload),
            name=item.event,
            source="spool",
            arrival_id=item.id,
            happened_at=item.happened_at,
            agent=item.agent,
            sender=item.sender,
        )

    def _set_aside(self, path: Path, reason: str) -> int:
        try:
            log.warning("%s; it is kept in %s", reason, spool.set_aside(path).parent)
        except OSError as error:
            self._warn(path, f"{reason}; it stays where it is ({error})")
        return 0

    def _warn(self, path: Path, sentence: str) -> None:
        """Warn once for each file, because the spool is read every few seconds."""
        if path.name not in self._warned and len(self._warned) < _MOST_WARNINGS:
            self._warned.add(path.name)
            log.warning("%s", sentence)
