"""The part of the composition that keeps the store in order: forgetting, export, taking over, retention, reindexing.

Its jobs have a queue of their own, because they may take long: those that hooks wait for in spirit (recovery, the
summaries of running work) do not stand behind them.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from typing import Any

from holdfast.config import Config
from holdfast.daemon.sentences import Sentences
from holdfast.daemon.services import Registry
from holdfast.daemon.sweep import sweep
from holdfast.jobs.queue import JobFunction, Jobs
from holdfast.paths import Home
from holdfast.road import backfill
from holdfast.road.backfill import Backfill
from holdfast.road.edge import mended
from holdfast.road.recovery import Recovery
from holdfast.road.road import Road
from holdfast.rooms.memory import reindexing, retention
from holdfast.rooms.memory.aging import Policy
from holdfast.rooms.memory.forgetting import Forgetting
from holdfast.rooms.memory.portable import Portable
from holdfast.rooms.memory.reindexing import Reindexing, memory_source
from holdfast.rooms.memory.retention import Retention
from holdfast.rooms.memory.service import MemoryService
from holdfast.rooms.memory.summaries import by_model
from holdfast.rooms.memory.summaries.by_model import Allowance, Writing
from holdfast.rooms.memory.takeover.claude_mem import ClaudeMem
from holdfast.scrub import Scrubber
from holdfast.store.interface import Store, Tx

_FIRST_RETENTION = 600.0
"""Seconds after the start, which has enough to do."""
_CATCH_UP = 30.0
_DAY = 86_400.0
_SETTLE = 5.0
"""Seconds before a model is asked: late events have the summary made anew first."""


async def furnish(
    home: Home,
    settings: Config,
    store: Store,
    owner: str,
    scrubber: Scrubber,
    name: str,
    road: Road,
    recovery: Recovery,
    services: Registry,
) -> Jobs:
    """Add these services to the registry; the queue of their jobs, which the worker runs."""

    def clean(value: object) -> object:
        """Without private spans, marks of ours and secrets, as everything that arrives by a hook."""
        return scrubber.value(mended(dict(value)).fields if isinstance(value, dict) else value)[0]

    kinds: dict[str, JobFunction] = {}
    jobs = Jobs(store, f"{name} upkeep", kinds, clean=lambda text: scrubber.text(text).text)

    def ask_to_write(tx: Tx, subject: str, arguments: dict[str, Any]) -> None:
        jobs.ask(tx, by_model.JOB, subject, arguments, in_seconds=_SETTLE)

    async def caught_up() -> None:
        if road.follower:
            with suppress(TimeoutError):
                await asyncio.wait_for(road.follower.caught_up(), _CATCH_UP)

    portable = Portable(store, owner, clean=clean)
    takes = Backfill(road, store, recovery, jobs)
    ages = Retention(store, owner, _policy(settings))
    indexes = Reindexing(store, owner, memory_source(store, owner))
    writes = Writing(store, owner, _allowance(settings), folder=home.root / "model", clean=clean, ask=ask_to_write)
    forgets = Forgetting(
        store,
        owner,
        services.get(MemoryService),
        sweep=partial(sweep, home, store),
        first=caught_up,
        also=services.get(Sentences).reload,
    )
    for service in (portable, takes, ages, indexes, writes, forgets, ClaudeMem(store, owner, portable)):
        services.add(service)

    async def age(arguments: dict[str, Any]) -> None:
        await ages.run()
        await store.write(lambda tx: jobs.ask(tx, retention.JOB, "daily", {}, in_seconds=_DAY))

    kinds |= {
        backfill.JOB: takes.run,
        retention.JOB: age,
        reindexing.JOB: indexes.mend,
        by_model.JOB: writes.run,
    }

    def begin(tx: Tx) -> None:
        jobs.ask(tx, retention.JOB, "daily", {}, in_seconds=_FIRST_RETENTION)
        jobs.ask(tx, reindexing.JOB, "start", {})

    await store.write(begin)
    return jobs


def _policy(settings: Config) -> Policy:
    chosen = settings.retention
    return Policy(chosen.journal_whole_days, chosen.journal_days, chosen.journal_bytes, chosen.observation_days)


def _allowance(settings: Config) -> Allowance:
    chosen = settings.summaries
    return Allowance(chosen.model, chosen.command, chosen.calls_per_day, chosen.usd_per_day)
