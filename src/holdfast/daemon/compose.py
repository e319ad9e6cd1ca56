"""Builds the product. The daemon, the tests and the benchmarks are all built here.

`compose` opens the store and begins; `assemble` connects the parts on a store that is open. Rooms, program, clock and
queue are arguments, so that a test can hand in its own. Configuration is read here and handed on.
"""

from __future__ import annotations

import os
import pwd
import secrets
import socket
from collections import ChainMap
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from holdfast import config, restarts
from holdfast.composition import Composition, Registry
from holdfast.config import Config
from holdfast.daemon import upkeep_services
from holdfast.daemon.job_queues import Queues, RoomJobs, job_function
from holdfast.daemon.sentences import Sentences
from holdfast.doors.cli.table import VERBS
from holdfast.events.announced import Announced
from holdfast.events.endings import Endings
from holdfast.events.event import Event, JsonObject
from holdfast.events.progress import ProgressBoard
from holdfast.events.running import RunningClients
from holdfast.events.steps import OnEvent, Program, with_caps
from holdfast.events.tool import Tool
from holdfast.gitfiles import Heads
from holdfast.ids import now_us
from holdfast.items.assembling import ContextAssembler
from holdfast.items.indexed import Family, Indexed
from holdfast.items.injecting import Injecting
from holdfast.items.service import Items
from holdfast.jobs.queue import REGULAR, Jobs
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
from holdfast.rooms.room import AsksForJobs, Ground, Room
from holdfast.scrub import Scrubber, default_scrubber
from holdfast.source.worker import Worker
from holdfast.store import open_home_store, sqlite_url
from holdfast.store.interface import Store, Tx
from holdfast.store.record import StoreRecord
from holdfast.times import DAY_US
from holdfast.upkeep.reindex import Reindexing

_RECENT_US = 7 * DAY_US


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
    parser: Callable[[], Worker] = Worker
    """Makes what reads source code by its grammar, in a process of its own. All rooms use the same one."""


PRODUCT = Parts()

HOUSE_JOBS = (recovery.JOB, *upkeep_services.JOBS)
"""The names of jobs that belong to no room."""


def declared_by(parts: Parts) -> Gathered:
    """All that the rooms declare. An incomplete or repeated declaration is an error with a sentence."""
    declared = gather(parts.rooms, parts.house_tools, VERBS, HOUSE_JOBS)
    check_program(parts.program, parts.rooms)
    return declared


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
    base = _base(home, loaded, scrubber, store, parts, declared or declared_by(parts))
    queues = Queues(
        store,
        f"{socket.gethostname()}:{home.root}",
        base.declared.jobs,
        clean=lambda text: scrubber.text(text).text,
        now=parts.now,
    )
    follower = Follower(store, queues.jobs.home, base.program, parts.unknown, base.meter, base.services)
    road = _road(base, queues.jobs, follower, pocket)
    drain = Drain(road, home.spool, pocket)
    recovering = Recovery(road, store, drain)
    items, sentences = _items(base)
    asks = parts.jobs or queues
    _add_house_services(base, road, items, sentences)
    _build_rooms(base, road, items, asks)
    queues.kinds[recovery.JOB] = recovering.run
    for full, job in base.declared.jobs.items():
        (queues.slow_kinds if job.slow else queues.kinds)[full] = job_function(full, job, base.services, road, asks)
    made = Composition(
        home=home,
        config=loaded.config,
        unknown_keys=loaded.unknown,
        owner=base.owner,
        now=parts.now,
        store=store,
        scrubber=scrubber,
        declared=base.declared,
        program=base.program,
        road=road,
        meter=base.meter,
        jobs=queues.jobs,
        slow_jobs=queues.slow_jobs,
        kinds=ChainMap(queues.kinds, queues.slow_kinds),
        follower=follower,
        sentences=sentences,
        items=items,
        drain=drain,
        recovery=recovering,
        pocket=pocket,
        services=base.services,
        started_at=parts.now(),
    )
    upkeep_services.furnish(made, queues.slow_kinds, days_of(base.declared.rooms, loaded.section))
    return made


@dataclass(frozen=True, slots=True)
class _Base:
    """What road, items and rooms of one composition are made from."""

    home: Home
    loaded: config.Loaded
    scrubber: Scrubber
    store: Store
    parts: Parts
    declared: Gathered
    owner: str
    program: Program
    meter: Meter
    projects: ProjectFiles
    atlas: Atlas
    recording: Recording
    services: Registry = field(default_factory=Registry)


def _base(
    home: Home, loaded: config.Loaded, scrubber: Scrubber, store: Store, parts: Parts, declared: Gathered
) -> _Base:
    owner = parts.owner or pwd.getpwuid(os.getuid()).pw_name
    projects = ProjectFiles(config.other_names(declared.rooms))
    atlas = Atlas(lambda root: projects.at(root).name or loaded.config.project)
    return _Base(
        home=home,
        loaded=loaded,
        scrubber=scrubber,
        store=store,
        parts=parts,
        declared=declared,
        owner=owner,
        program=with_caps(parts.program, caps_of(config.all_sections(declared.rooms).values(), loaded.section)),
        meter=Meter(owner),
        projects=projects,
        atlas=atlas,
        recording=Recording(PauseFile(home.pauses), projects, atlas.find, captures=loaded.config.capture),
    )


def _road(base: _Base, jobs: Jobs, follower: Follower, pocket: MemorySpool) -> Road:
    home, parts = base.home, base.parts

    def on_recover(tx: Tx, event: Event) -> None:
        recovery.ask(jobs, tx, event)

    return Road(
        program=base.program,
        unknown=parts.unknown,
        store=base.store,
        scrubber=base.scrubber,
        atlas=base.atlas,
        windows=Windows(base.store, base.owner),
        meter=base.meter,
        services=base.services,
        owner=base.owner,
        on_recover=on_recover,
        put_aside=pocket.put,
        recording=base.recording,
        projects=base.projects,
        clients=RunningClients(partial(restarts.ask, home.restarts), partial(restarts.owner, home.restarts)),
        reach=Reach(home.root == platform_home()),
        signs=base.loaded.config.sign_of_life,
        now=parts.now,
        follower=follower if parts.follows else None,
        patience=parts.patience,
    )


def _items(base: _Base) -> tuple[Items, Sentences]:
    """The service of every room's items, and the sentence model beside it."""
    clean = partial(clean_value, base.scrubber)
    items = Items(base.store, base.owner, now=base.parts.now, clean=clean, locate=base.atlas.locate)
    sentences = Sentences(base.store, base.loaded.config.recall.model, base.home.root / "vectors", items.texts)
    items.near = sentences.near
    return items, sentences


def _add_house_services(base: _Base, road: Road, items: Items, sentences: Sentences) -> None:
    """Add the services that belong to no room."""
    assembler = ContextAssembler(items, base.services)
    chosen = base.loaded.config
    injecting = Injecting(chosen.inject, chosen.user_prompt_submit)
    for service in (sentences, items, assembler, injecting, Heads(), ProgressBoard(), Announced(), road.clients):
        base.services.add(service)
    base.services.add(Endings(partial(_travel, road)))


def _build_rooms(base: _Base, road: Road, items: Items, asks: AsksForJobs) -> None:
    """Build every room on its ground. Gather their items, and what they know for assembled contexts."""
    rooms, services = base.declared.rooms, base.services
    indexes: list[tuple[tuple[Family, ...], Indexed]] = []
    parser = base.parts.parser()
    for room in rooms:
        ground = Ground(
            store=base.store,
            owner=base.owner,
            now=base.parts.now,
            clean=partial(clean_value, base.scrubber),
            locate=base.atlas.locate,
            jobs=RoomJobs(room, asks),
            items=items,
            folder=base.home.root / room.name,
            chosen=base.loaded.section,
            is_running=road.clients.is_running,
            is_recorded=partial(base.recording.is_recorded, base.parts.now),
            parser=parser,
            allowed=base.loaded.config.scrub.allow,
        )
        for service in built(room, ground):
            services.add_of_room(service, room.name)
        if room.index is not None:
            indexes.append((room.families, indexed(room, ground)))
    items.gather(indexes)
    services.get(ContextAssembler).gather(
        [room.context for room in rooms if room.context is not None],
        [room.files(services) for room in rooms if room.files is not None],
        [room.symbols(services) for room in rooms if room.symbols is not None],
        [room.partners(services) for room in rooms if room.partners is not None],
        [room.names_tests(services) for room in rooms if room.names_tests is not None],
    )


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
