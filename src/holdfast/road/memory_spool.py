"""Holds events in memory that neither the store nor the spool takes (a full disk), within a limit of bytes.

They take the road, or go into the spool, as soon as there is room. Events past the limit, or still here when the daemon
ends, are lost: they are counted, and `status` and `doctor` say so. (Tool uses and prompts of a session with a
transcript come back from there.)
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from dataclasses import dataclass
from pathlib import Path

from holdfast import spool
from holdfast.events.event import JsonObject
from holdfast.road.journal import Arrival

log = logging.getLogger(__name__)

MOST_BYTES = 32 * 1024 * 1024
_AT_ONCE = 8
"""Files that one event waits for: each is synced."""
IN_SPOOL, IN_MEMORY = "in the spool", "in memory, until there is room on the disk"


@dataclass(frozen=True, slots=True)
class _Held:
    item: spool.Spooled
    size: int


class MemorySpool:
    """The spool of one home, and the memory behind it."""

    def __init__(self, folder: Path, most_bytes: int = MOST_BYTES) -> None:
        self._folder = folder
        self._most = most_bytes
        self._held: deque[_Held] = deque()
        self._lock = threading.RLock()  # events are put aside in threads, and taken back in the loop
        self.bytes = 0
        self.lost = 0
        """Events that were not kept, since the daemon began."""

    def __len__(self) -> int:
        return len(self._held)

    def put(self, arrival: Arrival, event: str, payload: JsonObject) -> str:
        """Keep an event that the store did not take: where it is now, or '' when it is lost."""
        item = spool.Spooled(arrival.id, event, arrival.happened_at, payload, arrival.agent, arrival.sender)
        if self._held:
            self.empty(_AT_ONCE)
        if not self._held:  # else it stands behind the others, in the order of time
            try:
                spool.put(self._folder, item)
                return IN_SPOOL
            except (OSError, ValueError, RecursionError) as error:
                log.error("the spool cannot be written (%s); events wait in memory", error)
        with self._lock:
            return self._hold(item)

    def _hold(self, item: spool.Spooled) -> str:
        try:
            size = len(spool.encoded(item))
        except (ValueError, RecursionError):
            size = self._most + 1
        if self.bytes + size > self._most:
            self.lost += 1
            return ""
        self._held.append(_Held(item, size))
        self.bytes += size
        return IN_MEMORY

    def first(self) -> spool.Spooled | None:
        """The event that waits longest."""
        with self._lock:
            return self._held[0].item if self._held else None

    def done(self, item: spool.Spooled) -> bool:
        """This event is in the journal, or cannot be taken at all. False when it went into the spool meanwhile."""
        with self._lock:
            is_here = bool(self._held) and self._held[0].item is item
            if is_here:
                self.bytes -= self._held.popleft().size
            return is_here

    def empty(self, most: int | None = None) -> int:
        """Move into the spool what it takes now; how many events that was."""
        moved = 0
        with self._lock:
            while self._held and (most is None or moved < most):
                try:
                    spool.put(self._folder, self._held[0].item)
                except (OSError, ValueError, RecursionError):
                    break
                self.bytes -= self._held.popleft().size
                moved += 1
        return moved

    def close(self) -> list[str]:
        """At the end: events that cannot go into the spool are lost. Their names."""
        self.empty()
        with self._lock:
            gone = [held.item.event for held in self._held]
            self._held.clear()
            self.bytes = 0
        if gone:
            self.lost += len(gone)
            log.error("%d events were not kept: the disk is full, and the daemon ends", len(gone))
        return gone
