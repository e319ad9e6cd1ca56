"""This room's part of the pane and of `status`."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.events.caller import Caller
from holdfast.events.scene import Services
from holdfast.ids import ConversationId
from holdfast.rooms.room import Pane, Status
from holdfast.rooms.work import rules
from holdfast.rooms.work.model import Effort
from holdfast.rooms.work.service import WorkService

_SHOWN = 5


async def lines(caller: Caller) -> Sequence[str]:
    """Beside a conversation: its effort. Else the active ones."""
    work = caller.services.get(WorkService)
    live = await work.ready()
    if caller.conversation:
        own = live.effort_of(caller.conversation)
        efforts = [own] if own else []
    else:
        efforts = sorted(live.efforts.values(), key=lambda effort: effort.updated_at, reverse=True)[:_SHOWN]
    return [_line(work, effort, caller.conversation) for effort in efforts]


def _line(work: WorkService, effort: Effort, conversation: ConversationId) -> str:
    windows = [window for window in work.live.of_effort(effort.id) if not window.agent_id]
    own = [window for window in windows if window.conversation == conversation] or windows
    beats = max(own, key=lambda window: window.seen_at).heartbeat if own else None
    phase = f" · {effort.phase}" if effort.phase else ""
    calls = f" · {beats} calls since the last log" if beats and effort.heartbeat != "off" else ""
    return f"{rules.titled(effort)}{phase}{calls}"


PANE = Pane("work", lines)


async def status(services: Services) -> Status:
    live = await services.get(WorkService).ready()
    return Status({"work": {"active_efforts": len(live.efforts)}})
