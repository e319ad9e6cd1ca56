"""What somebody without the token can cost: bounded memory, log and time, whatever is sent (SEC-10)."""

from __future__ import annotations

import contextlib
import itertools
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.support.daemon import DaemonHome, until
from tests.support.payloads import load

BASH = load("PostToolUse-Bash")
BLOCK = 64 * 1024
SENT_MOST = 48 * 1024 * 1024
GROWN_MOST = 80 * 1024 * 1024
LOGGED_MOST = 64 * 1024

Flood = Callable[[bytes], Iterator[bytes]]


@pytest.fixture
def daemon(shared_daemon: DaemonHome) -> DaemonHome:
    return shared_daemon


def many_headers(head: bytes) -> Iterator[bytes]:
    yield head
    for number in itertools.count():
        yield b"".join(b"X-%d-%d: v\r\n" % (number, index) for index in range(4_000))


def one_huge_value(head: bytes) -> Iterator[bytes]:
    yield head + b"X-Huge: "
    yield from itertools.repeat(b"a" * BLOCK)


def one_huge_name(head: bytes) -> Iterator[bytes]:
    yield head
    yield from itertools.repeat(b"a" * BLOCK)


def folded_lines(head: bytes) -> Iterator[bytes]:
    yield head + b"X-Folded: a\r\n"
    yield from itertools.repeat(b" more\r\n" * 9_000)


def huge_token(head: bytes) -> Iterator[bytes]:
    yield head + b"Authorization: Bearer "
    yield from itertools.repeat(b"a" * BLOCK)


def endless_path(head: bytes) -> Iterator[bytes]:
    yield b"GET /"
    yield from itertools.repeat(b"a" * BLOCK)


def endless_method(head: bytes) -> Iterator[bytes]:
    yield from itertools.repeat(b"A" * BLOCK)


def empty_lines(head: bytes) -> Iterator[bytes]:
    yield from itertools.repeat(b"\r\n" * (BLOCK // 2))


def trailers(head: bytes) -> Iterator[bytes]:
    yield head + b"Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n"
    for number in itertools.count():
        yield b"".join(b"X-%d-%d: v\r\n" % (number, index) for index in range(4_000))


def one_huge_trailer(head: bytes) -> Iterator[bytes]:
    yield head + b"Transfer-Encoding: chunked\r\n\r\n0\r\nX-Huge: "
    yield from itertools.repeat(b"a" * BLOCK)


def chunk_extensions(head: bytes) -> Iterator[bytes]:
    yield head + b"Transfer-Encoding: chunked\r\n\r\n1;e="
    yield from itertools.repeat(b"a" * BLOCK)


def long_body(head: bytes) -> Iterator[bytes]:
    yield head + b"Content-Length: 999999999\r\n\r\n"
    yield from itertools.repeat(b"a" * BLOCK)


def pipelined(head: bytes) -> Iterator[bytes]:
    yield from itertools.repeat((head + b"\r\n") * 600)


def pipelined_after_a_body(head: bytes) -> Iterator[bytes]:
    yield head + b"Content-Length: 1\r\n\r\nx"
    yield from itertools.repeat(b"GET / HTTP/1.1\r\n\r\n" * 14_000)


def upgrades(head: bytes) -> Iterator[bytes]:
    yield head + b"Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
    yield from itertools.repeat(b"a" * BLOCK)


def noise(head: bytes) -> Iterator[bytes]:
    yield from itertools.repeat(bytes(range(256)) * 256)


def long_refused_paths(head: bytes) -> Iterator[bytes]:
    yield b"GET /" + b"%0aforged" * 2_000 + head[head.index(b" HTTP/") :] + b"\r\n"


FLOODS = (
    *(many_headers, one_huge_value, one_huge_name, folded_lines, huge_token, endless_path, endless_method),
    *(empty_lines, trailers, one_huge_trailer, chunk_extensions, long_body, pipelined, pipelined_after_a_body),
    *(upgrades, noise, long_refused_paths),
)


def peak(pid: int) -> int:
    """The most memory that a process ever had, in bytes."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    raise AssertionError("no VmHWM")


def forget_peak(pid: int) -> None:
    Path(f"/proc/{pid}/clear_refs").write_text("5")


def logged(daemon: DaemonHome) -> int:
    return sum(path.stat().st_size for path in daemon.home.logs.glob("daemon.log*"))


def pour(port: int, blocks: Iterator[bytes], most: int, seconds: float) -> int:
    """Send until the daemon hangs up, or enough was sent; how many bytes it took."""
    taken = 0
    until_when = time.monotonic() + seconds
    with socket.create_connection(("127.0.0.1", port), 5) as stranger:
        stranger.settimeout(seconds)
        with contextlib.suppress(OSError):
            for block in blocks:
                stranger.sendall(block)
                taken += len(block)
                if taken > most or time.monotonic() > until_when:
                    break
    return taken


@pytest.mark.requirement("SEC-10")
@pytest.mark.parametrize("flood", FLOODS, ids=lambda flood: flood.__name__)
def test_a_flood_without_a_token_costs_bounded_memory_and_log(daemon: DaemonHome, flood: Flood) -> None:
    port, worker = daemon.facts["port"], daemon.facts["worker_pid"]
    assert daemon.post("PostToolUse", BASH) == (200, {})
    head = f"POST /hooks/Stop HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n".encode()
    before, log_before = peak(worker), logged(daemon)
    with ThreadPoolExecutor(6) as pool:
        for _ in range(4):
            list(pool.map(lambda _: pour(port, flood(head), SENT_MOST, 3), range(6)))
    assert peak(worker) - before < GROWN_MOST
    assert logged(daemon) - log_before < LOGGED_MOST
    assert "\nforged" not in daemon.log()
    assert daemon.post("PostToolUse", BASH | {"tool_use_id": "toolu_after"}) == (200, {})
    assert daemon.facts["worker_pid"] == worker
    assert "Traceback" not in daemon.log()


@pytest.mark.requirement("SEC-10")
def test_thousands_of_short_refused_requests_fill_no_log(daemon: DaemonHome) -> None:
    port, before = daemon.facts["port"], logged(daemon)
    requests = (
        b"GET /api/status HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % port,
        b"GET /api/status HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        b"\x16\x03\x01\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n",
    )
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: pour(port, iter([requests[n % 4]]), 1, 1), range(4_000)))
    assert logged(daemon) - before < LOGGED_MOST
    assert "was refused" in daemon.log(), "the first of them are told"


@pytest.mark.requirement("SEC-10")
def test_slow_senders_are_left_and_hooks_are_answered_meanwhile(daemon: DaemonHome) -> None:
    port, worker = daemon.facts["port"], daemon.facts["worker_pid"]
    before = peak(worker)
    with contextlib.ExitStack() as held:
        slow = [held.enter_context(socket.create_connection(("127.0.0.1", port), 5)) for _ in range(400)]
        for number, stranger in enumerate(slow):
            stranger.sendall(b"POST /hooks/Stop HTTP/1.1\r\nX-Slow: " + b"a" * (number % 20_000))
        assert daemon.post("PostToolUse", BASH) == (200, {})

        def gone(stranger: socket.socket) -> bool:
            """Sends one byte more, as slow senders do, and looks whether anybody is there."""
            try:
                stranger.sendall(b"a")
                stranger.setblocking(False)
                return stranger.recv(1024) == b""
            except BlockingIOError:
                return False
            except OSError:
                return True
            finally:
                stranger.settimeout(5)

        until(lambda: all(map(gone, slow)), "all slow senders are left")
    assert peak(worker) - before < GROWN_MOST
    assert daemon.facts["worker_pid"] == worker


@pytest.mark.requirement("SEC-10")
def test_connections_without_end_cost_bounded_memory_and_hooks_are_answered(daemon: DaemonHome) -> None:
    port, worker = daemon.facts["port"], daemon.facts["worker_pid"]
    before = peak(worker)
    with contextlib.ExitStack() as held:
        for number in range(3_000):
            stranger = held.enter_context(socket.create_connection(("127.0.0.1", port), 5))
            with contextlib.suppress(OSError):
                stranger.sendall(b"POST /hooks/Stop HTTP/1.1\r\nX-Part: " + b"a" * 28_000)
            if number % 500 == 0:
                assert daemon.post("PostToolUse", BASH | {"tool_use_id": f"toolu_{number}"}) == (200, {})
    assert peak(worker) - before < GROWN_MOST
    assert daemon.facts["worker_pid"] == worker


@pytest.mark.requirement("SEC-10")
@pytest.mark.parametrize(
    ("rest", "status"),
    [
        (b"X-Long: " + b"a" * 60_000 + b"\r\n", b"431"),
        (b"".join(b"X-%d: v\r\n" % n for n in range(300)), b"431"),
        (b"X-Fine: " + b"a" * 8_000 + b"\r\n", b"200"),
        (b"".join(b"X-%d: v\r\n" % n for n in range(60)), b"200"),
    ],
    ids=["a long one", "many", "one that is not too long", "not too many"],
)
def test_headers_past_the_bound_get_a_sentence(daemon: DaemonHome, rest: bytes, status: bytes) -> None:
    port = daemon.facts["port"]
    head = f"POST /hooks/Stop HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {daemon.token}\r\n".encode()
    with socket.create_connection(("127.0.0.1", port), 5) as stranger:
        stranger.sendall(head + b"Connection: close\r\nContent-Length: 2\r\n" + rest + b"\r\n{}")
        answer = b""
        with contextlib.suppress(ConnectionResetError):
            while part := stranger.recv(65536):
                answer += part
    assert answer.startswith(b"HTTP/1.1 " + status)
    assert (b"is not read" in answer) == (status == b"431")
