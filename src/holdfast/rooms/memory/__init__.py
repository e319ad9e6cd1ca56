"""Memory: stores what happens as it happens, summarises it without a model, and gives it back where it fits.

The room stores prompts, observations, summaries and memories, writes its part of the brief, and injects a file's
history. Finding is `recall`'s; search, show, why, edit, the brief, recall at a prompt and the record of injections are
`items`'; reading a command line is `shell`'s; learning, checkpoints and web pages belong to other rooms.

Read it in this order: `model` (values), `rules` (decisions), `capture/` (from an event to an observation),
`summaries/`, `standing/` (what of them still holds), `injecting/` (what is given, in which words), `hooks` (the
contributions to events), `service`, `tools`. What a sentence says is read by `prose`, which is no room's. Beside them:
`tables` speaks to the store, `index` says how items are found, `takeover/` reads other tools' stores and the client's
own memory.
"""

from __future__ import annotations

from holdfast.rooms.memory import corrections, endpoints, forget_hooks, hooks, schema, tools
from holdfast.rooms.memory.index import MemoryIndex
from holdfast.rooms.memory.model import FAMILIES
from holdfast.rooms.memory.service import MemoryService
from holdfast.rooms.memory.settings import Settings, Summaries
from holdfast.rooms.memory.status import status
from holdfast.rooms.memory.summaries import jobs
from holdfast.rooms.memory.summaries.by_model import costs
from holdfast.rooms.memory.summaries.by_model.writing import Writing
from holdfast.rooms.memory.takeover import auto_memory, claude_mem
from holdfast.rooms.memory.takeover.auto_memory import AutoMemory
from holdfast.rooms.memory.takeover.claude_mem import ClaudeMem
from holdfast.rooms.room import Ground, Job, Room

__all__ = ["ROOM", "auto_memory", "build", "hooks"]


def build(ground: Ground) -> tuple[MemoryService, Writing, ClaudeMem, AutoMemory]:
    """The services of this room."""
    writing = Writing(ground, ground.chosen(Summaries))
    taken = ClaudeMem(ground.store, ground.owner)
    return MemoryService(ground, ground.chosen(Settings)), writing, taken, AutoMemory(ground)


ROOM = Room(
    "memory",
    duty="Stores what happens, summarises it, and gives it back where it fits.",
    settings=Settings,
    more_settings=(("summaries", Summaries),),
    build=build,
    tables=schema.TABLES,
    sql=schema.FOLDER,
    families=FAMILIES,
    index=lambda ground: MemoryIndex(),
    jobs=(
        Job("summarise", jobs.summarise),
        Job("write", jobs.write, slow=True),
        Job(auto_memory.JOB, auto_memory.compare),
    ),
    tools=(*tools.TOOLS, *corrections.TOOLS, *costs.TOOLS),
    endpoints=endpoints.ENDPOINTS,
    imports=(claude_mem.IMPORT,),
    status=status,
    away="off: nothing is given; what happens is read from the transcripts later",
    upkeep=forget_hooks.UPKEEP,
)
