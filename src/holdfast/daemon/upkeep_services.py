"""Builds the services of upkeep: forgetting, export, import, retention, reindexing.

Their jobs may take long, so they have a queue of their own. The jobs that a hook's next event depends on (recovery, and
those of rooms) do not wait for them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from holdfast.composition import Composition
from holdfast.daemon.logs import forget_lines
from holdfast.daemon.sentences import Sentences
from holdfast.jobs.queue import JobFunction, Jobs
from holdfast.road import backfill
from holdfast.road.backfill import Backfill
from holdfast.road.clean import clean_value
from holdfast.road.replay import Replay
from holdfast.rooms.room import Upkeep
from holdfast.store.interface import Tx
from holdfast.upkeep import reindex, retention
from holdfast.upkeep.export import Export
from holdfast.upkeep.forget import Forgetting
from holdfast.upkeep.projects import Projects
from holdfast.upkeep.reindex import AsksForSlices, Reindexing
from holdfast.upkeep.retention import Retention
from holdfast.upkeep.sweep import look, sweep
from holdfast.upkeep.take_in import TakeIn

JOBS = (backfill.JOB, retention.JOB, reindex.JOB, reindex.AGAIN)
_FIRST_RETENTION = 600.0
"""Seconds after the start, so that the start stays quick."""
_CATCH_UP = 30.0
_DAY = 86_400.0
_LONGEST_PAUSE = 0.2
_PAUSE_PER_EVENT = 0.01
_MOST_WAITING = 200
"""Quick jobs that reading the journal again may leave in the queue: those of running sessions stand behind them."""


def furnish(made: Composition, kinds: dict[str, JobFunction], days: Mapping[str, Mapping[str, int]]) -> None:
    """Add the services to the registry, and their jobs to the slow queue. `days`: the rooms' settings in days."""
    store, owner, services, jobs = made.store, made.owner, made.services, made.slow_jobs
    catalog, items, hooks = store.catalog, made.items, {room.name: room.upkeep for room in made.declared.rooms}
    clean = partial(clean_value, made.scrubber)  # as from everything that comes by a hook
    takes = Backfill(made.road, store, made.recovery, jobs)
    ages = Retention(store, catalog, items, owner, made.config.retention, days)
    indexes = Reindexing(
        store,
        items,
        owner,
        Replay(store, made.program, made.road.unknown, services, owner),
        AsksForSlices(lambda tx: jobs.ask(tx, reindex.AGAIN, "", {}), partial(_let_pass, made)),
    )
    for service in (
        Export(store, catalog, items, owner, clean=clean),
        TakeIn(store, catalog, items, owner, hooks=hooks, clean=clean),
        takes,
        ages,
        indexes,
        _forgetting(made, hooks),
        Projects(store, owner, made.road.atlas.locate, made.road.windows.forget_places),
    ):
        services.add(service)

    async def age(arguments: dict[str, Any]) -> None:
        if not await indexes.is_settled():
            await store.write(lambda tx: jobs.ask(tx, retention.JOB, "daily", {}, in_seconds=_FIRST_RETENTION))
            return
        await ages.run()
        await store.write(lambda tx: jobs.ask(tx, retention.JOB, "daily", {}, in_seconds=_DAY))

    kinds |= {backfill.JOB: takes.run, retention.JOB: age, reindex.JOB: indexes.mend, reindex.AGAIN: indexes.run}


def _forgetting(made: Composition, hooks: Mapping[str, Upkeep]) -> Forgetting:
    tables = made.store.catalog.tables
    return Forgetting(
        made.store,
        made.store.catalog,
        made.items,
        made.owner,
        hooks=hooks,
        sweep=partial(sweep, made.home, made.store, tables, forget_lines, rooms=hooks),
        look=partial(look, made.home, tables, forget_lines, rooms=hooks),
        first=partial(_caught_up, made),
        also=partial(_drop_copies, made),
    )


async def _caught_up(made: Composition) -> None:
    """What has arrived and is still being thought about is written."""
    if made.road.follower:
        with suppress(TimeoutError):
            await asyncio.wait_for(made.road.follower.caught_up(), _CATCH_UP)


async def _let_pass(made: Composition) -> None:
    """Wait while events are on the road, or while many jobs that they depend on wait."""
    crowd = made.road.follower.on_road if made.road.follower else 0
    await asyncio.sleep(min(_LONGEST_PAUSE, crowd * _PAUSE_PER_EVENT))
    if await made.jobs.waiting() > _MOST_WAITING:
        await asyncio.sleep(_LONGEST_PAUSE)


async def _drop_copies(made: Composition) -> None:
    """Something was forgotten: whoever holds copies in memory drops them."""
    await made.services.get(Sentences).reload()
    for room in made.declared.rooms:
        if room.upkeep.forgotten:
            room.upkeep.forgotten(made.services)


def begin(jobs: Jobs, indexes: Reindexing, tx: Tx) -> None:
    """Add the jobs of every start."""
    indexes.spare_new_store(tx)
    jobs.ask(tx, retention.JOB, "daily", {}, in_seconds=_FIRST_RETENTION)
    jobs.ask(tx, reindex.JOB, "start", {})
