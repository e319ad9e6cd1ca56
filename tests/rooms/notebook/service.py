"""Writes and lists notes, and has them counted by a job."""

from __future__ import annotations

from typing import Any

from holdfast.events.scene import Services
from holdfast.ids import NO_CONVERSATION, NO_ENTRY, ConversationId, EntryId, new_item_id
from holdfast.items.indexed import Trust
from holdfast.rooms.room import Ground, Status
from holdfast.store.interface import Tx
from tests.rooms.notebook import tables
from tests.rooms.notebook.index import NoteIndex
from tests.rooms.notebook.model import Dictated, Jotting
from tests.rooms.notebook.settings import Settings


class Notebook:
    """One owner's notes."""

    def __init__(self, ground: Ground, settings: Settings) -> None:
        self.settings = settings
        self.counted: int | None = None
        """As the last job found; None: it must be counted anew."""
        self._ground = ground
        self._index = NoteIndex()

    def note(
        self,
        words: Dictated,
        trust: Trust,
        at: int,
        project_id: str,
        conversation: ConversationId = NO_CONVERSATION,
        entry_id: EntryId = NO_ENTRY,
    ) -> Jotting:
        """A new note with an id of its own: the id of the journal entry is taken by the prompt."""
        return Jotting(
            id=new_item_id(at),
            project_id=project_id,
            conversation=conversation,
            entry_id=entry_id,
            text=words.text,
            file=words.file,
            trust=trust,
            made_at=at,
        )

    def write(self, tx: Tx, note: Jotting) -> None:
        """Keep a note, in this transaction."""
        self._index.add(tx, note, self._ground.owner)
        self._ground.jobs.ask(tx, "tally", "all", {})

    async def add(self, words: Dictated, trust: Trust, project_id: str, conversation: ConversationId) -> Jotting:
        """Keep a note that came by a tool, without secrets and private text."""
        cleaned = Dictated(self._ground.clean(words.text), self._ground.clean(words.file))
        note = self.note(cleaned, trust, self._ground.now(), project_id, conversation)
        await self._ground.store.write(lambda tx: self.write(tx, note))
        return note

    async def newest(self, project_id: str, limit: int) -> list[Jotting]:
        owner = self._ground.owner
        return await self._ground.store.read(lambda reader: tables.of_project(reader, project_id, owner, limit))

    async def count(self) -> int:
        return await self._ground.store.read(lambda reader: self._index.count(reader, self._ground.owner))


async def tally(arguments: dict[str, Any], services: Services) -> None:
    """The job: count the notes."""
    notebook = services.get(Notebook)
    notebook.counted = await notebook.count()


def lose_count(services: Services) -> None:
    """Something was forgotten."""
    services.get(Notebook).counted = None


async def has_room(services: Services) -> str | None:
    """Doctor's check."""
    notebook = services.get(Notebook)
    count = await notebook.count()
    if count < notebook.settings.most:
        return None
    return f"There are {count} notes. Forget some of them, or raise notebook.most."


async def status(services: Services) -> Status:
    notebook = services.get(Notebook)
    counted = await notebook.count() if notebook.counted is None else notebook.counted
    return Status({"notebook": {"notes": counted}}, (("notebook", f"{counted} notes"),))
