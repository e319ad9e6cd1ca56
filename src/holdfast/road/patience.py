"""Limits how long one event waits for the store: less than a second in all (EVT-14).

The reads of its steps get a share of that, and the write gets the rest. Waits side by side count once. A read that is
cut off fails alone; only a write that had to be given up says something about the store.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from holdfast.errors import StoreAway, StoreSlow
from holdfast.store.interface import Reader, Store, Tx

T = TypeVar("T")

IN_ALL = 0.9
"""Seconds."""
_FOR_READS = 0.4
"""The share of it that reads may take."""
_SHORTEST = 0.05
"""A write is tried with at least so much, however long the reads took."""


class Patience:
    """The clock of one event. Without a limit (nobody waits for a spooled event) it measures nothing."""

    __slots__ = ("_began", "_closed", "_limit", "_spent", "_store", "_waits")

    def __init__(self, store: Store, limit: float | None, closed: Callable[[], str | None]) -> None:
        self._store = store
        self._limit = limit
        self._closed = closed
        self._spent = 0.0
        self._waits = 0
        self._began = 0.0

    async def read(self, work: Callable[[Reader], T]) -> T:
        """Read for a step, within the share of reads; not at all while the store is known to be away."""
        if self._limit is None:
            return await self._store.read(work)
        if cause := self._closed():
            raise StoreAway(cause)
        left = self._limit * _FOR_READS - self._so_far()
        if left <= 0:
            raise StoreSlow("The store was too slow for this step to read from it.")
        try:
            async with asyncio.timeout(left) as limit:
                return await self._waiting(self._store.read(work))
        except TimeoutError:
            if not limit.expired():
                raise
            raise StoreSlow(f"A read took longer than {left:.1f} s and was given up.") from None

    async def write(self, work: Callable[[Tx], T]) -> T:
        """Write, within the time that is left."""
        if self._limit is None:
            return await self._store.write(work)
        left = max(_SHORTEST, self._limit - self._so_far())
        return await self._waiting(self._store.write(work, within=left))

    async def _waiting(self, awaited: Awaitable[T]) -> T:
        if not self._waits:
            self._began = time.monotonic()
        self._waits += 1
        try:
            return await awaited
        finally:
            self._waits -= 1
            if not self._waits:
                self._spent += time.monotonic() - self._began

    def _so_far(self) -> float:
        return self._spent + (time.monotonic() - self._began if self._waits else 0.0)
