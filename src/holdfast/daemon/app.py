"""The ASGI application: every request is examined at the gate, then goes to its door."""

from __future__ import annotations

import asyncio
import logging

from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from holdfast.build import Running
from holdfast.composition import Composition
from holdfast.daemon.auth import examine
from holdfast.daemon.protocol import UNIX
from holdfast.daemon.renewal import Renewal
from holdfast.doors.answers import FAILURES, LEAVE
from holdfast.doors.endpoints import endpoint_routes
from holdfast.doors.hooks import HookDoor
from holdfast.doors.mcp import McpDoor
from holdfast.doors.rest import rest_routes
from holdfast.doors.rpc import rpc_routes
from holdfast.doors.tools import tool_routes
from holdfast.doors.upkeep_routes import upkeep_routes

log = logging.getLogger("holdfast.strangers")

_SHOWN_PATH = 80
OUTDATED = b"x-holdfast-outdated"


def make_app(composition: Composition, port: int, token: bytes, running: Running) -> ASGIApp:
    """Every door of the daemon, behind the gate."""
    house = [
        *rest_routes(composition, port, running),
        *tool_routes(composition),
        *rpc_routes(composition),
        *upkeep_routes(composition),
    ]
    others = Starlette(routes=[*house, *endpoint_routes(composition, house)], exception_handlers=FAILURES)
    mcp = McpDoor(composition)

    async def behind(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == "/mcp":
            await mcp(scope, receive, send)
        else:
            look = running.is_outdated
            is_outdated = await asyncio.to_thread(look) if running.must_look else look()
            await others(scope, receive, _telling(send) if is_outdated else send)

    return gated(HookDoor(composition.road, Renewal(composition.home).notice), behind, port=port, token=token)


def _telling(send: Send) -> Send:
    """Every answer says that the installed code is newer than the daemon: a command then hands over to it (OPS-11)."""

    async def tell(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", ()), (OUTDATED, b"1")]}
        await send(message)

    return tell


def gated(hooks: ASGIApp, others: ASGIApp, *, port: int, token: bytes) -> ASGIApp:
    """The gate, the hook door beside it (the hot path), and the other doors behind it."""

    async def gate(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":  # uvicorn is told to speak nothing else; nothing passes the gate unexamined
            return
        path: str = scope["path"]
        refusal = examine(
            path=path,
            headers=scope["headers"],
            is_unix=scope["server"] == UNIX,
            port=port,
            token=token,
        )
        if refusal:
            log.warning("%s %r was refused: %s", scope["method"], path[:_SHOWN_PATH], refusal.sentence)
            answer = JSONResponse({"error": refusal.sentence}, refusal.status, headers=LEAVE)
            await answer(scope, receive, send)
        elif path.startswith("/hooks/"):
            await hooks(scope, receive, send)
        else:
            await others(scope, receive, send)

    return gate
