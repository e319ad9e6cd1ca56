"""The hook door: `POST /hooks/{Event}`. The client's payload in, the client's answer out, after the commit.

The command client comes here too; its two headers say so and keep its retries apart from new events. With `Prefer:
return=minimal`, as our http hooks send it, an event to which nothing is said gets an empty body instead of `{}`.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from typing import Literal, Protocol

import msgspec
from starlette.types import Receive, Scope, Send

from holdfast.events.answer import EMPTY_BODY, client_body, command_body
from holdfast.events.scene import Source
from holdfast.road.edge import BODY_LIMIT, SALVAGE_BYTES, Payload, read_payload, salvage
from holdfast.road.road import Travelled
from holdfast.sender import Sender, sender_of

log = logging.getLogger(__name__)

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}\Z")
_LONGEST_AGENT = 128
_ID = re.compile(rb"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z")
_ABANDON_BYTES = 1024 * 1024 * 1024


class Travels(Protocol):
    """A road, as this door needs it."""

    async def travel(
        self,
        payload: Payload,
        *,
        name: str | None,
        source: Source,
        arrival_id: str | None,
        agent: str,
        command: str,
        sender: Sender,
    ) -> Travelled: ...


class HookDoor:
    """An ASGI application of its own, because this is the hot path."""

    def __init__(self, road: Travels, begun: Callable[[str, bool], None] | None = None) -> None:
        """`begun` is told, after the answer, of every session that begins: its client, and whether that has a proxy."""
        self._road = road
        self._begun = begun

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        name = scope["path"].removeprefix("/hooks/")
        if scope["method"] != "POST":
            await _answer(send, 405, _error("Hook events are posted."))
            return
        if not _NAME.match(name):
            await _answer(send, 404, _error("The path is /hooks/ and the name of an event."))
            return
        payload = await _read(receive)
        if payload is None:
            return
        headers = dict(scope["headers"])
        source: Literal["command", "http"] = "command" if headers.get(b"x-holdfast-door") == b"command" else "http"
        given = headers.get(b"x-holdfast-id", b"")
        agent = headers.get(b"x-holdfast-agent", b"")[:_LONGEST_AGENT].decode("ascii", "replace")
        travelled = await self._road.travel(
            payload,
            name=name,
            source=source,
            arrival_id=given.decode() if _ID.match(given) else None,
            agent=agent,
            command=headers.get(b"x-holdfast-command", b"")[:_LONGEST_AGENT].decode("ascii", "replace"),
            sender=sender_of(headers),
        )
        if payload.fault:
            log.warning("%s: %s", name, payload.fault)
            if payload.malformed:
                await _answer(send, 400, _error(f"{payload.fault} What could be made out was kept."))
                return
        body = (command_body if source == "command" else client_body)(travelled.event, travelled.answer)
        if body is EMPTY_BODY and headers.get(b"prefer") == b"return=minimal":
            body = b""
        is_text = bool(body) and not body.startswith(b"{")
        await _answer(send, 200, body, b"text/plain; charset=utf-8" if is_text else b"application/json")
        if name == "SessionStart" and self._begun is not None:
            self._begun(agent, b"x-holdfast-proxy" in headers)


async def _read(receive: Receive) -> Payload | None:
    """The payload of the body; of one past the limit, its two ends. None when the client went away."""
    parts: list[bytes] = []
    size = 0
    tail = b""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        chunk: bytes = message.get("body", b"")
        size += len(chunk)
        if size <= BODY_LIMIT:
            parts.append(chunk)
        else:
            tail = (tail + chunk)[-SALVAGE_BYTES:]
        if not message.get("more_body") or size > _ABANDON_BYTES:
            break
    if size <= BODY_LIMIT:
        return read_payload(parts[0] if len(parts) == 1 else b"".join(parts))
    head = b"".join(parts)[:SALVAGE_BYTES]
    return salvage(head, tail, size, f"A body of {size} bytes is more than the {BODY_LIMIT} that are read.")


def _error(sentence: str) -> bytes:
    return msgspec.json.encode({"error": sentence})


async def _answer(send: Send, status: int, body: bytes, kind: bytes = b"application/json") -> None:
    headers = [(b"content-type", kind), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
