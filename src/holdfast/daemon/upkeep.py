"""The part of the composition that keeps the store in order: forgetting, export, taking over, retention, reindexing.

Its jobs have a queue of their own, because they may take long: the jobs that a hook's
next event depends on (recovery, the summaries of running work) do not stand behind them.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from typing import Any

from holdfast.composition import Composition
from holdfast.config import Config
from holdfast.daemon.sentences import Sentences
from holdfast.daemon.sweep import sweep
from holdfast.jobs.queue import JobFunction, Jobs
from holdfast.road import backfill
from holdfast.road.backfill import Backfill
from holdfast.road.clean import clean_value
from holdfast.rooms.memory import reindexing, retention
from holdfast.rooms.memory.aging import Policy
from holdfast.rooms.memory.forgetting import Forgetting
from holdfast.rooms.memory.portable import Portable
from holdfast.rooms.memory.reindexing import Reindexing
from holdfast.rooms.memory.retention import Retention
from holdfast.rooms.memory.takeover.claude_mem import ClaudeMem
from holdfast.store.interface import Tx

_FIRST_RETENTION = 600.0
"""Seconds after the start, which has enough to do."""
_CATCH_UP = 30.0
_DAY = 86_400.0


def furnish(made: Composition, kinds: dict[str, JobFunction]) -> None:
    """Add these services to the registry and their jobs to the queue of what takes long."""
    if "memory" not in {room.name for room in made.declared.rooms}:
        return  # a test's own composition
    store, owner, services, jobs = made.store, made.owner, made.services, made.slow_jobs

    def clean(value: object) -> object:
        """Without private spans, marks of ours and secrets, as everything that arrives by a hook."""
        return clean_value(made.scrubber, value)

    async def caught_up() -> None:
        if made.road.follower:
            with suppress(TimeoutError):
                await asyncio.wait_for(made.road.follower.caught_up(), _CATCH_UP)

    portable = Portable(store, owner, clean=clean)
    takes = Backfill(made.road, store, made.recovery, jobs)
    ages = Retention(store, owner, _policy(made.config))
    indexes = Reindexing(store, owner, made.items)
    forgets = Forgetting(
        store,
        owner,
        made.items,
        sweep=partial(sweep, made.home, store),
        first=caught_up,
        also=services.get(Sentences).reload,
    )
    for service in (portable, takes, ages, indexes, forgets, ClaudeMem(store, owner, portable)):
        services.add(service)

    async def age(arguments: dict[str, Any]) -> None:
        await ages.run()
        await store.write(lambda tx: jobs.ask(tx, retention.JOB, "daily", {}, in_seconds=_DAY))

    kinds |= {backfill.JOB: takes.run, retention.JOB: age, reindexing.JOB: indexes.mend}


def begin(jobs: Jobs, tx: Tx) -> None:
    """Ask for what is due at every start."""
    jobs.ask(tx, retention.JOB, "daily", {}, in_seconds=_FIRST_RETENTION)
    jobs.ask(tx, reindexing.JOB, "start", {})


def _policy(settings: Config) -> Policy:
    chosen = settings.retention
    return Policy(chosen.journal_whole_days, chosen.journal_days, chosen.journal_bytes, chosen.observation_days)
