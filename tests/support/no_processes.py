"""Refuses processes and listening sockets, for unit tests: a test that starts one fails, whoever started it.

An audit hook sees the ways in which Python starts a process; a wrapped `listen` sees a server's socket. Each is also
written down, because the code under test may swallow the exception: the test then fails when it ends.
"""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_STARTS = frozenset(
    {"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.exec", "os.system", "pty.spawn"}
)
_refused: list[str] | None = None
_hooked = False


class ProcessRefused(AssertionError):
    """A unit test starts no process and opens no server. Move it to tests/cli or tests/processes."""


@contextmanager
def no_processes() -> Iterator[list[str]]:
    """Refuse processes and listening sockets within the block. The list says what was refused."""
    global _refused, _hooked
    if not _hooked:
        sys.addaudithook(_audit)  # it cannot be removed; outside of a block it does nothing
        _hooked = True
    outer, listen = _refused, socket.socket.listen
    refused: list[str] = []
    _refused = refused

    def refuse_listening(self: socket.socket, *backlog: int) -> None:
        _refuse(f"listen on {self.getsockname()}")

    socket.socket.listen = refuse_listening  # type: ignore[assignment,method-assign]
    try:
        yield refused
    finally:
        socket.socket.listen = listen  # type: ignore[method-assign]
        _refused = outer


def _audit(event: str, arguments: tuple[object, ...]) -> None:
    if _refused is not None and event in _STARTS:
        _refuse(f"{event} {arguments[:2]}")


def _refuse(what: str) -> None:
    if _refused is not None:
        _refused.append(what)
    raise ProcessRefused(f"{what}. {ProcessRefused.__doc__}")
