"""The fleet: the table of 200 agents beside `GET /api/health` and `GET /api/status`, and what following costs an event.

The table is asked of a real daemon by its Unix socket, in turn with both baselines. The step is called on events as the
road calls it, without the commit; how many of them write a row is counted.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from pathlib import Path
from typing import Any

from bench.figures import Report, Row, Sample, main
from tests.conversations.talk import Talk
from tests.support.daemon import DaemonHome

from holdfast.events.answer import Part
from holdfast.events.parse import parse
from holdfast.events.scene import Place, Scene
from holdfast.ids import EntryId, WindowId
from holdfast.program import CATALOG
from holdfast.rooms.fleet.hooks import follow
from holdfast.rooms.fleet.service import Fleet
from holdfast.store import open_store, sqlite_url
from holdfast.store.interface import Tx

AGENTS = 200
PLACE = Place("p", "p", "w", "/p", WindowId("x"), 1)
_STATUSES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("UserPromptSubmit", {"prompt": "go"}),
    ("PermissionRequest", {"tool_name": "Bash", "tool_input": {"command": "rm -rf build"}}),
    ("StopFailure", {"error": "rate_limit"}),
    ("Stop", {}),
)


def _turn(number: int) -> list[dict[str, Any]]:
    """A prompt, ten tools and a Stop."""
    call = {"tool_name": "Bash", "tool_input": {"command": "pytest -q"}, "permission_mode": "default"}
    uses = [call | {"tool_use_id": f"u{number}-{each}"} for each in range(10)]
    tools = [
        {"hook_event_name": name} | use | ({"tool_response": {"stdout": "ok"}} if name == "PostToolUse" else {})
        for use in uses
        for name in ("PreToolUse", "PostToolUse")
    ]
    return [
        {"hook_event_name": "UserPromptSubmit", "prompt": "go"},
        *tools,
        {"hook_event_name": "Stop", "background_tasks": []},
    ]


async def _step(turns: int, rounds: int) -> tuple[list[float], float]:
    """Microseconds of the step per event, in each round; rows written per event."""
    with tempfile.TemporaryDirectory() as folder:
        store = await open_store(sqlite_url(Path(folder) / "bench.db"), CATALOG, backups=Path(folder) / "backups")
        talk = Talk(store)
        await talk.services.get(Fleet).roster.load()
        at, took, rows, events = 1_800_000_000_000_000, list[float](), 0, 0
        for _ in range(rounds):
            work = []
            for number in range(turns):
                for fields in _turn(number):
                    at += 1_000
                    scene = Scene(EntryId("e"), at, "me", "http", PLACE, talk.services, store.read)
                    work.append((parse({"session_id": f"s{number % AGENTS}", "cwd": "/p"} | fields), scene))
            seconds = 0.0
            for event, scene in work:
                began = time.perf_counter()
                part = follow(event, scene)
                seconds += time.perf_counter() - began
                if isinstance(part, Part):
                    rows += 1
                    await store.write(lambda tx, part=part: _record(tx, part))  # type: ignore[misc]
                    _committed(part)
            took.append(seconds / len(work) * 1_000_000)
            events += len(work)
        await talk.service.close()
        await store.close()
        return took, rows / events


def _record(tx: Tx, part: Part) -> None:
    if part.record:
        part.record(tx)


def _committed(part: Part) -> None:
    if part.after:
        part.after()


def _milliseconds(daemon: DaemonHome, method: str, path: str) -> float:
    began = time.perf_counter()
    status, answer = daemon.request(method, path, b"{}" if method == "POST" else None)
    took = time.perf_counter() - began
    if status != 200 or (method == "POST" and len(answer["result"]) != AGENTS):
        raise RuntimeError(f"{path}: {status} {str(answer)[:200]}")
    return took * 1_000


def _table(rounds: int) -> dict[str, list[float]]:
    """Milliseconds of each request, in turn."""
    asked = {
        "table": ("POST", "/api/tools/fleet/lines?width=80"),
        "health": ("GET", "/api/health"),
        "status": ("GET", "/api/status"),
    }
    daemon = DaemonHome()
    try:
        daemon.start()
        for number in range(AGENTS):
            name, fields = _STATUSES[number % len(_STATUSES)]
            told = {"session_id": f"session-{number}", "cwd": f"/p{number % 20}", "hook_event_name": name} | fields
            daemon.post(name, json.dumps(told).encode())
        found: dict[str, list[float]] = {name: [] for name in asked}
        for _ in range(rounds):
            for name, request in asked.items():
                found[name].append(_milliseconds(daemon, *request))
        return found
    finally:
        daemon.remove()


def measure(options: argparse.Namespace) -> Report:
    rounds = 20 if options.quick else options.rounds
    table = {name: Sample.of(values) for name, values in _table(rounds).items()}
    took, rows = asyncio.run(_step(20 if options.quick else 200, 3 if options.quick else 9))
    return Report(
        "The fleet",
        "FLT-2",
        "`GET /api/health` or `GET /api/status` of the same daemon, in turn",
        [
            Row(f"table of {AGENTS} agents, beside health", "ms", table["table"], table["health"]),
            Row("the same, beside status", "ms", table["table"], table["status"]),
            Row("the step that follows an agent", "µs per event", Sample.of(took)),
            Row("rows that it writes", "per event", Sample.one(rows)),
        ],
        (f"{rounds} requests of each kind, alternating. A turn is a prompt, ten tools and a Stop.",),
    )


if __name__ == "__main__":
    main(measure, __doc__ or "", "python -m bench.fleet --rounds 200", rounds=(200, "requests of each kind"))
