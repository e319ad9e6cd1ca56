"""What `holdfast status` says of this room: what a model's summaries cost."""

from __future__ import annotations

from dataclasses import asdict

from holdfast.events.scene import Services
from holdfast.rooms.memory import verbs
from holdfast.rooms.memory.summaries.by_model import Writing
from holdfast.rooms.room import Status


async def status(services: Services) -> Status:
    account = await services.get(Writing).account()
    if account is None:
        return Status({"summaries": None})
    spent = asdict(account)
    return Status({"summaries": spent}, (("summaries", verbs.spending(spent)),))
