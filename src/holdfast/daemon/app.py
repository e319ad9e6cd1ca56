"""The ASGI application: every request passes the guard at the gate, then goes to its door."""

from __future__ import annotations

import logging

from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from holdfast.daemon.auth import examine
from holdfast.daemon.compose import Composition
from holdfast.daemon.protocol import UNIX
from holdfast.doors.hooks import HookDoor
from holdfast.doors.rest import rest_routes
from holdfast.doors.tools import tool_routes

log = logging.getLogger(__name__)


def make_app(composition: Composition, port: int) -> ASGIApp:
    """The gate, the hook door beside it (the hot path), and the other doors behind it."""
    hooks = HookDoor(composition.road)
    others = Starlette(routes=[*rest_routes(composition, port), *tool_routes(composition.services)])
    token = composition.token

    async def gate(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await others(scope, receive, send)
            return
        path: str = scope["path"]
        refusal = examine(
            path=path, headers=dict(scope["headers"]), is_unix=scope["server"] == UNIX, port=port, token=token
        )
        if refusal:
            log.warning("%s %s was refused: %s", scope["method"], path, refusal.sentence)
            await JSONResponse({"error": refusal.sentence}, refusal.status)(scope, receive, send)
        elif path.startswith("/hooks/"):
            await hooks(scope, receive, send)
        else:
            await others(scope, receive, send)

    return gate
