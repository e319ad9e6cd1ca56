"""A notebook: a prompt "note: TEXT" becomes a note, and notes are found again like every item.

A made-up room: it lives in the tests, proves the contract, and is the page to copy for a new room. It leaves the
brief, recall at the prompt and everything about the store's upkeep to the house.

Read it in this order: `model` (values), `rules` (decisions, pure), `schema` (its table), `index` (notes as items),
`hooks`, `tools`. `tables` is the only speaker of `notebook.sql`.
"""

from __future__ import annotations

from holdfast.events.steps import Step
from holdfast.rooms.room import Check, Ground, Job, Room, Upkeep
from tests.rooms.notebook import hooks, schema, service, tools
from tests.rooms.notebook.index import NoteIndex
from tests.rooms.notebook.model import NOTE
from tests.rooms.notebook.service import Notebook
from tests.rooms.notebook.settings import Settings

__all__ = ["ROOM", "STEP"]


def build(ground: Ground) -> tuple[Notebook]:
    """The service of this room."""
    return (Notebook(ground, ground.chosen(Settings)),)


ROOM = Room(
    "notebook",
    duty="Keeps notes that the user dictates.",
    settings=Settings,
    build=build,
    tables=schema.TABLES,
    sql=schema.FOLDER,
    upkeep=Upkeep(forgotten=service.lose_count),
    families=(NOTE,),
    index=lambda ground: NoteIndex(),
    jobs=(Job("tally", service.tally),),
    tools=tools.TOOLS,
    commands="Write and list notes.",
    checks=(Check("there is room for notes", service.has_room),),
    status=service.status,
)

STEP = Step(hooks.keep_note)
"""Its line in `program.py`, under UserPromptSubmit."""
