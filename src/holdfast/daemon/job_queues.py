"""The two queues of jobs, and how rooms ask for their jobs by their own names."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from holdfast.composition import Registry
from holdfast.jobs.queue import REGULAR, JobFunction, Jobs
from holdfast.road.road import Road
from holdfast.rooms.room import AsksForJobs, Job, Room
from holdfast.store.interface import Store, Tx

_CATCH_UP_SECONDS = 20


class Queues:
    """Both queues: a job goes to the one that its declaration names (`slow`)."""

    def __init__(
        self,
        store: Store,
        name: str,
        declared: Mapping[str, Job],
        *,
        clean: Callable[[str], str],
        now: Callable[[], int],
    ) -> None:
        self._declared = declared
        self.kinds: dict[str, JobFunction] = {}
        self.slow_kinds: dict[str, JobFunction] = {}
        """The jobs of each queue by their full names; `compose` adds them."""
        self.jobs, self.slow_jobs = (
            Jobs(store, queue, kinds, clean=clean, now=now)
            for queue, kinds in ((name, self.kinds), (f"{name} upkeep", self.slow_kinds))
        )

    def ask(self, tx: Tx, name: str, subject: str, arguments: dict[str, Any], *, in_seconds: float = 0) -> None:
        queue = self.slow_jobs if self._declared[name].slow else self.jobs
        queue.ask(tx, name, subject, arguments, in_seconds=in_seconds)


class RoomJobs:
    """The queue as one room sees it: it asks for its own jobs, by their own names."""

    def __init__(self, room: Room, queues: AsksForJobs) -> None:
        self._room = room
        self._names = frozenset(job.name for job in room.jobs)
        self._queues = queues

    def ask(self, tx: Tx, name: str, subject: str, arguments: dict[str, Any], *, in_seconds: float = 0) -> None:
        if name not in self._names:
            raise LookupError(f"The room {self._room.name} declares no job {name}.")
        self._queues.ask(tx, f"{self._room.name}.{name}", subject, arguments, in_seconds=in_seconds)


def job_function(full: str, job: Job, services: Registry, road: Road, queues: AsksForJobs) -> JobFunction:
    """A room's job as the queue runs it: after the steps marked `later` of the events before it."""

    async def run(arguments: dict[str, Any]) -> None:
        if road.follower:
            with suppress(TimeoutError):  # under load: an event that is handled later asks for the job again
                await asyncio.wait_for(road.follower.caught_up(), _CATCH_UP_SECONDS)
        try:
            await job.run(arguments, services)
        except Exception:
            await ask_again()  # also when it is given up after some attempts
            raise
        await ask_again()

    async def ask_again() -> None:
        if job.every_seconds:
            await road.store.write(lambda tx: queues.ask(tx, full, REGULAR, {}, in_seconds=job.every_seconds))

    return run
