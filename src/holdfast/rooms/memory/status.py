"""What `holdfast status` says of this room: what is given unasked, and what a model's summaries cost."""

from __future__ import annotations

from dataclasses import asdict

from holdfast.events.scene import Services
from holdfast.items.injecting import Injecting
from holdfast.rooms.memory import verbs
from holdfast.rooms.memory.service import MemoryService
from holdfast.rooms.memory.summaries.by_model.writing import Writing
from holdfast.rooms.room import Status


async def status(services: Services) -> Status:
    injecting, service = services.get(Injecting), services.get(MemoryService)
    gives = {
        "brief": injecting.gives_brief(),
        "recall": injecting.recalls(),
        "file_history": injecting.is_on() and service.gives_history(),
    }
    line = ("memory", verbs.given(gives))
    account = await services.get(Writing).account()
    if account is None:
        return Status({"summaries": None, "gives": gives}, (line,))
    spent = asdict(account)
    return Status({"summaries": spent, "gives": gives}, (line, ("summaries", verbs.spending(spent))))
