"""This room's part of `status`, of the pane, and of doctor."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.events.caller import Caller
from holdfast.events.scene import Services
from holdfast.rooms.continuity import tables
from holdfast.rooms.continuity.service import Continuity, named, read_stand, use_of
from holdfast.rooms.room import Pane, Status
from holdfast.times import age

_PROVEN = 20
"""Checkpoints that doctor reads back."""


async def lines(caller: Caller) -> Sequence[str]:
    """Beside a conversation: its last checkpoint (the client shows its context use). Else how full windows are."""
    service = caller.services.get(Continuity)
    if caller.conversation:
        newest = await service.listed(conversation=caller.conversation, limit=1)
        return [f"{named(each)} {age(caller.now(), each.made_at)}: {each.title}" for each in newest]
    return [
        f"{use_of(live.measured)} · {live.folder.rsplit('/', 1)[-1] or live.id[:8]}"
        for live in service.active()[:5]
        if live.measured
    ]


PANE = Pane("continuity", lines)


async def status(services: Services) -> Status:
    service = services.get(Continuity)
    owner = service.ground.owner
    newest = await service.ground.store.read(lambda reader: tables.checkpoints(reader, owner, limit=1))
    used = [
        {
            "session_id": live.id,
            "tokens": live.measured.tokens,
            "window": live.measured.window,
            "percent": live.measured.percent,
            "model": live.measured.model,
        }
        for live in service.active()
        if live.measured
    ]
    values = {"context": used, "last_checkpoint": named(newest[0]) if newest else None}
    told = (("checkpoint", f"{named(newest[0])}: {newest[0].title}"),) if newest else ()
    return Status({"continuity": values}, told)


async def checkpoints_read_back(services: Services) -> str | None:
    """Doctor: the newest checkpoints are read back and compared with the digest that was written with them."""
    service = services.get(Continuity)
    bad = [named(each) for each in await service.listed(limit=_PROVEN) if read_stand(each) is None]
    if not bad:
        return None
    return (
        f"{len(bad)} of the newest checkpoints do not read back as they were written ({', '.join(bad[:3])}). "
        "They are never given to an agent; `holdfast forget ID` removes them."
    )
