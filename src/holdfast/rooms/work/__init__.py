"""Work: efforts that last over many context windows, with phases, a log, a heartbeat and directives.

The room keeps tasks (folders), efforts (runs of a skill), their windows, what waits to be given to them, agents with a
name, and messages. What is lost at a compaction is the continuity room's, whether a command may run the guards', and
which agent needs a person the fleet's.

Read it in this order: `model` (values), `rules` (decisions, pure), `skills/` (what a skill says of its efforts),
`efforts/` (`phases`, their order; `live`, what is known in memory; `starting` and `life`, in the store), `delivery/`
(files and texts within a budget, and the words), `service`, `hooks/` (the contributions to events), `tools`, `rpc/`.
`tables` is the only speaker of `work.sql`.
"""

from __future__ import annotations

from holdfast.events.scene import Services
from holdfast.rooms.room import Ground, Room, Upkeep
from holdfast.rooms.work import pane, schema, tools
from holdfast.rooms.work.hooks import calls, prompts, team, windows
from holdfast.rooms.work.rpc.efforts import EFFORTS
from holdfast.rooms.work.rpc.events import HOOKS
from holdfast.rooms.work.service import WorkService
from holdfast.rooms.work.settings import Settings

__all__ = ["ROOM", "calls", "prompts", "team", "windows"]


def build(ground: Ground) -> tuple[WorkService]:
    """The service of this room."""
    return (WorkService(ground),)


def forgotten(services: Services) -> None:
    """Something was forgotten: what is held in memory may mention it."""
    services.get(WorkService).forget()


ROOM = Room(
    "work",
    duty="Keeps efforts over many windows: phases, a log, a heartbeat, directives, hand-overs.",
    settings=Settings,
    build=build,
    tables=schema.TABLES,
    sql=schema.FOLDER,
    upkeep=Upkeep(forgotten=forgotten),
    tools=tools.TOOLS,
    commands={
        "effort": "Efforts: runs of a skill with phases and a log.",
        "task": "Tasks: folders in which efforts are made.",
    },
    methods=(*HOOKS, *EFFORTS),
    status=pane.status,
    pane=pane.PANE,
)
