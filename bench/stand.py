"""The stand: a daemon in a temporary home, or the bare application, started for a benchmark and always stopped.

Also what is read of their processes (processor time, memory) from Linux's /proc.
"""

from __future__ import annotations

import asyncio
import os
import pwd
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.bodies import Template, templates
from tests.support.daemon import DaemonHome, until

from holdfast.daemon.sockets import listen_tcp
from holdfast.ids import new_id, now_us
from holdfast.program import CATALOG
from holdfast.store import open_store, sqlite_url
from holdfast.store.interface import Tx, Value

_AT_A_TIME = 2_000
_IDLE_SECONDS = 0.03
"""Processor time in half a second that an idle daemon stays below."""
_DAYS_US = 24 * 3600 * 1_000_000


@dataclass(frozen=True, slots=True)
class Stand:
    """Something that answers hook events on a port of loopback."""

    port: int
    token: str
    pid: int
    """Of the process that answers."""
    home: DaemonHome | None = None

    def request(self, template: Template, number: str) -> bytes:
        """One event, as the client's http hook posts it."""
        body = template.body(number)
        return self.head(len(body)) + body

    def head(self, length: int) -> bytes:
        return (
            f"POST /hooks/PostToolUse HTTP/1.1\r\nAccept: application/json, text/plain, */*\r\n"
            f"Content-Type: application/json\r\nAuthorization: Bearer {self.token}\r\nUser-Agent: axios/1.8.4\r\n"
            f"Content-Length: {length}\r\nAccept-Encoding: gzip, compress, deflate, br\r\n"
            f"Host: 127.0.0.1:{self.port}\r\nConnection: keep-alive\r\n\r\n"
        ).encode()


@contextmanager
def bare() -> Iterator[Stand]:
    """The bare application, in a process of its own."""
    listening = listen_tcp(0)
    port = listening.getsockname()[1]
    command = [sys.executable, "-I", str(Path(__file__).with_name("bare.py")), str(listening.fileno())]
    process = subprocess.Popen(command, pass_fds=[listening.fileno()], stdin=subprocess.DEVNULL)
    listening.close()
    try:
        until(lambda: _answers(port), "the bare application answers", 20)
        yield Stand(port, "x" * 43, process.pid)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(20)


def _answers(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), 1) as connection:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            return connection.recv(64).startswith(b"HTTP/1.1")
    except OSError:
        return False


@contextmanager
def daemon(stored: int = 0) -> Iterator[Stand]:
    """A daemon of its own, with so many events in its store already."""
    home = DaemonHome()
    try:
        home.home.prepare()
        if stored:
            asyncio.run(fill(home, stored))
        home.start()
        until(lambda: home.facts.get("worker_pid"), "the worker is there")
        let_settle(home.facts["worker_pid"])
        yield Stand(home.facts["port"], home.token, home.facts["worker_pid"], home)
    finally:
        home.remove()


def let_settle(pid: int, most: float = 120.0) -> None:
    """Wait until the daemon is idle. After its start it compiles patterns beside other work, and at the first one after
    `fill` it looks through all that is stored for what rooms could make of it: neither is part of an event's price."""
    end, quiet, before = time.monotonic() + most, 0, processor_seconds(pid)
    while quiet < 4 and time.monotonic() < end:
        time.sleep(0.5)
        now = processor_seconds(pid)
        quiet, before = (quiet + 1 if now - before < _IDLE_SECONDS else 0), now


async def fill(home: DaemonHome, count: int) -> None:
    """Put events of the last hundred days into the journal, by the store's own queries."""
    store = await open_store(sqlite_url(home.home.database), CATALOG, backups=home.home.backups)
    made = templates(400, agents=50, seed=1)
    texts = [template.body("0").decode() for template in made]
    first = now_us() - 100 * _DAYS_US
    try:
        for start in range(0, count, _AT_A_TIME):
            rows = [_row(at, first, count, texts) for at in range(start, min(count, start + _AT_A_TIME))]

            def keep(tx: Tx, rows: list[dict[str, Value]] = rows) -> None:
                tx.many("journal.insert", rows)

            await store.write(keep)
    finally:
        await store.close()


def _row(index: int, first: int, count: int, texts: list[str]) -> dict[str, Value]:
    at = first + index * (100 * _DAYS_US // count)
    conversation = f"{index // 200:08x}-30a1-4c7e-9a55-000000000000"
    return {
        "id": new_id(at),
        "event_key": f"PostToolUse:{conversation}:toolu_s{index:016d}:{index % 997:016x}",
        "owner": pwd.getpwuid(os.getuid()).pw_name,
        "event": "PostToolUse",
        "conversation": conversation,
        "agent_id": "",
        "session_id": None,
        "project_id": None,
        "worktree_id": None,
        "prompt_id": None,
        "tool_name": "Bash",
        "tool_use_id": f"toolu_s{index:016d}",
        "happened_at": at,
        "received_at": at,
        "source": "http",
        "payload": texts[index % len(texts)],
        "scrubbed": None,
        "cut_bytes": 0,
    }


def processor_seconds(pid: int) -> float:
    """User and system time of a process and its threads so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def busy_seconds() -> float:
    """Processor time that the whole machine has spent so far, other than idle."""
    fields = [int(field) for field in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    return (sum(fields) - fields[3] - fields[4]) / os.sysconf("SC_CLK_TCK")


def megabytes(pid: int) -> float:
    """The proportional set size: shared pages are divided among those who share them."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    return 0.0


@contextmanager
def bare_interpreter() -> Iterator[int]:
    """An interpreter that waits; its pid."""
    process = subprocess.Popen([sys.executable, "-I", "-S", "-c", "input()"], stdin=subprocess.PIPE)
    try:
        time.sleep(0.2)
        yield process.pid
    finally:
        process.kill()
        process.wait()
        if process.stdin:
            process.stdin.close()
