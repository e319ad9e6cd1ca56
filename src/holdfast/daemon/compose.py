"""Builds the product. The daemon, the tests and the benchmarks are all built here.

`compose` opens the store and begins; `assemble` connects the parts on a store that is open. Rooms, program, clock and
queue are arguments, so that a test can hand in its own. Configuration is read here and handed on.
"""

from __future__ import annotations

import asyncio
import os
import pwd
import secrets
import socket
from collections import ChainMap
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from holdfast import config, restarts
from holdfast.composition import Composition, Registry
from holdfast.config import Config
from holdfast.daemon import upkeep_services
from holdfast.daemon.sentences import Sentences
from holdfast.doors.cli.table import VERBS
from holdfast.events.endings import Endings
from holdfast.events.entry import OnEvent, Program, with_caps
from holdfast.events.event import Event, JsonObject
from holdfast.events.progress import ProgressBoard
from holdfast.events.running import RunningClients
from holdfast.events.tool import Tool
from holdfast.gitfiles import Heads
from holdfast.ids import now_us
from holdfast.items.assembling import ContextAssembler
from holdfast.items.indexed import Family, Indexed
from holdfast.items.injecting import Injecting
from holdfast.items.service import Items
from holdfast.jobs.queue import REGULAR, JobFunction, Jobs
from holdfast.paths import Home, close_to_others, platform_home, write_private
from holdfast.pauses import PauseFile
from holdfast.program import HOUSE_TOOLS, PROGRAM, ROOMS, UNKNOWN
from holdfast.project_file import ProjectFiles
from holdfast.road import recovery
from holdfast.road.clean import clean_value
from holdfast.road.drain import Drain
from holdfast.road.edge import Payload
from holdfast.road.follow import Follower
from holdfast.road.identity import Atlas
from holdfast.road.memory_spool import MemorySpool
from holdfast.road.meter import Meter
from holdfast.road.patience import IN_ALL
from holdfast.road.reach import Reach
from holdfast.road.recording import Recording
from holdfast.road.recovery import Recovery
from holdfast.road.road import Road
from holdfast.road.windows import Windows
from holdfast.rooms.building import built, indexed
from holdfast.rooms.declaring import check_program
from holdfast.rooms.gather import Gathered, caps_of, catalog_of, days_of, gather
from holdfast.rooms.room import AsksForJobs, Ground, Job, Room
from holdfast.scrub import Scrubber, default_scrubber
from holdfast.source.worker import Worker
from holdfast.store import open_home_store, sqlite_url
from holdfast.store.interface import Store, Tx
from holdfast.store.record import StoreRecord
from holdfast.upkeep.reindex import Reindexing

_CATCH_UP_SECONDS = 20
_RECENT_US = 7 * 24 * 3600 * 1_000_000


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a composition. A test may replace each of them."""

    rooms: tuple[Room, ...] = ROOMS
    house_tools: tuple[Tool[Any], ...] = HOUSE_TOOLS
    program: Program = field(default_factory=lambda: PROGRAM)
    unknown: OnEvent = UNKNOWN
    now: Callable[[], int] = now_us
    owner: str = ""
    """The user of this process, when it is empty."""
    jobs: AsksForJobs | None = None
    """Takes what rooms ask for, by full name, instead of the store's queues."""
    follows: bool = True
    """Steps marked `later` run in the background; without it they run with the others."""
    patience: float | None = IN_ALL
    """The most seconds that an event waits for the store."""


PRODUCT = Parts()

HOUSE_JOBS = (recovery.JOB, *upkeep_services.JOBS)
"""The names of jobs that belong to no room."""


def declared_by(parts: Parts) -> Gathered:
    """All that the rooms declare. An incomplete or repeated declaration is an error with a sentence."""
    check_program(parts.program, parts.rooms)
    return gather(parts.rooms, parts.house_tools, VERBS, HOUSE_JOBS)


async def compose(
    home: Home, loaded: config.Loaded, scrubber: Scrubber, parts: Parts = PRODUCT, pocket: MemorySpool | None = None
) -> Composition:
    """Open the store, connect the parts, and add the jobs of every start. Call it in the loop that runs them."""
    declared = declared_by(parts)
    url = loaded.config.store.url or sqlite_url(home.database)
    record = StoreRecord.of(home.store_record, url)
    store = await open_home_store(url, catalog_of(declared.rooms), backups=home.backups, record=record)
    try:
        made = assemble(home, loaded, scrubber, store, parts, declared=declared, pocket=pocket)
        made.record = record
        await made.meter.load(store)
        made.meter.count("", *["lost"] * made.pocket.lost)  # while there was no store yet
        await made.road.windows.load(parts.now() - _RECENT_US)
        await _begin(made)
    except BaseException:
        await store.close()  # it is opened again if it was only away
        raise
    return made


def assemble(
    home: Home,
    loaded: config.Loaded,
    scrubber: Scrubber,
    store: Store,
    parts: Parts = PRODUCT,
    *,
    declared: Gathered | None = None,
    pocket: MemorySpool | None = None,
) -> Composition:
    """Connect the parts on an open store. Nothing is read or written."""
    pocket = MemorySpool(home.spool) if pocket is None else pocket
    declared = declared or declared_by(parts)
    owner = parts.owner or pwd.getpwuid(os.getuid()).pw_name
    meter = Meter(owner)
    projects = ProjectFiles(config.other_names(declared.rooms))
    atlas = Atlas(lambda root: projects.at(root).name or loaded.config.project)
    services = Registry()
    program = with_caps(parts.program, caps_of(config.all_sections(declared.rooms).values(), loaded.section))
    kinds: dict[str, JobFunction] = {}
    slow_kinds: dict[str, JobFunction] = {}
    name = f"{socket.gethostname()}:{home.root}"
    jobs, slow_jobs = (
        Jobs(store, queue, of, clean=lambda text: scrubber.text(text).text, now=parts.now)
        for queue, of in ((name, kinds), (f"{name} upkeep", slow_kinds))
    )

    def on_recover(tx: Tx, event: Event) -> None:
        recovery.ask(jobs, tx, event)

    follower = Follower(store, jobs.home, program, parts.unknown, meter, services)
    recording = Recording(PauseFile(home.pauses), projects, atlas.find, captures=loaded.config.capture)
    road = Road(
        program=program,
        unknown=parts.unknown,
        store=store,
        scrubber=scrubber,
        atlas=atlas,
        windows=Windows(store, owner),
        meter=meter,
        services=services,
        owner=owner,
        on_recover=on_recover,
        put_aside=pocket.put,
        recording=recording,
        projects=projects,
        clients=RunningClients(partial(restarts.ask, home.restarts), partial(restarts.owner, home.restarts)),
        reach=Reach(home.root == platform_home()),
        signs=loaded.config.sign_of_life,
        now=parts.now,
        follower=follower if parts.follows else None,
        patience=parts.patience,
    )
    drain = Drain(road, home.spool, pocket)
    recovering = Recovery(road, store, drain)
    kinds[recovery.JOB] = recovering.run
    items = Items(store, owner, now=parts.now, clean=partial(clean_value, scrubber), locate=atlas.locate)
    sentences = Sentences(store, loaded.config.recall.model, home.root / "vectors", items.texts)
    items.near = sentences.near
    services.add(sentences)
    services.add(items)
    assembler = ContextAssembler(items, services)
    services.add(assembler)
    services.add(Injecting(loaded.config.inject, loaded.config.user_prompt_submit))
    services.add(Heads())
    services.add(ProgressBoard())
    services.add(road.clients)
    services.add(Endings(partial(_travel, road)))
    queues = parts.jobs or _Queues(declared.jobs, jobs, slow_jobs)
    indexes: list[tuple[tuple[Family, ...], Indexed]] = []
    parser = Worker()
    for room in declared.rooms:
        ground = Ground(
            store=store,
            owner=owner,
            now=parts.now,
            clean=partial(clean_value, scrubber),
            locate=atlas.locate,
            jobs=_RoomJobs(room, queues),
            items=items,
            folder=home.root / room.name,
            chosen=loaded.section,
            is_running=road.clients.is_running,
            is_recorded=partial(recording.is_recorded, parts.now),
            parser=parser,
            allowed=loaded.config.scrub.allow,
        )
        for service in built(room, ground):
            services.add_of_room(service, room.name)
        if room.index is not None:
            indexes.append((room.families, indexed(room, ground)))
    items.gather(indexes)
    assembler.gather(
        [room.context for room in declared.rooms if room.context is not None],
        [room.files(services) for room in declared.rooms if room.files is not None],
        [room.symbols(services) for room in declared.rooms if room.symbols is not None],
        [room.partners(services) for room in declared.rooms if room.partners is not None],
        [room.names_tests(services) for room in declared.rooms if room.names_tests is not None],
    )
    for full, job in declared.jobs.items():
        (slow_kinds if job.slow else kinds)[full] = _job(full, job, services, road, queues)
    made = Composition(
        home=home,
        config=loaded.config,
        unknown_keys=loaded.unknown,
        owner=owner,
        now=parts.now,
        store=store,
        scrubber=scrubber,
        declared=declared,
        program=program,
        road=road,
        meter=meter,
        jobs=jobs,
        slow_jobs=slow_jobs,
        kinds=ChainMap(kinds, slow_kinds),
        follower=follower,
        sentences=sentences,
        items=items,
        drain=drain,
        recovery=recovering,
        pocket=pocket,
        services=services,
        started_at=parts.now(),
    )
    upkeep_services.furnish(made, slow_kinds, days_of(declared.rooms, loaded.section))
    return made


async def _travel(road: Road, fields: JsonObject) -> bool:
    """Take an event that somebody told of by a tool down the road."""
    return (await road.travel(Payload(fields), source="tool")).kept


async def _begin(made: Composition) -> None:
    """Add the jobs of every start."""

    def begin(tx: Tx) -> None:
        recovery.ask_for_open_sessions(made.jobs, tx, made.owner, made.now() - _RECENT_US)
        upkeep_services.begin(made.slow_jobs, made.services.get(Reindexing), tx)
        for full, job in made.declared.jobs.items():
            if job.every_seconds:
                queue = made.slow_jobs if job.slow else made.jobs
                queue.ask(tx, full, REGULAR, {}, in_seconds=job.after_start_seconds)

    await made.store.write(begin)


class _Queues:
    """Both queues: a job goes to the one that its declaration names (`slow`)."""

    def __init__(self, declared: Mapping[str, Job], jobs: Jobs, slow_jobs: Jobs) -> None:
        self._declared = declared
        self._jobs = jobs
        self._slow_jobs = slow_jobs

    def ask(self, tx: Tx, name: str, subject: str, arguments: dict[str, Any], *, in_seconds: float = 0) -> None:
        queue = self._slow_jobs if self._declared[name].slow else self._jobs
        queue.ask(tx, name, subject, arguments, in_seconds=in_seconds)


class _RoomJobs:
    """The queue as one room sees it: it asks for its own jobs, by their own names."""

    def __init__(self, room: Room, queues: AsksForJobs) -> None:
        self._room = room
        self._queues = queues

    def ask(self, tx: Tx, name: str, subject: str, arguments: dict[str, Any], *, in_seconds: float = 0) -> None:
        if name not in self._room.jobs:
            raise LookupError(f"The room {self._room.name} declares no job {name}.")
        self._queues.ask(tx, f"{self._room.name}.{name}", subject, arguments, in_seconds=in_seconds)


def _job(full: str, job: Job, services: Registry, road: Road, queues: AsksForJobs) -> JobFunction:
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
