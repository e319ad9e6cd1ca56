"""The daemon while its store is away or unfit for use. It answers requests, and tries the store again.

Nobody is kept waiting meanwhile. Events go into the spool and are answered at once, as when a database goes away
later; whatever else is asked gets the sentence that says what is missing.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from typing import TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from holdfast.daemon.app import gated
from holdfast.daemon.supervisor import note
from holdfast.doors.answers import LEAVE, json_response, read_body
from holdfast.doors.hooks import HookDoor
from holdfast.doors.rpc import failed_call
from holdfast.errors import StoreAway, StoreError, StoreUnfit, UsageError
from holdfast.paths import Home
from holdfast.road.spooling import SpoolsEvents

log = logging.getLogger(__name__)

T = TypeVar("T")

FIRST_PAUSE = 0.5
LONGEST_PAUSE = 30.0
_UNAVAILABLE = 503
_CALLS = ("/mcp", "/rpc")


class Entrance:
    """The application that the server calls: first the one that waits, then the daemon's own."""

    app: ASGIApp

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        return self.app(scope, receive, send)


class WaitingRoom:
    """Answers with the reason why the daemon waits, and spools events."""

    def __init__(self, home: Home, road: SpoolsEvents, *, port: int, token: bytes, away: StoreError | None) -> None:
        self.app = gated(HookDoor(road), self._excuse, port=port, token=token)
        self._home = home
        self._sentence = "The store is still being opened."
        if away:
            self.still(away)
        log.warning("the store cannot be opened yet; events go into the spool: %s", self._sentence)

    def still(self, away: StoreError) -> None:
        """Another try failed. Only the first one is logged."""
        self._sentence = str(away)
        note(self._home, self._sentence)

    def leave(self) -> None:
        """The store is there."""
        log.info("the store is there; the daemon works")
        note(self._home, None)

    async def _excuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        answer = await self._to_call(request) if scope["path"] in _CALLS else self._to_anyone()
        answer.headers.update(LEAVE)
        await answer(scope, receive, send)

    def _to_anyone(self) -> Response:
        return json_response({"error": self._sentence}, _UNAVAILABLE)

    async def _to_call(self, request: Request) -> Response:
        """Answer with the id of the call: its sender (the client of the relay) waits for that id."""
        try:
            call = msgspec.json.decode(await read_body(request))
        except (UsageError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            call = None
        return json_response(failed_call(call, self._sentence), _UNAVAILABLE)


async def patiently(begin: Callable[[], Awaitable[T]], still: Callable[[StoreError], None]) -> T:
    """Return when the store can be used. Raises an error that does not go away by itself."""
    for pause in pauses():
        await asyncio.sleep(pause)
        try:
            return await begin()
        except (StoreAway, StoreUnfit) as away:
            still(away)
    raise AssertionError("the pauses have no end")


def pauses() -> Iterator[float]:
    """Seconds between two tries: they grow up to a limit, without end."""
    pause = FIRST_PAUSE
    while True:
        yield pause
        pause = min(pause * 2, LONGEST_PAUSE)
