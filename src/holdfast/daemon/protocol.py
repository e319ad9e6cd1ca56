"""The HTTP connection, with the two facts uvicorn does not tell: did it come by the Unix socket, and from whom?"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import struct
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

log = logging.getLogger(__name__)

UNIX = ("unix", None)
"""`scope["server"]` of a request that came by the Unix socket; a client cannot choose it."""


LEAVE = {"connection": "close"}
"""For whoever has not shown the token: an open connection is for those who have, because there are only so many."""

_LINGER_SECONDS = 0.1
_FIRST_REQUEST_SECONDS = 5.0


class Connection(HttpToolsProtocol):
    """Refuses a peer of another user before it can say anything, and leaves one that does not say anything."""

    _patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        sock: socket.socket | None = transport.get_extra_info("socket")
        if sock is None or sock.family != socket.AF_UNIX:
            self._patience = self.loop.call_later(_FIRST_REQUEST_SECONDS, self._hang_up)
            return
        self.server = UNIX
        uid = peer_uid(sock)
        if uid is not None and uid not in (os.getuid(), 0):
            log.warning("a process of user %d was refused at the Unix socket", uid)
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._patience:
            self._patience.cancel()
        super().connection_lost(exc)

    def _hang_up(self) -> None:
        if self.cycle is None:
            self.transport.close()

    def shutdown(self) -> None:
        """Close for good. A request that is on its way on an idle connection is still answered: closing at once, as
        uvicorn does, resets it, and an event would be lost while the worker is replaced (OPS-4)."""
        if self.cycle is None or self.cycle.response_complete:
            self.loop.call_later(_LINGER_SECONDS, super().shutdown)
        else:
            super().shutdown()


def peer_uid(sock: Any) -> int | None:
    """The user at the other end, where the system tells (Linux)."""
    option = getattr(socket, "SO_PEERCRED", None)
    if option is None:
        return None
    size = struct.calcsize("3i")
    _, uid, _ = struct.unpack("3i", sock.getsockopt(socket.SOL_SOCKET, option, size))
    return int(uid)
