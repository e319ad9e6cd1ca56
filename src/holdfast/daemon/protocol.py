"""The HTTP connection: limits before the token is checked, and two facts that uvicorn does not give.

uvicorn's parser takes headers of any number and size (`httptools` keeps a header in memory until it is whole). Here a
request's head is bounded in bytes, headers and time, and so are all heads together that are not whole yet. The two
facts: did the request come by the Unix socket, and from which user?
"""

from __future__ import annotations

import asyncio
import logging
import os
import resource
import socket
import struct
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

log = logging.getLogger("holdfast.strangers")

UNIX = ("unix", None)
"""`scope["server"]` of a request that came by the Unix socket; a client cannot choose it."""


_LOCAL_PEERPID = 2
"""`LOCAL_PEERPID` of `SOL_LOCAL` (0) on macOS; Python has no name for it."""
_LINGER_SECONDS = 0.1
_FIRST_REQUEST_SECONDS = 5.0
_SLICE = 16 * 1024
"""Bytes that the parser gets at once. A limit can be exceeded by this much."""
_HEAD_BYTES = 32 * 1024
"""Bytes of a request's head, and of anything else that is not its body. The client's head has about 400."""
_HEADERS = 100
_PIPELINED = 16
"""Requests that may wait on one connection for those before them. The client sends one at a time."""
_HEADS_BYTES = 8 * 1024 * 1024
"""Bytes of all heads that are not whole yet."""
_MOST_STRANGERS = 2048
"""Connections without a whole head so far. When there are more, the oldest is closed."""


class _TooMuch(Exception):
    """Raised inside the parser: it stops, and uvicorn refuses the request."""


class Strangers:
    """The TCP connections that have not sent a whole head yet, in the order they came. One list for the process."""

    def __init__(self) -> None:
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        self._most = min(_MOST_STRANGERS, soft // 4) if soft != resource.RLIM_INFINITY else _MOST_STRANGERS
        self._there: dict[Connection, int] = {}
        self._bytes = 0

    def add(self, connection: Connection) -> None:
        self._there[connection] = 0
        if len(self._there) > self._most:
            oldest = next(iter(self._there))
            self.leave(oldest)
            oldest.transport.abort()

    def heard(self, connection: Connection, more: int) -> bool:
        """It sent more of a head. False when all of them together have sent too much."""
        if connection not in self._there:
            return True
        self._there[connection] += more
        self._bytes += more
        return self._bytes <= _HEADS_BYTES

    def leave(self, connection: Connection) -> None:
        """It is closed, or has sent a whole head."""
        self._bytes -= self._there.pop(connection, 0)


class Connection(HttpToolsProtocol):
    """Refuses a peer of another user before it can send anything, and closes one that sends nothing, or too much."""

    _strangers: Strangers | None = None
    _patience: asyncio.TimerHandle | None = None
    _complaint = ""
    _is_head = True
    _headers = 0
    _unread = 0
    """Bytes since the last useful ones (a whole head, or a part of a body)."""
    _has_moved = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        sock: socket.socket | None = transport.get_extra_info("socket")
        if sock is None or sock.family != socket.AF_UNIX:
            self._patience = self.loop.call_later(_FIRST_REQUEST_SECONDS, self._hang_up)
            self._crowd.add(self)
            return
        self.server = UNIX
        pid, uid = peer_of(sock)
        self.client = ("unix", pid or 0)  # what a door may ask about the process at the other end
        if uid is not None and uid not in (os.getuid(), 0):
            log.warning("a process of user %d was refused at the Unix socket", uid)
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._known()
        super().connection_lost(exc)

    @property
    def _crowd(self) -> Strangers:
        # Made by the first connection: the worker raises the number of descriptors before that.
        if Connection._strangers is None:
            Connection._strangers = Strangers()
        return Connection._strangers

    def _known(self) -> None:
        """It has sent a whole head."""
        self._crowd.leave(self)
        if self._patience:
            self._patience.cancel()
            self._patience = None

    def _hang_up(self) -> None:
        if self.cycle is None:
            self.transport.abort()

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), _SLICE):
            if self.transport.is_closing():
                return
            part = data[start : start + _SLICE] if len(data) > _SLICE else data
            self._has_moved = False
            super().data_received(part)
            self._unread = 0 if self._has_moved else self._unread + len(part)
            if not self._unread or self.transport.is_closing():
                continue
            if self._unread > _HEAD_BYTES:
                self._complaint = f"A request whose head has more than {_HEAD_BYTES} bytes is not read."
                self.send_400_response(self._complaint)
            elif not self._crowd.heard(self, len(part)):
                self.transport.abort()

    def on_message_begin(self) -> None:
        self._is_head, self._headers = True, 0
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        self._headers += 1
        if self._headers > _HEADERS:
            self._complaint = f"A request with more than {_HEADERS} headers is not read."
            raise _TooMuch(self._complaint)
        if self._is_head:  # what a trailer says is said after the request was examined
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        if len(self.pipeline) >= _PIPELINED:
            self._complaint = f"More than {_PIPELINED} requests at once are not read."
            raise _TooMuch(self._complaint)
        self._is_head, self._has_moved = False, True
        self._known()
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._has_moved = True
        super().on_body(body)

    def send_400_response(self, msg: str) -> None:
        if self.cycle is not None and not self.cycle.response_complete:
            self.transport.abort()  # an answer is under way; another in its middle would be read as a part of it
        elif self._complaint:
            log.warning("a request was refused: %s", self._complaint)
            body = b'{"error":"%s"}' % self._complaint.encode()
            head = b"content-type: application/json\r\ncontent-length: %d\r\nconnection: close\r\n\r\n" % len(body)
            self.transport.write(STATUS_LINE[431] + head + body)
            self.transport.close()
        else:
            super().send_400_response(msg)

    def shutdown(self) -> None:
        """Close for good. A request that is on its way on an idle connection is still answered: closing at once, as
        uvicorn does, resets it, and an event would be lost while the worker is replaced (OPS-4)."""
        if self.cycle is None or self.cycle.response_complete:
            self.loop.call_later(_LINGER_SECONDS, super().shutdown)
        else:
            super().shutdown()


def peer_of(sock: Any) -> tuple[int | None, int | None]:
    """The process and the user at the other end, where the system tells (Linux; on macOS the process only)."""
    option = getattr(socket, "SO_PEERCRED", None)
    if option is not None:
        size = struct.calcsize("3i")
        pid, uid, _ = struct.unpack("3i", sock.getsockopt(socket.SOL_SOCKET, option, size))
        return int(pid), int(uid)
    try:
        return struct.unpack("i", sock.getsockopt(0, _LOCAL_PEERPID, 4))[0], None
    except OSError:
        return None, None
