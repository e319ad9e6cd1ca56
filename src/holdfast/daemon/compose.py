"""Putting the daemon together. The only reader of configuration in it: everyone else is handed what they need."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import pwd
import secrets
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from holdfast import config
from holdfast.config import Config
from holdfast.daemon import upkeep
from holdfast.daemon.sentences import Sentences
from holdfast.daemon.services import Registry
from holdfast.errors import ConfigError
from holdfast.events.event import Event
from holdfast.ids import now_us
from holdfast.jobs.queue import Jobs
from holdfast.paths import Home, close_to_others, write_private
from holdfast.program import CATALOG, PROGRAM, UNKNOWN
from holdfast.road import recovery
from holdfast.road.drain import Drain, put_aside
from holdfast.road.follow import Follower
from holdfast.road.identity import Atlas
from holdfast.road.mend import mend_text
from holdfast.road.meter import Meter
from holdfast.road.recovery import Recovery
from holdfast.road.road import Road
from holdfast.road.windows import Windows
from holdfast.rooms.citations.service import CitationService, Habits
from holdfast.rooms.memory import tables
from holdfast.rooms.memory.service import Ask, MemoryService
from holdfast.rooms.memory.service import Habits as MemoryHabits
from holdfast.rooms.memory.summaries.by_model import Writing
from holdfast.scrub import Scrubber, default_scrubber
from holdfast.store import open_store, sqlite_url
from holdfast.store.interface import Reader, Store, Tx

Clean = Callable[[str], str]
_CATCH_UP_SECONDS = 20
_RECENT_US = 7 * 24 * 3600 * 1_000_000


@dataclass(slots=True)
class Composition:
    """Everything the worker runs."""

    home: Home
    config: Config
    unknown_keys: tuple[str, ...]
    token: bytes
    owner: str
    store: Store
    scrubber: Scrubber
    road: Road
    meter: Meter
    jobs: Jobs
    follower: Follower
    sentences: Sentences
    upkeep_jobs: Jobs
    """What takes long and can wait; the other jobs do not wait for it."""
    drain: Drain
    services: Registry
    started_at: int


async def compose(home: Home, loaded: config.Loaded, scrubber: Scrubber) -> Composition:
    """Open the store and connect the parts. Must be called in the loop that will run them."""
    settings = loaded.config
    store = await open_store(settings.store.url or sqlite_url(home.database), CATALOG, backups=home.backups)
    try:
        return await _connected(home, loaded, scrubber, store)
    except BaseException:
        await store.close()  # it is opened again if it was only away
        raise


async def _connected(home: Home, loaded: config.Loaded, scrubber: Scrubber, store: Store) -> Composition:
    settings = loaded.config
    owner = pwd.getpwuid(os.getuid()).pw_name
    born_at = await _born(store)
    meter = Meter(owner)
    await meter.load(store)
    atlas = Atlas(partial(_project_name, settings))
    services = Registry()

    def clean_words(text: str) -> str:
        """Without private spans, marks of ours and secrets, as everything that arrives by a hook."""
        return scrubber.text(mend_text(text)).text

    services.add(_citations(settings, store, owner, atlas, clean_words))

    def ask_for_summary(tx: Tx, subject: str, arguments: dict[str, Any], in_seconds: float) -> None:
        jobs.ask(tx, MemoryService.JOB, subject, arguments, in_seconds=in_seconds)

    def texts(reader: Reader, ids: Sequence[str]) -> dict[str, str]:
        return tables.texts(reader, ids, owner)

    sentences = Sentences(store, settings.recall.model, home.root / "vectors", texts)
    services.add(sentences)
    memory = _memory(settings, store, owner, atlas, ask_for_summary, sentences, clean_words)
    services.add(memory)

    async def recover(arguments: dict[str, object]) -> None:
        await recovering.run(arguments)

    async def summarise(arguments: dict[str, Any]) -> None:
        with contextlib.suppress(TimeoutError):  # in a crowd the session's summary will have the rest
            await asyncio.wait_for(follower.caught_up(), _CATCH_UP_SECONDS)
        await memory.summarise(arguments)
        await services.get(Writing).consider(arguments)

    def clean(text: str) -> str:
        return scrubber.text(text).text

    kinds = {recovery.JOB: recover, MemoryService.JOB: summarise}
    jobs = Jobs(store, f"{socket.gethostname()}:{home.root}", kinds, clean=clean)

    def on_recover(tx: Tx, event: Event) -> None:
        recovery.ask(jobs, tx, event)

    follower = Follower(store, jobs.home, PROGRAM, UNKNOWN, meter, services)
    road = Road(
        program=PROGRAM,
        unknown=UNKNOWN,
        store=store,
        scrubber=scrubber,
        atlas=atlas,
        windows=Windows(store, owner),
        meter=meter,
        services=services,
        owner=owner,
        on_recover=on_recover,
        put_aside=partial(put_aside, home.spool),
        follower=follower,
    )
    drain = Drain(road, home.spool)
    recovering = Recovery(road, store, drain, born_at)
    upkeep_jobs = await upkeep.furnish(home, settings, store, owner, scrubber, jobs.home, road, recovering, services)
    await store.write(lambda tx: recovery.ask_for_open_sessions(jobs, tx, owner, now_us() - _RECENT_US))
    return Composition(
        home=home,
        config=settings,
        unknown_keys=loaded.unknown,
        token=read_token(home),
        owner=owner,
        store=store,
        scrubber=scrubber,
        road=road,
        meter=meter,
        jobs=jobs,
        follower=follower,
        sentences=sentences,
        upkeep_jobs=upkeep_jobs,
        drain=drain,
        services=services,
        started_at=now_us(),
    )


def _citations(settings: Config, store: Store, owner: str, atlas: Atlas, clean: Clean) -> CitationService:
    chosen = settings.citations
    if chosen.debug:
        logging.getLogger(CitationService.__module__.rpartition(".")[0]).setLevel(logging.DEBUG)
    habits = Habits(chosen.enabled, chosen.shared, chosen.allow_private, chosen.ca_file, chosen.max_bytes)
    return CitationService(store, owner, habits, locate=atlas.locate, clean=clean)


def _memory(
    settings: Config, store: Store, owner: str, atlas: Atlas, ask: Ask, sentences: Sentences, clean: Clean
) -> MemoryService:
    chosen = settings.memory
    habits = MemoryHabits(chosen.inject, frozenset(chosen.skip_tools), chosen.brief_tokens, chosen.recall_tokens)
    return MemoryService(store, owner, habits, ask=ask, locate=atlas.locate, clean=clean, near=sentences.near)


def scrubber_of(settings: Config) -> Scrubber:
    return default_scrubber(settings.scrub.allow)


def read_token(home: Home) -> bytes:
    """The token of this home; made at the first start, readable by its owner only."""
    try:
        token = home.token.read_bytes().strip()
    except FileNotFoundError:
        token = b""
    if len(token) < 32:
        token = secrets.token_urlsafe(32).encode()
        write_private(home.token, token + b"\n")
    else:
        close_to_others(home.token)
    return token


def _project_name(settings: Config, root: str) -> str:
    """The name a project gives itself; a broken file counts as none, because memory fails open."""
    file = Path(root) / config.PROJECT_FILE
    if not file.exists():
        return settings.project
    try:
        return config.load(Path(os.devnull), file, {}).config.project or settings.project
    except ConfigError:
        return settings.project


async def _born(store: Store) -> int:
    """When this store was made: what transcripts tell of earlier times is `import`'s business, not recovery's."""

    def settle(tx: Tx) -> int:
        tx.run("session.fact_set", name="born_at", value=str(now_us()))
        row = tx.one("session.fact", name="born_at")
        return int(str((row or {})["value"]))

    return await store.write(settle)
