"""What people and agents can ask of this room, as data. The doors serve it."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from holdfast.events.caller import Caller
from holdfast.events.tool import Tool, Verb
from holdfast.events.verb_lines import kept_as, none_found
from holdfast.items.service import Items
from holdfast.items.words import short_id
from holdfast.times import when
from tests.rooms.notebook import verbs
from tests.rooms.notebook.model import NOTE, Dictated, Jotting
from tests.rooms.notebook.service import Notebook


class AddNote(Struct, frozen=True, forbid_unknown_fields=True):
    text: Annotated[str, Meta(min_length=1, description="What to keep.")]
    file: Annotated[str, Meta(description="The file that it is about.")] = ""


class ListNotes(Struct, frozen=True, forbid_unknown_fields=True):
    limit: Annotated[int, Meta(ge=1, le=1_000, description="How many, the newest first.")] = 20


class NoteLine(Struct, frozen=True):
    id: str
    text: str
    file: str
    by: str
    time: str


def _line(note: Jotting) -> NoteLine:
    return NoteLine(short_id(NOTE.letter, note.id), note.text, note.file, note.trust, when(note.made_at))


async def add_note(asked: AddNote, caller: Caller) -> NoteLine:
    words, project_id = Dictated(asked.text, asked.file), caller.project_id
    if caller.is_nowhere:  # the first thing that happens in this folder
        project_id = await caller.services.get(Items).project_at(caller.folder)
    notebook = caller.services.get(Notebook)
    return _line(await notebook.add(words, caller.speaker(), project_id, caller.conversation))


async def list_notes(asked: ListNotes, caller: Caller) -> list[NoteLine]:
    if caller.is_nowhere:
        return []
    return [_line(note) for note in await caller.services.get(Notebook).newest(caller.project_id, asked.limit)]


TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        "add_note",
        "Keep a note.",
        AddNote,
        add_note,
        changes=True,
        verb=Verb("note add", "note add the pump leaks --file src/pump.py", lines=kept_as, joined=True),
    ),
    Tool(
        "list_notes",
        "The newest notes of this project.",
        ListNotes,
        list_notes,
        verb=Verb(
            "note list",
            "note list --limit 5",
            lines=verbs.listed,
            empty=none_found("note", "`holdfast note add WORDS` keeps one."),
        ),
    ),
)
