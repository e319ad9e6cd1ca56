"""The listening sockets, made by hand so that they can outlive the worker."""

from __future__ import annotations

import errno
import os
import socket
import time
from pathlib import Path

from holdfast.errors import HoldfastError

BACKLOG = 4096
_LONGEST_PATH = 100
"""A Unix socket's path must fit into 104 (macOS) or 108 bytes (Linux)."""


def listen_tcp(port: int, patience: float = 5.0) -> socket.socket:
    """Listen on loopback. Waits for a daemon that is just ending."""
    # Without IPPROTO_TCP asyncio does not set TCP_NODELAY on the connections, and each answer waits 40 ms for an ACK.
    sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    until = time.monotonic() + patience
    while True:
        try:
            sock.bind(("127.0.0.1", port))
            sock.listen(BACKLOG)
            return sock
        except OSError as error:
            if error.errno != errno.EADDRINUSE or time.monotonic() > until:
                sock.close()
                raise HoldfastError(
                    f"Port {port} on 127.0.0.1 is taken by another program, so the daemon did not start; nothing was "
                    "lost. `holdfast up` chooses another port and updates the hooks."
                    if error.errno == errno.EADDRINUSE
                    else f"Cannot listen on 127.0.0.1:{port}: {error.strerror}."
                ) from error
            time.sleep(0.05)


def listen_unix(path: Path) -> socket.socket:
    """Listen on the Unix socket: owner-only from its first moment. Its folder is the owner's alone too."""
    if len(os.fsencode(path)) > _LONGEST_PATH:
        raise HoldfastError(
            f"{path} is too long for a Unix socket ({_LONGEST_PATH} bytes at most). "
            "Set HOLDFAST_HOME to a shorter path."
        )
    path.unlink(missing_ok=True)
    sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o177)
    try:
        sock.bind(str(path))
    finally:
        os.umask(before)
    sock.listen(BACKLOG)
    return sock


def adopt(descriptor: int) -> socket.socket:
    """A listening socket that another process handed over."""
    return socket.socket(fileno=descriptor)
