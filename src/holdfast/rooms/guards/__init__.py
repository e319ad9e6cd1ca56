"""Guards: a command that would destroy work does not run, and nothing else is in the way.

The room decides about tools before they run. It reads command lines by `shell`, asks rules that are data (`packs/`) and
facts about the targets. It remembers nothing of its own beyond refusals and kept bytes; learning from them is left to
others.

Read it in this order: `model` (values), `reading/` (from a line to all programs it runs, those written inline too),
`judging/` (what is done to files, and where; rules as data; the decision). All of these are pure. Then `facts` (file
system and git), `undo` (kept bytes), `service`, `hooks`, `tools`.
"""

from __future__ import annotations

from typing import Any

from holdfast.events.scene import Services
from holdfast.rooms.guards import hooks, schema, tools
from holdfast.rooms.guards.service import Guards
from holdfast.rooms.guards.settings import Settings
from holdfast.rooms.room import Check, Ground, Job, Room

__all__ = ["ROOM", "hooks"]

_DAY = 86_400.0


def build(ground: Ground) -> tuple[Guards]:
    """The service of this room."""
    return (Guards(ground, ground.chosen(Settings)),)


async def tidy(arguments: dict[str, Any], services: Services) -> None:
    """Remove kept bytes that are too old or too many."""
    await services.get(Guards).tidy()


async def rule_files(services: Services) -> str | None:
    """Are all rule files in force?"""
    guards = services.get(Guards)
    guards.packs("")
    return " ".join(guards.problems) or None


ROOM = Room(
    "guards",
    duty="Refuses what would destroy work, or keeps it first so that it can be brought back.",
    settings=Settings,
    build=build,
    tables=schema.TABLES,
    sql=schema.FOLDER,
    jobs={"tidy": Job(tidy, slow=True, every_seconds=_DAY)},
    tools=tools.TOOLS,
    checks=(Check("guard rules", rule_files),),
)
