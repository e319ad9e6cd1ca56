"""What people and agents can ask of this room beyond what they can ask of every item: to remember something."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from holdfast.errors import UsageError
from holdfast.events.caller import Caller
from holdfast.events.tool import Tool, Verb
from holdfast.items.service import Items
from holdfast.items.tools import NOWHERE, NamedProject, meant_project, whole
from holdfast.items.words import short_id
from holdfast.rooms.memory.service import MemoryService


class Remember(Struct, frozen=True, forbid_unknown_fields=True):
    text: Annotated[str, Meta(min_length=1, max_length=8_000, description="What to keep.")]
    title: Annotated[str, Meta(description="Else the text's beginning.")] = ""
    tags: list[Annotated[str, Meta(description="A tag.")]] = []
    project: NamedProject = ""
    by: Annotated[str, Meta(pattern="^(user|agent)$")] = "agent"


async def remember(asked: Remember, caller: Caller) -> dict[str, Any]:
    if caller.is_agent and caller.is_paused:
        raise UsageError("Recording is paused here, so nothing was kept. Only the user can say `holdfast resume`.")
    service, items = caller.services.get(MemoryService), caller.services.get(Items)
    project = await meant_project(items, asked.project, caller)
    memory, replaced = await service.remember(
        asked.text,
        title=asked.title,
        project=await items.project_at(caller.folder) if project == NOWHERE else project,
        trust=caller.speaker(asked.by),
        tags=asked.tags,
        conversation=caller.conversation,
    )
    [item] = await items.get([memory.id])
    return whole(items, item) | ({"supersedes": short_id("m", replaced.old_id)} if replaced else {})


TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        "remember",
        "Keep a decision, fact or preference in memory.",
        Remember,
        remember,
        changes=True,
        verb=Verb(
            "remember",
            'remember "Integration tests need the staging VPN."',
            options={"tags": "--tag"},
            fixed={"by": "user"},
            joined=True,
        ),
    ),
)
