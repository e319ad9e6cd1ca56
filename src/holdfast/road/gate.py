"""The gate before the store: open while the store accepts writes (EVT-14).

The first event that had to give up closes it. From then on events go into the spool at once. A background task tries
the store, takes in what was spooled, in order, and opens the gate again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from holdfast.errors import HoldfastError
from holdfast.ids import now_us

log = logging.getLogger(__name__)

_FIRST_PAUSE = 0.2
_LONGEST_PAUSE = 5.0
_MOST_ROUNDS = 50
"""Of taking in what came meanwhile, before the gate is opened though some wait: the regular drain has the rest."""


class Gate:
    """Whether events go to the store, and if not, why."""

    def __init__(self) -> None:
        self.cause: str | None = None
        """Why it is closed; None while it is open."""
        self.since: int | None = None
        self._closed = asyncio.Event()

    def why_closed(self) -> str | None:
        return self.cause

    def close(self, cause: str) -> None:
        if self.cause is None:
            self.since = now_us()
            log.error("events go into the spool until the store answers: %s", cause)
        self.cause = cause
        self._closed.set()

    def open(self) -> None:
        if self.cause is not None:
            log.info("the store answers again")
        self.cause = self.since = None
        self._closed.clear()

    async def run(self, probe: Callable[[], Awaitable[object]], drain: Callable[[], Awaitable[int]]) -> None:
        """The background task. `probe` is a write that changes nothing; `drain` takes in what was spooled."""
        while True:
            await self._closed.wait()
            pause = _FIRST_PAUSE
            while self.cause is not None:
                await asyncio.sleep(pause)
                pause = min(pause * 1.5, _LONGEST_PAUSE)
                try:
                    await self.try_again(probe, drain)
                except HoldfastError as error:
                    self.cause = str(error)
                except Exception:
                    log.exception("the probe of the store failed")

    async def try_again(self, probe: Callable[[], Awaitable[object]], drain: Callable[[], Awaitable[int]]) -> None:
        """Open the gate if the store answers, after the spooled events were taken in."""
        await probe()
        for _ in range(_MOST_ROUNDS):
            if not await drain():
                break
        self.open()
