"""Continuity: after a compaction, a /clear, a crash or a new day the agent goes on where it stood.

The room measures how full each context window is, saves checkpoints before anything is lost, gives back what a
compaction dropped, and hands over from one session to the next. It leaves what was learned for good to the memory room,
and what a skill's phases mean to the work room.

Read it in this order: `model` (values), `measuring/` (context use, from the end of the transcript), `telling/` (what a
conversation was about, and how that becomes text within a budget), `rules` (decisions, pure). Then `conversations`
(what lies in memory), `checkpointing`, `service`, `hooks`, `compacting/` (around a compaction, and instead of one),
`sessions/` (start, end, hand-over), `tools`, `showing/` (what people see).
"""

from __future__ import annotations

from holdfast.rooms.continuity import endpoints, hooks, schema, tools
from holdfast.rooms.continuity.compacting import events as compactions
from holdfast.rooms.continuity.compacting.answering import Compacting
from holdfast.rooms.continuity.compacting.restarting import Restarts
from holdfast.rooms.continuity.forget_hooks import UPKEEP
from holdfast.rooms.continuity.index import index_of
from holdfast.rooms.continuity.model import CHECKPOINT, DEBRIEF
from holdfast.rooms.continuity.service import Continuity
from holdfast.rooms.continuity.sessions.calls import Sessions
from holdfast.rooms.continuity.settings import Settings
from holdfast.rooms.continuity.showing import pane
from holdfast.rooms.room import Check, Ground, Room

__all__ = ["ROOM", "compactions", "hooks"]


def build(ground: Ground) -> tuple[Continuity, Sessions, Compacting, Restarts]:
    """The services of this room."""
    continuity = Continuity(ground, ground.chosen(Settings))
    restarts = Restarts(continuity.settings)
    return continuity, Sessions(ground, continuity), Compacting(ground, continuity), restarts


ROOM = Room(
    "continuity",
    duty="Measures context use, saves checkpoints, and gives back what a compaction or a new session lost.",
    settings=Settings,
    build=build,
    tables=schema.TABLES,
    sql=schema.FOLDER,
    upkeep=UPKEEP,
    families=(CHECKPOINT, DEBRIEF),
    index=index_of,
    tools=tools.TOOLS,
    commands="Save, list, compare and resume checkpoints.",
    checks=(Check("checkpoints read back", pane.checkpoints_read_back),),
    endpoints=endpoints.ENDPOINTS,
    status=pane.status,
    pane=pane.PANE,
)
