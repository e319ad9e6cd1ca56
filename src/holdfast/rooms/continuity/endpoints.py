"""REST paths of this room: the seed's threshold, the status line, and the compaction that the plugin's mod asks for."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from holdfast.errors import UsageError
from holdfast.events.caller import PAUSED
from holdfast.events.endpoint import Endpoint, Request
from holdfast.events.progress import ProgressBoard
from holdfast.items import tables as given
from holdfast.items.service import Items
from holdfast.rooms.continuity import tools
from holdfast.rooms.continuity.compacting.answering import Compacting, CompactionAsked
from holdfast.rooms.continuity.compacting.restarting import Restarts
from holdfast.rooms.continuity.service import Continuity
from holdfast.rooms.continuity.showing.status_line import read, written

_MOST_COUNTED = 500


class ThresholdBody(Struct):
    percent: Any = None
    project_id: str = ""
    session_id: str = ""


async def threshold(request: Request) -> dict[str, Any]:
    """`{"status": "ok"}`; 400 with `{"error"}` for what is no percentage."""
    body: ThresholdBody = request.body
    if request.caller.is_paused:
        raise UsageError(PAUSED)
    asked = tools.Threshold(body.percent, body.project_id, body.session_id)
    return {"status": (await tools.context_threshold(asked, request.caller))["status"]}


class StatusLineBody(Struct):
    """What the client gives its status line; `status_line.read` knows the fields."""

    session_id: Any = ""
    model: Any = None
    context_window: Any = None
    rate_limits: Any = None


async def status_line(request: Request) -> str:
    """The text of the status line; what the client tells in its input is noted."""
    body: StatusLineBody = request.body
    services = request.caller.services
    service, board = services.get(Continuity), services.get(ProgressBoard)
    told = read(body.session_id, body.model, body.context_window, body.rate_limits)
    live = service.conversations.told(told, service.now())
    if live is None:
        return ""
    service.note_use_only(live, board)
    recalled = await services.get(Items).read(
        lambda reader: len(given.injected_in(reader, told.conversation, _MOST_COUNTED))
    )
    calling = board.calling(told.conversation)
    return written(live.measured, told.limits, recalled, board.of(told.conversation), calling)


async def compact(request: Request) -> dict[str, Any]:
    """What stands in the window after a compaction, or why the client must do it itself."""
    if request.caller.is_paused:
        return {"answer": "client", "why": "recording is paused"}
    services = request.caller.services
    asked: CompactionAsked = request.body
    run = services.get(Restarts).run_of(asked.conversation, services)
    return await services.get(Compacting).answer(asked, services.get(ProgressBoard), restarts=bool(run))


ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint("/api/v1/threshold", threshold, body=ThresholdBody),
    Endpoint("/api/statusline", status_line, body=StatusLineBody),
    Endpoint("/api/continuity/compact", compact, body=CompactionAsked),
)
