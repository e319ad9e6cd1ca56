"""RPC: the round trip of `hooks.preToolUse` beside `GET /api/health`, and whether fifty clients lose an increment.

Both are asked in turns, each call on a new connection of the Unix socket. Then fifty clients tell of tool calls in five
windows of one effort for half a minute; every count must be answered once.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

from bench.figures import Report, Row, Sample, main, quantile
from bench.stand import daemon
from tests.support.daemon import DaemonHome
from tests.support.rpc_load import Script, beat

_CLIENTS, _SESSIONS = 50, 5
_WARMING = 50


async def round_trips(home: DaemonHome, folder: Path, calls: int) -> tuple[list[float], list[float]]:
    """Milliseconds of `calls` calls of each kind, taken in turns."""
    ours, base = [], []
    socket = home.home.socket
    about = {"session_id": "alone", "cwd": str(folder), "tool_name": "Bash", "tool_input": {"command": "ls -l"}}
    async with Script.connected(socket) as script:
        await script.rpc("hooks.sessionStart", session_id="alone", cwd=str(folder))
        await script.rpc("effort.start", skill="bench", session_id="alone", task=str(folder), heartbeat="warn")
    for number in range(calls + _WARMING):
        began = time.perf_counter()
        async with Script.connected(socket) as script:
            await script.rpc("hooks.preToolUse", **about, tool_use_id=f"alone-{number}")
        middle = time.perf_counter()
        async with Script.connected(socket) as script:
            await script.ask("GET", "/api/health")
        ended = time.perf_counter()
        if number >= _WARMING:
            ours.append((middle - began) * 1e3)
            base.append((ended - middle) * 1e3)
    async with Script.connected(socket) as script:
        await script.rpc("effort.finish", session_id="alone")
    return sorted(ours), sorted(base)


def measure(options: argparse.Namespace) -> Report:
    seconds = 3.0 if options.quick else float(options.seconds)
    calls = 300 if options.quick else int(options.calls)
    with daemon() as stand, tempfile.TemporaryDirectory() as folder:
        assert stand.home is not None
        ours, base = asyncio.run(round_trips(stand.home, Path(folder), calls))
        load = beat(stand.home, Path(folder), clients=_CLIENTS, sessions=_SESSIONS, calls=0, seconds=seconds)
        told = asyncio.run(load)
    answered = sum(map(len, told.counts.values()))
    taken = sorted(value * 1e3 for value in told.seconds)
    rows = [
        Row(f"round trip p{share * 100:g}", "ms", Sample.one(quantile(ours, share)), Sample.one(quantile(base, share)))
        for share in (0.5, 0.99)
    ]
    rows += [
        Row(f"p99 with {_CLIENTS} clients", "ms", Sample.one(quantile(taken, 0.99))),
        Row("calls answered by all", "per s", Sample.one(answered / seconds)),
        Row("calls that failed", "calls", Sample.one(len(told.errors)), None, 0),
        Row("increments lost or doubled", "calls", Sample.one(told.lost), None, 0),
    ]
    return Report(
        "RPC and the heartbeat",
        "WRK-2, WRK-4",
        "`GET /api/health`, in turns, each call on a new connection",
        rows,
        (
            f"{calls} calls of each kind alone, then {seconds:.0f} s with {_CLIENTS} clients in {_SESSIONS} windows: "
            f"{answered:,} calls.",
            "A call is a whole event: guards, journal and one commit.",
        ),
    )


if __name__ == "__main__":
    main(
        measure,
        __doc__ or "",
        "python -m bench.rpc --seconds 30",
        seconds=(30.0, "seconds of load"),
        calls=(2000, "round trips of each kind"),
    )
