"""Notes as items. The rows of one table, so the house asks the declaration and this file says the rest."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.items.indexed import Change, Listed, Saying, Section, Start
from holdfast.items.table_index import TableIndex
from holdfast.prose.one_line import one_line
from holdfast.store.interface import Reader
from tests.rooms.notebook import rules, tables
from tests.rooms.notebook.model import NOTE, Jotting
from tests.rooms.notebook.schema import NOTES


class NoteIndex(TableIndex[Jotting]):
    made_from = "entry_id"

    def __init__(self) -> None:
        super().__init__(NOTES, NOTE, Jotting)

    def listed(self, item: Jotting) -> Listed:
        title = one_line(item.text)
        return Listed(item.id, "note", "note", title, item.project_id, item.made_at, trust=item.trust)

    def for_start(self, reader: Reader, start: Start) -> Sequence[Section]:
        """The newest notes of the project stand in the brief, without those that the agent was given."""
        notes = tables.of_project(reader, start.project_id, start.owner, rules.MOST_IN_BRIEF)
        new = [note for note in notes if note.id not in start.given]
        return [
            Section("Notes of the user:", [(note.id, self.said(note, Saying(start.now, short=True))) for note in new])
        ]

    def edited(self, item: Jotting, change: Change) -> Jotting:
        return rules.edited(item, change)
