"""The queue of jobs, and the loop that runs them. A job is added in the transaction that causes it.

Jobs run one after another, so that they do not slow the hooks. A job that fails is tried again later, a few times. Then
it is stored as failed, with its reason, for `status` and `doctor`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

import msgspec

from holdfast.errors import StoreError
from holdfast.ids import new_id, now_us
from holdfast.store.interface import Reader, Store, Tx, Value

log = logging.getLogger(__name__)

JobFunction = Callable[[dict[str, Any]], Awaitable[None]]
JobWrite = Callable[[Tx], object]

REGULAR = "regular"
"""The subject of work that comes again by itself (`Job.every_seconds`)."""
_MOST_ATTEMPTS = 5
_REASON = 500
"""Characters that are kept of an error."""
_LONGEST_SLEEP = 30.0
_CLOCK_SLACK = 60 * 1_000_000
"""Microseconds by which the clocks of two daemons on one database may differ."""
_WAIT_FOR_STORE = 5.0
_SECOND = 1_000_000


class Jobs:
    """The queue of one daemon."""

    def __init__(
        self,
        store: Store,
        home: str,
        kinds: Mapping[str, JobFunction],
        *,
        clean: Callable[[str], str],
        now: Callable[[], int] = now_us,
    ) -> None:
        self._store = store
        self.home = home
        self._kinds = kinds
        self._clean = clean
        """Takes the secrets out of a text: an error may quote what the job worked on (SEC-1)."""
        self._now = now
        self._awake = asyncio.Event()
        self._waking: asyncio.Task[None] | None = None
        self._asked_again = False
        self._next_due: Value = None
        self._loop = asyncio.get_running_loop()

    def ask(self, tx: Tx, kind: str, subject: str, arguments: dict[str, Any], *, in_seconds: float = 0) -> None:
        """Add a job, in a transaction. The same job added again before it began is one job."""
        now = self._now()
        tx.run(
            "job.add",
            id=new_id(),
            kind=kind,
            subject=subject,
            arguments=msgspec.json.encode(arguments).decode(),
            home=self.home,
            due_at=now + int(in_seconds * _SECOND),
            created_at=now,
        )
        with suppress(RuntimeError):  # the loop is gone: the job waits for the next start
            self._loop.call_soon_threadsafe(self._was_asked)

    async def run(self) -> None:
        """Run what is due, for ever."""
        whole = False
        while True:
            self._awake.clear()
            try:
                if not whole:
                    await self._restore()
                whole = True
                await self.run_due()
            except StoreError as error:
                # What was under way may still be marked as running: it is put back when the store is there again.
                log.warning("jobs wait, because the store does not answer: %s", error)
                whole = False
                await asyncio.sleep(_WAIT_FOR_STORE)
            else:
                await self._sleep()

    def _was_asked(self) -> None:
        self._asked_again = True
        if self._waking is None or self._waking.done():
            self._waking = self._loop.create_task(self._wake_after_commit())

    async def _wake_after_commit(self) -> None:
        """Wake the loop after the commit: an empty write waits behind the transaction that added the job."""
        while self._asked_again:
            self._asked_again = False
            with suppress(StoreError):
                await self._store.write(lambda tx: None)
            self._awake.set()

    async def run_due(self) -> int:
        """Run all jobs that are due now; how many there were. What a job leaves is written as the next one is taken."""
        done = 0
        while rows := await self._store.read(self._due):
            left: JobWrite | None = None
            for row in rows:
                left = await self._do(row, left)
                done += 1
            if left:
                await self._store.write(left)
        return done

    async def waiting(self) -> int:
        """How many jobs wait."""
        return (await self._store.read(self.counts)).get("waiting", 0)

    def counts(self, reader: Reader) -> dict[str, int]:
        """How many jobs there are by state, without those that come again by themselves and are not due yet."""
        rows = reader.all("job.counts", home=self.home, regular=REGULAR, now=self._now())
        return {str(row["state"]): int(row["n"] or 0) for row in rows}

    def _due(self, reader: Reader) -> list[dict[str, Any]]:
        """The jobs that are due now. Where there is none: when the next one is."""
        now = self._now()
        rows = reader.all("job.due", home=self.home, now=now, ahead=now + _CLOCK_SLACK, limit=20)
        if not rows:
            row = reader.one("job.next_due", home=self.home)
            self._next_due = row["due_at"] if row else None
        return rows

    async def _do(self, row: dict[str, Any], left: JobWrite | None) -> JobWrite | None:
        """Write what the job before it left, take this one, and run it. Returns what is to be written of it."""
        job_id, kind = row["id"], row["kind"]

        def take(tx: Tx) -> int:
            if left:
                left(tx)
            return tx.run("job.take", id=job_id, now=self._now())

        if not await self._store.write(take):
            return None
        try:
            await self._kinds[kind](msgspec.json.decode(row["arguments"]))
        except Exception as error:
            # First cleaned, then cut: the beginning of a secret is not known as one any more.
            reason = self._clean(f"{type(error).__name__}: {error}")[:_REASON]
            last = row["attempts"] + 1 >= _MOST_ATTEMPTS or kind not in self._kinds
            log.warning("job %s (%s) failed%s: %s", kind, row["subject"], " for good" if last else "", reason)
            return lambda tx: self._put_back(tx, row, reason, last)
        return lambda tx: tx.run("job.done", id=job_id)

    def _put_back(self, tx: Tx, row: dict[str, Any], reason: str, last: bool) -> None:
        if last:
            tx.run("job.fail", id=row["id"], error=reason)
            return
        due = self._now() + 4 ** (row["attempts"] + 1) * _SECOND
        if not tx.run("job.retry", id=row["id"], due_at=due, error=reason):
            tx.run("job.done", id=row["id"])

    async def _restore(self) -> None:
        def restore(tx: Tx) -> None:
            tx.run("job.give_up", home=self.home, most=_MOST_ATTEMPTS, error="the daemon ended while it ran")
            tx.run("job.orphans", home=self.home)
            tx.run("job.drop_orphans", home=self.home)

        await self._store.write(restore)

    async def _sleep(self) -> None:
        due = self._next_due
        wait = min(_LONGEST_SLEEP, max(0.0, (due - self._now()) / _SECOND)) if isinstance(due, int) else _LONGEST_SLEEP
        try:
            await asyncio.wait_for(self._awake.wait(), wait)
        except TimeoutError:
            pass
