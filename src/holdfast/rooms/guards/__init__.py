"""Guards: a command that would destroy work does not run, and nothing else is in the way.

The room decides about tools before they run. What a line runs and does it learns from `commandline`, what the rules say
from `judging`; it asks for facts about the targets, and has `undo` keep bytes. It remembers nothing of its own beyond
refusals; learning from them is left to others.

Read it in this order: `model` (values), `targets/` (file system, git, the ledger of a conversation), `overriding/` (a
person's word), `rulebook`, `records`, `service`, `hooks`, `tools`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from holdfast.events.going import Going
from holdfast.events.scene import Services
from holdfast.rooms.guards import hooks, pane, schema, state, tools
from holdfast.rooms.guards.answering import alone
from holdfast.rooms.guards.refusals import FAMILY, RefusalIndex
from holdfast.rooms.guards.rulebook import Rulebook
from holdfast.rooms.guards.service import Guards
from holdfast.rooms.guards.settings import Settings
from holdfast.rooms.room import Check, Ground, Job, Room, Upkeep
from holdfast.undo.store import Undo

__all__ = ["ROOM", "hooks"]

_HOUR = 3_600.0


def build(ground: Ground) -> tuple[Guards]:
    """The service of this room."""
    return (Guards(ground, ground.chosen(Settings)),)


def index(ground: Ground) -> RefusalIndex:
    """Refusals as items."""
    settings = ground.chosen(Settings)
    undo = Undo(ground.folder / "undo", most_bytes=settings.undo_bytes, days=settings.undo_days)
    return RefusalIndex(undo, Rulebook(ground.folder))


def forget_files(folder: Path, going: Going) -> int:
    """Kept bytes are the one store that is not scrubbed: what is forgotten goes from them, too."""
    return Undo(folder / "undo", most_bytes=0, days=0).forget(going)


def holds_files(folder: Path, going: Going) -> int:
    """How much of the kept bytes would go."""
    return Undo(folder / "undo", most_bytes=0, days=0).holds(going)


async def tidy(arguments: dict[str, Any], services: Services) -> None:
    """Remove kept bytes that are too old or too many."""
    await services.get(Guards).tidy()


ROOM = Room(
    "guards",
    duty="Refuses what would destroy work, or keeps it first so that it can be brought back.",
    settings=Settings,
    build=build,
    tables=schema.TABLES,
    sql=schema.FOLDER,
    jobs=(Job("tidy", tidy, slow=True, every_seconds=_HOUR),),
    tools=tools.TOOLS,
    checks=(
        Check("guard rules", state.rule_files, "All rule files are in force."),
        Check("guards", state.switched_on, "Guards are on."),
    ),
    families=(FAMILY,),
    index=index,
    upkeep=Upkeep(forget_files=forget_files, holds_files=holds_files),
    status=state.status,
    pane=pane.PANE,
    alone=alone.answer,
    away="off: no command is refused and nothing is kept for undo. A daemon that only waits for its store judges all "
    "the same, and so does a command hook unless you stopped the daemon",
)
