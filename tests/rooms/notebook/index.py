"""Notes as items. The rows of one table, so the house asks the declaration and this file says the rest."""

from __future__ import annotations

from holdfast.items.indexed import Change, Listed
from holdfast.items.table_index import TableIndex
from holdfast.items.words import one_line
from tests.rooms.notebook import rules
from tests.rooms.notebook.model import NOTE, Jotting
from tests.rooms.notebook.schema import NOTES


class NoteIndex(TableIndex[Jotting]):
    made_from = "entry_id"

    def __init__(self) -> None:
        super().__init__(NOTES, NOTE, Jotting)

    def listed(self, item: Jotting) -> Listed:
        title = one_line(item.text)
        return Listed(item.id, "note", "note", title, item.project_id, item.made_at, trust=item.trust)

    def edited(self, item: Jotting, change: Change) -> Jotting:
        return rules.edited(item, change)
