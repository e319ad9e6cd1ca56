"""The worker: one process and one event loop that answer every request to the daemon.

It is handed the listening sockets and a life line. When the life line breaks the supervisor is gone: the worker
finishes what it has and ends, and the guardian, which has the sockets too, starts the next supervisor.
"""

from __future__ import annotations

import asyncio
import faulthandler
import gc
import logging
import os
import resource
import signal
import socket
import sys
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import uvicorn

from holdfast import config, lock, spool
from holdfast.build import Running
from holdfast.composition import Composition
from holdfast.daemon.app import make_app
from holdfast.daemon.compose import PRODUCT, Parts, compose, declared_by, read_token, scrubber_of
from holdfast.daemon.logs import open_log, open_stacks
from holdfast.daemon.protocol import Connection
from holdfast.daemon.sockets import BACKLOG, adopt
from holdfast.daemon.storewatch import Rhythm, StoreWatch
from holdfast.daemon.supervisor import BEAT, HUNG_SECONDS
from holdfast.daemon.waiting import Entrance, WaitingRoom, patiently
from holdfast.errors import HoldfastError, StoreAway, StoreUnfit
from holdfast.events.event import JsonObject
from holdfast.offline_decision import decided_alone
from holdfast.paths import Home, claude_config_dir
from holdfast.patterns import compile_waiting, leave_waiting
from holdfast.road.backfill import Backfill
from holdfast.road.journal import Arrival
from holdfast.road.memory_spool import MemorySpool
from holdfast.road.recording import recording_alone
from holdfast.road.refill import Refill
from holdfast.road.spooling import SpoolsEvents
from holdfast.scrub import Scrubber

log = logging.getLogger("holdfast.worker")

_KEEP_ALIVE = 3600
"""Seconds an idle connection is kept. The client keeps one per session; uvicorn's 5 s would cut it between turns."""
_DRAIN_SECONDS = 5
_OPEN_SECONDS = 0.9
"""How long hooks wait for the store to be opened; after that they go into the spool until it is."""
_FLUSH_SECONDS = 5.0
_DESCRIPTORS = 16_384
_NAME_SECONDS = 1.0
_BEAT_SECONDS = 1.0
_PATTERNS_SECONDS, _PATTERN_PAUSE = 0.5, 0.002
"""When patterns that no event has needed yet are compiled, and the rest after each."""
_YOUNG_OBJECTS = 5_000
"""New objects after which the collector looks for cycles. An event makes hundreds that go by themselves when it is
answered: at the usual 700 those of a crowd are looked through, in vain, several times each."""
_STREAMS = 2
"""The last of the three standard streams."""
_STACK_BYTES = 2 * 1024 * 1024
"""Per thread, instead of the usual 8 MiB."""


async def serve(
    home: Home, tcp: socket.socket, unix: socket.socket, life: socket.socket, parts: Parts = PRODUCT
) -> None:
    """Serve until asked to stop, or until the supervisor is gone."""
    declared_by(parts)  # before anything else speaks of the rooms
    loaded = config.load(home.config, rooms=parts.rooms)
    scrubber = scrubber_of(loaded.config)
    open_log(home.logs, loaded.config.log.level, scrubber)
    for name in loaded.unknown:
        log.warning("unknown setting %s: ignored", name)
    _tell_of_the_last_one(home)
    life.setblocking(False)
    port = tcp.getsockname()[1]
    entrance = Entrance()
    server = uvicorn.Server(_settings(entrance))
    tasks: list[asyncio.Task[None]] = []
    pocket = MemorySpool(home.spool)

    async def begin() -> Composition:
        composition = await compose(home, loaded, scrubber, parts, pocket)
        running = Running()
        entrance.app = make_app(composition, port, read_token(home), running)
        tasks.extend(_duties(composition))
        tasks.append(asyncio.create_task(_name_build(running)))
        tasks.append(asyncio.create_task(_store_watch(composition, server).run()))
        # What was made until now stays for good. The collector would look at all of it again and again, and nobody
        # gets the interpreter meanwhile (SEC-7).
        gc.freeze()
        tasks.append(asyncio.create_task(_compile_patterns()))
        return composition

    opening = asyncio.ensure_future(begin())
    await asyncio.wait({opening}, timeout=_OPEN_SECONDS)
    away = opening.exception() if opening.done() else None
    if away is not None and not isinstance(away, StoreAway | StoreUnfit):
        raise away
    gc.set_threshold(_YOUNG_OBJECTS)
    gc.enable()  # `launch` switched it off; also a daemon that waits for its store goes on
    if away is not None or not opening.done():
        room = _waiting_room(home, scrubber, pocket, port, away)
        entrance.app = room.app
        first = None if away is not None else opening
        opening = asyncio.ensure_future(_begin_later(begin, room, server, first))
    tasks.append(asyncio.create_task(_watch(life, server)))
    tasks.append(asyncio.create_task(_beat(life, server)))
    _settle_signals(home)
    try:
        await server.serve(sockets=[tcp, unix])
    finally:
        await _wind_up(opening, tasks, pocket)


def _tell_of_the_last_one(home: Home) -> None:
    signed = lock.holder(home.lock) or {}
    if signed.get("revived"):
        log.warning("the daemon before this one was killed; its guardian started this one")
    if signed.get("after_hang"):
        log.error("the worker before this one was silent for %.0f s and was replaced; see hung.log", HUNG_SECONDS)


def _waiting_room(
    home: Home, scrubber: Scrubber, pocket: MemorySpool, port: int, away: StoreAway | StoreUnfit | None
) -> WaitingRoom:
    """What answers until the store is open: it spools events, and guards decide."""
    aside = SpoolsEvents(
        scrubber,
        partial(_put_aside, pocket, home.spool),
        recording_alone(home.root),
        partial(decided_alone, home),
    )
    return WaitingRoom(home, aside, port=port, token=read_token(home), away=away)


def _settle_signals(home: Home) -> None:
    """SIGUSR1 writes the stacks. uvicorn finishes the requests under way, then raises a signal to end again for whoever
    was there before it: by default that would end us before the store is closed."""
    faulthandler.register(signal.SIGUSR1, open_stacks(home.logs))
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: None)


def _put_aside(pocket: MemorySpool, folder: Path, arrival: Arrival, event: str, payload: JsonObject) -> str:
    """Without a store there are no counters: what is lost is counted beside the spool."""
    kept = pocket.put(arrival, event, payload)
    if not kept:
        spool.count_unkept(folder)
    return kept


def _settings(app: Entrance) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        interface="asgi3",
        http=Connection,
        ws="none",
        lifespan="off",
        access_log=False,
        log_config=None,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        timeout_keep_alive=_KEEP_ALIVE,
        timeout_graceful_shutdown=_DRAIN_SECONDS,
        backlog=BACKLOG,
    )


def _duties(composition: Composition) -> list[asyncio.Task[None]]:
    """The background tasks."""
    return [
        asyncio.create_task(composition.follower.run()),
        asyncio.create_task(composition.sentences.run()),
        asyncio.create_task(composition.jobs.run()),
        asyncio.create_task(composition.slow_jobs.run()),
        asyncio.create_task(
            _every(_FLUSH_SECONDS, "writing the counts", lambda: composition.meter.flush(composition.store))
        ),
        asyncio.create_task(_every(_FLUSH_SECONDS, "emptying the spool", lambda: _drain(composition))),
        asyncio.create_task(_watch_store(composition)),
        asyncio.create_task(_read_back(composition)),
    ]


async def _name_build(running: Running) -> None:
    """While the files are those that were loaded, and after the events that waited for the start."""
    await asyncio.sleep(_NAME_SECONDS)
    await asyncio.to_thread(lambda: running.build)


async def _compile_patterns() -> None:
    """Before an event needs them, and after those that waited for the start."""
    await asyncio.sleep(_PATTERNS_SECONDS)
    try:
        await asyncio.to_thread(compile_waiting, _PATTERN_PAUSE)
    finally:
        leave_waiting()


async def _drain(composition: Composition) -> None:
    """Not while the gate is closed: its own probe asks the store."""
    if composition.road.gate.cause is None:
        await composition.drain.run()


async def _watch_store(composition: Composition) -> None:
    """Opens the gate before the store when the store answers again."""
    store = composition.store
    await composition.road.gate.run(
        lambda: store.write(lambda tx: tx.run("journal.probe")), composition.drain.run_or_say
    )


async def _read_back(composition: Composition) -> None:
    """Once after a restore: read from the transcripts what the backup does not have."""
    record = composition.record
    known = record.read() if record else None
    wanted = known.refill if known else None
    if record is None or wanted is None or wanted.is_done:
        return

    def done(events: int) -> None:
        record.change(refill=replace(wanted, is_done=True, events=events))

    try:
        await composition.drain.run()
        back = Refill(composition.store, composition.recovery, composition.services.get(Backfill), claude_config_dir())
        await back.run(wanted.since, done)
    except HoldfastError as error:
        log.warning("the transcripts since the restored backup are read at the next start: %s", error)


def _store_watch(composition: Composition, server: uvicorn.Server) -> StoreWatch:
    def leave() -> None:
        server.should_exit = True

    assert composition.record is not None
    return StoreWatch(
        composition.home,
        composition.store,
        composition.record,
        copies=composition.config.store.backups,
        leave=leave,
        rhythm=Rhythm(),
    )


async def _begin_later(
    begin: Callable[[], Awaitable[Composition]],
    room: WaitingRoom,
    server: uvicorn.Server,
    first: Awaitable[Composition] | None,
) -> Composition:
    """What the store complains of once it can be reached (a password) ends the worker, too.

    `first` is the first try, which is still under way when the store is only slow.
    """
    try:
        composition = await _first(first, room) if first else None
        if composition is None:
            composition = await patiently(begin, room.still)
    except BaseException:
        server.should_exit = True
        raise
    room.leave()
    return composition


async def _first(opening: Awaitable[Composition], room: WaitingRoom) -> Composition | None:
    try:
        return await opening
    except (StoreAway, StoreUnfit) as away:
        room.still(away)
        return None


async def _wind_up(opening: asyncio.Future[Composition], tasks: list[asyncio.Task[None]], pocket: MemorySpool) -> None:
    """Raise the error that kept the store closed, unless the store was only away."""
    opening.cancel()
    await asyncio.gather(opening, return_exceptions=True)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    lost = pocket.close()
    if opening.cancelled():
        return
    composition = opening.result()
    if composition.store.health.found is not None:
        # Closing would fold the log into whatever file has the store's name now. The next worker takes over.
        logging.shutdown()
        os._exit(0)
    for event in lost:
        composition.meter.count(event, "lost")
    try:
        await composition.meter.flush(composition.store)
    except HoldfastError as error:
        log.warning("the last counts of `status` were not stored: %s", error)
    await composition.store.close()


async def _watch(life: socket.socket, server: uvicorn.Server) -> None:
    """Tell the supervisor that we are ready, then wait for it to die."""
    while not server.started:  # noqa: ASYNC110 (uvicorn offers no event for it)
        await asyncio.sleep(0.005)
    loop = asyncio.get_running_loop()
    try:
        await loop.sock_sendall(life, b"ready\n")
        while await loop.sock_recv(life, 64):
            pass
    except OSError:
        pass
    log.warning("the supervisor is gone, so this worker ends; the guardian starts the next ones")
    server.should_exit = True


async def _beat(life: socket.socket, server: uvicorn.Server) -> None:
    """Tell the supervisor every second that the loop turns; one that does not is replaced."""
    loop = asyncio.get_running_loop()
    while not server.started:  # noqa: ASYNC110 (uvicorn offers no event for it)
        await asyncio.sleep(0.05)
    with suppress(OSError):
        while True:
            await loop.sock_sendall(life, BEAT)
            await asyncio.sleep(_BEAT_SECONDS)


async def _every(seconds: float, name: str, work: Callable[[], Awaitable[object]]) -> None:
    while True:
        try:
            await work()
        except HoldfastError as error:
            log.warning("%s", error)
        except Exception:
            log.exception("%s failed; it is tried again", name)
        await asyncio.sleep(seconds)


def main(arguments: list[str], parts: Parts = PRODUCT) -> int:
    """`HOME TCP UNIX LIFE`: the home, and the descriptors handed over by the supervisor."""
    home = Home(Path(arguments[0]))
    tcp_fd, unix_fd, life_fd = map(int, arguments[1:])
    # The loop and the writer share the interpreter. At the default of 5 ms a busy loop makes every commit wait that
    # long for its turn, several times over.
    sys.setswitchinterval(0.0005)
    threading.stack_size(_STACK_BYTES)
    _allow_many_connections()
    _keep_descriptors()
    tcp, unix, life = adopt(tcp_fd), adopt(unix_fd), adopt(life_fd)
    try:
        uvloop_run(serve(home, tcp, unix, life, parts))
    except (HoldfastError, OSError) as error:
        log.error("the worker ends: %s", error, exc_info=error.__cause__)
        life.setblocking(True)
        life.sendall(_sentence(error).encode("utf-8", "replace"))
        return 1
    except Exception:
        log.exception("the worker failed")
        raise
    return 0


def _keep_descriptors() -> None:
    """What the supervisor handed over is not for the programs that this process starts. One of it has no name here:
    the line by which the guardian notices the end of this process."""
    for name in os.listdir("/dev/fd"):
        with suppress(OSError):
            os.set_inheritable(int(name), int(name) <= _STREAMS)


def _sentence(error: HoldfastError | OSError) -> str:
    if isinstance(error, HoldfastError):
        return str(error)
    return f"{error.filename or 'The system'} gave the daemon an error it cannot work with: {error.strerror or error}."


def _allow_many_connections() -> None:
    """Raise the limit of open files: 200 agents soon use up the usual 1024."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, _DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError):
            log.warning("only %d descriptors may be open at once", soft)


def uvloop_run(work: Awaitable[None]) -> None:
    import uvloop

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(work)  # type: ignore[arg-type]
