"""REST: health, status, the journal, metrics, a backup. What the command line and scripts ask."""

from __future__ import annotations

import asyncio
import logging
import os
from dataclasses import asdict, dataclass, field
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from holdfast import __version__, lock, spool
from holdfast.build import Running
from holdfast.composition import Composition
from holdfast.doors.answers import LEAVE, decoded, json_response, read_body
from holdfast.doors.callers import caller_of, whereabouts_of
from holdfast.doors.descriptions import openapi
from holdfast.doors.pane import pane_of, rooms_parts
from holdfast.errors import NothingFound, StoreError
from holdfast.events.caller import Caller
from holdfast.events.client import UNKNOWN
from holdfast.items.seen import session_named
from holdfast.paths import named
from holdfast.road.meter import exposition, summary
from holdfast.rooms.room import Check
from holdfast.store.interface import Reader, Size, Value
from holdfast.times import DAY_US

log = logging.getLogger(__name__)

_ACTIVE_US = 30 * 60 * 1_000_000
_MOST_ROWS = 10_000
_LAST_US = 2**63 - 1
_GROWTH_DAYS = 7
_STORE_SECONDS = 2.0
_ROOM_SECONDS = 1.0
"""How long one room may take to tell its part of `status`."""
_CLIENTS_US = 30 * DAY_US
"""Clients that were seen within this time are named."""


class _Backup(msgspec.Struct):
    path: str


def rest_routes(composition: Composition, port: int, running: Running) -> list[Route]:
    """The routes of this door. `running` was made while the daemon started: later the files may be others."""
    door = _RestDoor(composition, port, running)
    return [
        Route("/api/health", door.health),
        Route("/api/openapi.json", door.described),
        Route("/api/checks", door.checks),
        Route("/api/status", door.status),
        Route("/api/pane", door.pane),
        Route("/api/journal", door.journal),
        Route("/api/backup", door.backup, methods=["POST"]),
        Route("/metrics", door.metrics),
    ]


@dataclass(frozen=True, slots=True)
class _RestDoor:
    """One method for each path."""

    composition: Composition
    port: int
    running: Running

    async def health(self, request: Request) -> Response:
        answer = json_response({"status": "ok", "version": __version__})
        answer.headers.update(LEAVE)
        return answer

    async def described(self, request: Request) -> Response:
        return json_response(openapi(self.composition.declared))

    async def checks(self, request: Request) -> Response:
        found = [await _examined(check, self.composition) for check in self.composition.declared.checks.values()]
        return json_response([each for each in found if each])

    async def status(self, request: Request) -> Response:
        answer = await status_of(self.composition, self.port, self.running)
        if recording := self.composition.road.recording:
            session, folder = whereabouts_of(self.composition, request.headers)
            answer["recording"] = recording.state(session, folder, self.composition.now())
        return json_response(answer)

    async def pane(self, request: Request) -> Response:
        return json_response(await pane_of(self.composition, await caller_of(self.composition, request.headers)))

    async def journal(self, request: Request) -> Response:
        asked = request.query_params
        try:
            since, limit = (int(asked.get(name, usual)) for name, usual in (("since", 0), ("limit", 50)))
        except ValueError:
            return json_response({"error": "since (microseconds) and limit are whole numbers."}, 400)
        common: dict[str, Value] = {
            "conversation": await self._session(asked.get("session", "")),
            "event": asked.get("event", ""),
            "owner": self.composition.owner,
            "limit": max(1, min(limit, _MOST_ROWS)),
        }

        def rows(reader: Reader) -> list[dict[str, Any]]:
            if after := asked.get("after"):
                return reader.all("journal.after", id=after, **common)
            return reader.all("journal.list", since=max(0, min(since, _LAST_US)), **common)[::-1]

        return json_response([entry_of(row) for row in await self.composition.store.read(rows)])

    async def _session(self, named: str) -> str:
        """The whole id of the session that begins so. Of some sessions the journal alone knows."""
        if not named:
            return ""
        store, owner = self.composition.store, self.composition.owner
        try:
            return (await store.read(lambda reader: session_named(reader, named, owner)))[0]
        except NothingFound:
            return named

    async def backup(self, request: Request) -> Response:
        target = named(decoded(await read_body(request), _Backup).path)
        if os.path.lexists(target):
            return json_response({"error": f"{target} is there already; a backup overwrites nothing."}, 409)
        if not target.parent.is_dir():
            return json_response({"error": f"There is no folder {target.parent}."}, 400)
        await self.composition.store.backup(target)
        return json_response({"path": str(target), "bytes": target.stat().st_size})

    async def metrics(self, request: Request) -> Response:
        counts = self.composition.meter.counts()
        return PlainTextResponse(exposition(counts), media_type="text/plain; version=0.0.4")


async def _examined(check: Check, composition: Composition) -> dict[str, str]:
    """What a room's check says; a check that fails says so itself."""
    try:
        sentence = await check.examine(composition.services)
    except Exception as error:
        log.exception("the check %s failed", check.name)
        sentence = f"The check could not be made ({type(error).__name__}). The daemon's log has the details."
    return {"name": check.name, "sentence": sentence or "", "fine": check.fine}


def entry_of(row: dict[str, Any]) -> dict[str, Any]:
    """A journal row as people and scripts see it: `session_id` is the client's session, the payload is JSON."""
    return {
        "id": row["id"],
        "event": row["event"],
        "session_id": row["conversation"],
        "agent_id": row["agent_id"] or None,
        "time": row["happened_at"],
        "received": row["received_at"],
        "source": row["source"],
        "client": {"name": row["client"] or UNKNOWN, "version": row["client_version"]},
        "window": row["session_id"],
        "project_id": row["project_id"],
        "prompt_id": row["prompt_id"],
        "tool_name": row["tool_name"],
        "tool_use_id": row["tool_use_id"],
        "scrubbed": row["scrubbed"].split(",") if row["scrubbed"] else [],
        "cut": row["cut_bytes"],
        "payload": msgspec.Raw(row["payload"].encode()),
    }


async def status_of(composition: Composition, port: int, running: Running) -> dict[str, Any]:
    """What `status --json` prints of a running daemon. A store that does not answer is named, and not waited for."""
    home, store, gate = composition.home, composition.store, composition.road.gate
    looking = asyncio.ensure_future(asyncio.to_thread(lambda: (running.build, running.is_outdated(at_once=True))))
    try:
        async with asyncio.timeout(_STORE_SECONDS):
            numbers, trouble = await _numbers_of(composition), gate.cause
    except (StoreError, TimeoutError) as error:
        slow = f"The store does not answer within {_STORE_SECONDS:.0f} s; it may be locked."
        numbers, trouble = _Numbers(), gate.cause or (str(error) or slow)
    size, sessions = numbers.size, numbers.sessions
    build, is_outdated = await looking
    fault = composition.road.last_fault
    follow_ups = size.rows.get("follow_up", 0)
    by_state = numbers.jobs
    signed = lock.holder(home.lock) or {}
    answer = {
        "running": True,
        "version": __version__,
        "build": build,
        "outdated": is_outdated,
        "pid": os.getppid(),
        "worker_pid": os.getpid(),
        "guardian_pid": signed.get("guardian_pid"),
        "hung_workers": int(signed.get("hung") or 0),
        "url": f"http://127.0.0.1:{port}",
        "socket": str(home.socket),
        "token_file": str(home.token),
        "home": str(home.root),
        "started_at": composition.started_at,
        "store": {"kind": store.kind, "url": store.url, "bytes": size.bytes, "rows": dict(size.rows)}
        | {"trouble": trouble, "trouble_since": gate.since if trouble else None}
        | numbers.growth
        | _remembered(composition),
        "queue": {
            "jobs": by_state.get("waiting", 0) + by_state.get("running", 0) + follow_ups,
            "failed_jobs": by_state.get("failed", 0),
            "spool": len(spool.waiting(home.spool)),
            "bad_spool": len(list(spool.bad(home.spool))),
            "memory": len(composition.pocket),
            "lost": sum(names.get("lost", 0) for names in composition.meter.counts().values()),
            "not_kept": spool.not_kept(home.spool),
        },
        "events": summary(composition.meter.counts()),
        "sessions": {"active": int(sessions.get("active") or 0), "total": int(sessions.get("total") or 0)},
        "clients": numbers.clients,
        "pane": numbers.pane,
        "model": {"id": composition.sentences.model, "problem": composition.sentences.problem},
        "last_fault": dict(zip(("time", "sentence"), fault, strict=True)) if fault else None,
        "unknown_settings": list(composition.unknown_keys),
    }
    rooms, lines = await _told_by_rooms(composition, {*answer, "lines", "recording"})
    return answer | {"lines": lines} | rooms


@dataclass(frozen=True, slots=True)
class _Numbers:
    """What the store says about itself; empty while it says nothing."""

    size: Size = field(default_factory=lambda: Size(0, {}))
    sessions: dict[str, Any] = field(default_factory=dict)
    jobs: dict[str, int] = field(default_factory=dict)
    growth: dict[str, Any] = field(default_factory=lambda: {"tables": {}, "growth": None})
    clients: dict[str, int] = field(default_factory=dict)
    pane: list[dict[str, Any]] = field(default_factory=list)


async def _numbers_of(composition: Composition) -> _Numbers:
    store = composition.store
    size = await store.size()

    def counts(reader: Reader) -> tuple[dict[str, Any], dict[str, int], list[dict[str, Any]]]:
        now, owner = composition.now(), composition.owner
        sessions = reader.one("session.counts", owner=owner, since=now - _ACTIVE_US)
        clients = reader.all("session.clients", owner=owner, since=now - _CLIENTS_US)
        return sessions or {}, composition.jobs.counts(reader), clients

    sessions, jobs, clients = await store.read(counts)
    grown = await growth_of(composition, size.bytes)
    programs = {str(row["client"]): int(row["sessions"]) for row in clients}
    caller = Caller(composition.services, composition.owner, composition.now)
    return _Numbers(size, sessions, jobs, grown, programs, await rooms_parts(composition, caller))


async def _told_by_rooms(composition: Composition, taken: set[str]) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """What rooms say of themselves. One that cannot be asked, or that fails, says so itself, and so does one that
    uses a name of the house's (`taken`) or of another room's: the rest of `status` is always told."""
    values: dict[str, Any] = {}
    lines: list[tuple[str, str]] = []
    for room in composition.declared.rooms:
        if room.status is None:
            continue
        try:
            async with asyncio.timeout(_ROOM_SECONDS):
                told = await room.status(composition.services)
                own, said = dict(told.values), [(str(name), str(text)) for name, text in told.lines]
        except (StoreError, TimeoutError):
            lines.append((room.name, "not known while the store does not answer"))
            continue
        except Exception as error:
            log.exception("the status of the room %s failed", room.name)
            lines.append((room.name, f"not known ({type(error).__name__}; the daemon's log has the details)"))
            continue
        for name in sorted(own.keys() & (taken | values.keys())):
            log.error("the room %s uses the name %s in its status, which is taken", room.name, name)
            lines.append((room.name, f"its value `{name}` is not shown: begin its name with {room.name}"))
            del own[name]
        values |= own
        lines += said
    return values, lines


def _remembered(composition: Composition) -> dict[str, Any]:
    """What the home has to say about its store: when it was found whole and copied, and what went wrong."""
    known = composition.record.read() if composition.record else None
    if known is None:
        return {"checked_at": None, "backed_up_at": None, "note": None, "restored": None}
    return {
        "checked_at": known.checked_at or None,
        "backed_up_at": known.backed_up_at or None,
        "note": known.note or None,
        "restored": asdict(known.refill) if known.refill else None,
    }


async def growth_of(composition: Composition, bytes_now: int) -> dict[str, Any]:
    """Bytes per table as they were last measured, and how much was added in the last seven days (as far as known)."""
    today = composition.now() // DAY_US
    rows = await composition.store.read(lambda reader: reader.all("upkeep.growth_since", day=today - _GROWTH_DAYS))
    whole = [row for row in rows if row["name"] == ""]
    last = whole[-1]["day"] if whole else None
    tables = {str(row["name"]): int(row["bytes"] or 0) for row in rows if row["day"] == last and row["bytes"]}
    tables.pop("", None)
    if not whole:
        return {"tables": {}, "growth": None}
    days, before = today - int(whole[0]["day"] or 0), int(whole[0]["bytes"] or 0)
    return {"tables": tables, "growth": {"days": days, "bytes": bytes_now - before}}
