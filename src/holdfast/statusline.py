"""The status line command: the client's JSON from stdin to the daemon, one line of text to stdout. Always exits 0.

Run as `python -I -S -E statusline.py HOME [COMMAND]`. COMMAND is the status line that was there before: it gets the
same input, and its lines stand first. The client runs this after every message, so it loads as little as `hook.py`.
Without a daemon only the other line is shown.
"""

import _socket
import sys
from _signal import ITIMER_REAL, SIGALRM, setitimer, signal  # type: ignore[import-not-found]
from posix import _exit, close, dup2, execv, fork, pipe, read, waitpid, write

DEADLINE = 2.0
"""Seconds for all of it."""
_HEAD = b"POST /api/statusline HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n"
_REST = b"Connection: close\r\n\r\n"


def read_all(descriptor: int) -> bytes:
    parts = []
    while part := read(descriptor, 1 << 16):
        parts.append(part)
    return b"".join(parts)


def from_daemon(home: str, body: bytes) -> bytes:
    """The daemon's line; nothing when it is away or refuses."""
    try:
        connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
        connection.settimeout(1.0)
        connection.connect(home + "/holdfast.sock")
        connection.sendall((_HEAD % len(body)) + _REST + body)
        parts = []
        while part := connection.recv(1 << 16):
            parts.append(part)
    except OSError:
        return b""
    head, _, answer = b"".join(parts).partition(b"\r\n\r\n")
    return answer.strip() if head[9:12] == b"200" else b""


def from_command(command: str, body: bytes) -> bytes:
    """What the other status line prints."""
    into, out = pipe(), pipe()
    child = fork()
    if not child:
        dup2(into[0], 0)
        dup2(out[1], 1)
        for descriptor in (*into, *out):
            close(descriptor)
        execv("/bin/sh", ["sh", "-c", command])
    close(into[0])
    close(out[1])
    feeder = fork()  # a command that does not read its input must not hold us up
    if not feeder:
        close(out[0])
        while body:
            body = body[write(into[1], body) :]
        _exit(0)
    close(into[1])
    said = read_all(out[0])
    waitpid(child, 0)
    waitpid(feeder, 0)
    return said.strip(b"\n")


def main(home: str, command: str = "") -> None:
    signal(SIGALRM, _too_late)
    setitimer(ITIMER_REAL, DEADLINE)
    body = read_all(0)
    lines = [from_command(command, body)] if command else []
    if lines and lines[0]:
        write(1, lines[0] + b"\n")
    ours = from_daemon(home, body)
    if ours:
        write(1, ours + b"\n")


def _too_late(*_: object) -> None:
    raise TimeoutError("the deadline is over")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:3])
    except BaseException as error:  # a status line is no reason for an error
        write(2, f"holdfast: {type(error).__name__}: {error}\n".encode())
    finally:
        _exit(0)
