"""Many scripts that tell one daemon of tool calls by RPC at once, each on a connection of its own that stays open."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support.daemon import DaemonHome


@dataclass(slots=True)
class Told:
    """What the daemon answered to all of them."""

    counts: dict[str, list[int]] = field(default_factory=dict)
    """The heartbeats that were answered, by session."""
    errors: list[Any] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    @property
    def lost(self) -> int:
        """Calls whose count was given twice or left out: each session counts 1, 2, 3 … without a gap."""
        return sum(len(set(range(1, len(each) + 1)) - set(each)) for each in self.counts.values())


class Script:
    """One connection to the daemon's Unix socket."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    @classmethod
    @asynccontextmanager
    async def connected(cls, socket: Path) -> AsyncIterator[Script]:
        reader, writer = await asyncio.open_unix_connection(str(socket))
        try:
            yield cls(reader, writer)
        finally:
            writer.close()

    async def ask(self, method: str, path: str, value: Any = None) -> Any:
        body = json.dumps(value).encode() if value is not None else b""
        head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n"
        self._writer.write(head.encode() + body)
        answer = await self._reader.readuntil(b"\r\n\r\n")
        length = next(int(line.split(b":")[1]) for line in answer.split(b"\r\n") if b"content-length" in line.lower())
        return json.loads(await self._reader.readexactly(length))

    async def rpc(self, name: str, **params: Any) -> Any:
        return await self.ask("POST", "/rpc", {"jsonrpc": "2.0", "id": 1, "method": name, "params": params})


async def beat(home: DaemonHome, folder: Path, *, clients: int, sessions: int, calls: int, seconds: float = 0) -> Told:
    """`clients` scripts call tools in `sessions` windows of one effort: so many calls each, or for so long."""
    told = Told({f"load-{number}": [] for number in range(sessions)})
    names = list(told.counts)
    async with Script.connected(home.home.socket) as script:
        await script.rpc("hooks.sessionStart", session_id=names[0], cwd=str(folder))
        await script.rpc("effort.start", skill="load", session_id=names[0], task=str(folder), heartbeat="warn")
        for name in names:
            begun = await script.rpc("hooks.sessionStart", session_id=name, cwd=str(folder), source="resume")
            assert begun["result"]["found"], begun
    until = time.monotonic() + seconds

    async def run(number: int) -> None:
        session = names[number % sessions]
        about = {"session_id": session, "cwd": str(folder), "tool_name": "Bash", "tool_input": {"command": "ls"}}
        async with Script.connected(home.home.socket) as script:
            call = 0
            while time.monotonic() < until if seconds else call < calls:
                began = time.perf_counter()
                answer = await script.rpc("hooks.preToolUse", **about, tool_use_id=f"{number}-{call}")
                told.seconds.append(time.perf_counter() - began)
                call += 1
                count = answer.get("result", {}).get("heartbeatCount")
                if isinstance(count, int):
                    told.counts[session].append(count)
                else:
                    told.errors.append(answer)

    await asyncio.gather(*(run(number) for number in range(clients)))
    return told
