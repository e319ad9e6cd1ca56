"""Watches the store: notices damage, loss and replacement, and keeps a copy of each day on which it was whole.

A store that is unfit for use is condemned: that is written into the home's record, what is still open of a lost
file is copied, and the worker leaves. Its successor finds the record and keeps events in the spool (`waiting.py`) until
a person has said what happens to the store. Nothing is repaired, moved or begun anew by itself.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from holdfast.errors import HoldfastError, StoreError, StoreUnfit
from holdfast.ids import now_us
from holdfast.paths import Home, make_private_folder
from holdfast.store.health import day, way_out
from holdfast.store.interface import Store
from holdfast.store.record import Damage, StoreRecord
from holdfast.store.sqlite.examine import stamp
from holdfast.times import DAY_US, file_stamp

log = logging.getLogger(__name__)

DAILY = "daily-"
_SPARE_BYTES = 256 * 1024 * 1024
"""Bytes that must stay free on the disk after a copy."""
_QUIET_SECONDS = 60.0
"""How long a report that was a false alarm is not examined again."""


@dataclass(frozen=True, slots=True)
class Rhythm:
    """Seconds."""

    look: float = 5.0
    first_check: float = 60.0
    due: float = 600.0
    """How often it asks whether a day has passed."""


class StoreWatch:
    """Watches the store of one worker."""

    def __init__(
        self, home: Home, store: Store, record: StoreRecord, *, copies: int, leave: Callable[[], None], rhythm: Rhythm
    ) -> None:
        """`leave` ends the worker, when the store is condemned."""
        self._home = home
        self._store = store
        self._record = record
        self._copies = copies
        self._leave = leave
        self._rhythm = rhythm
        self._proven: StoreUnfit | None = None

    async def run(self) -> None:
        """Watch until the store is unfit, or until cancelled."""
        checks = asyncio.create_task(self._checks())
        try:
            await self._condemn(await self._found())
        finally:
            checks.cancel()

    async def _found(self) -> StoreUnfit:
        while True:
            try:
                error = await asyncio.wait_for(self._store.health.wait(), self._rhythm.look)
            except TimeoutError:
                seen = await self._store.look()
                if seen is not None:
                    return seen
                continue
            if await self._is_true(error):
                return error
            log.warning("the database reported an error, but the store is whole: %s", error)
            await asyncio.sleep(_QUIET_SECONDS)
            self._store.health.cleared()

    async def _is_true(self, error: StoreUnfit) -> bool:
        """A query can fail for other reasons, so every page is read before the store is called damaged."""
        if error is self._proven or await self._store.look() is not None:
            return True
        try:
            return bool(await self._store.check(full=True))
        except StoreUnfit:
            return True
        except StoreError as other:
            log.warning("the store could not be checked: %s", other)
            return False

    async def _condemn(self, error: StoreUnfit) -> None:
        self._store.health.found = error = await self._store.look() or error
        gone = error.kind in ("gone", "replaced")
        saved = await self._rescue() if gone else ""
        out = way_out(self._home.backups, self._store.kind)
        sentence = f"{str(error).split(' It was left')[0].split('; it was left')[0].rstrip('.')}. {saved}{out}"
        log.error("%s", sentence)
        with suppress(OSError):
            if gone:  # whether what is there now will do, the next start finds out
                self._record.change(note=f"{day(now_us())}: {error} {saved}".strip())
            else:
                self._record.change(damage=Damage(sentence, error.kind, now_us(), self._stamp()))
        self._leave()

    def _stamp(self) -> tuple[int, ...]:
        return stamp(Path(self._store.url.removeprefix("sqlite://"))) if self._store.kind == "sqlite" else ()

    async def _rescue(self) -> str:
        """Copy the deleted file, which the writer still has open."""
        target = self._home.backups / f"rescued-{file_stamp(now_us())}.db"
        try:
            make_private_folder(self._home.backups)
            await self._store.rescue(target)
        except (HoldfastError, OSError) as error:
            return f"What was still open of it could not be copied ({error}). "
        return f"All of it was still open and is copied to {target}. "

    # --- checks and copies

    async def _checks(self) -> None:
        await asyncio.sleep(self._rhythm.first_check)
        if not self._is_due():
            await self._try(lambda: self.check(full=False))
        while True:
            if self._is_due():
                await self._try(self.daily)
            await asyncio.sleep(self._rhythm.due)

    async def _try(self, work: Callable[[], Awaitable[object]]) -> None:
        try:
            await work()
        except (HoldfastError, OSError) as error:
            log.warning("%s", error)
        except Exception:
            log.exception("watching over the store failed")

    def _is_due(self) -> bool:
        known = self._record.read()
        return known is not None and not 0 <= now_us() - known.checked_at < DAY_US

    async def check(self, *, full: bool) -> bool:
        """Read every page. Damage is reported to `run`."""
        found = await self._store.check(full=full)
        if found:
            self._proven = StoreUnfit(f"The store at {self._store.url} is damaged ({found[0]}).")
            self._store.health.report(self._proven)
        return not found

    async def daily(self) -> None:
        """Check the whole store; copy it if nothing is wrong."""
        if not await self.check(full=True):
            return
        self._record.change(checked_at=now_us(), bytes=await self._store.bytes(), seen_at=now_us())
        if self._copies and self._store.kind == "sqlite":
            await self.copy()

    async def copy(self) -> Path | None:
        """Make today's copy, if the disk has space for it, and remove the oldest ones."""
        size = await self._store.bytes()
        make_private_folder(self._home.backups)
        free = shutil.disk_usage(self._home.backups).free
        if free < size + _SPARE_BYTES:
            log.warning("no copy of the store was made: %d MB are free, and it has %d", free >> 20, size >> 20)
            return None
        target = self._home.backups / f"{DAILY}{file_stamp(now_us())}.db"
        await self._store.backup(target)
        self._record.change(backed_up_at=now_us())
        for old in sorted(self._home.backups.glob(f"{DAILY}*.db"))[: -self._copies]:
            old.unlink(missing_ok=True)
        return target
