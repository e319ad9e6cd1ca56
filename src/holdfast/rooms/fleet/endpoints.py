"""A REST path of this room: the plugin's mod tells that a turn is over, which no hook does after Esc (2.1.325)."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from holdfast.events.endpoint import Endpoint, Request
from holdfast.rooms.fleet.service import Fleet


class TurnBody(Struct):
    """What the client says of a turn: `answer`, `aborted`, `refusal` or `error`."""

    reason: str = ""


async def turn(request: Request) -> dict[str, Any]:
    """The session is the one that the caller names in its header."""
    body: TurnBody = request.body
    if request.caller.conversation and not request.caller.is_paused:
        await request.caller.services.get(Fleet).turn_ended(request.caller.conversation, body.reason)
    return {}


ENDPOINTS: tuple[Endpoint, ...] = (Endpoint("/api/fleet/turn", turn, body=TurnBody),)
