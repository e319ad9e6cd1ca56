"""What to search for in the files beside the database after something was forgotten, and what was found. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from holdfast.ids import NO_CONVERSATION, ConversationId, ItemId
from holdfast.store.interface import Row

_TELLING = 16
"""Only lines with at least this many characters are searched for in the log."""


@dataclass(slots=True)
class Traces:
    text: str = ""
    conversation: ConversationId = NO_CONVERSATION
    before: int = 0
    files: tuple[str, ...] = ()
    ids: set[str] = field(default_factory=set)
    """Ids of items, journal entries and tool uses."""
    words: set[str] = field(default_factory=set)

    def note_entries(self, entries: Iterable[Row]) -> None:
        for row in entries:
            self.ids.add(str(row["id"]))
            if row["tool_use_id"]:
                self.ids.add(str(row["tool_use_id"]))

    def note_item(self, item_id: ItemId, words: str, most: int) -> None:
        self.ids.add(item_id)
        if len(self.words) < most:
            lines = (line.strip() for line in words.splitlines())
            self.words |= {line for line in lines if len(line) >= _TELLING}


@dataclass(frozen=True, slots=True)
class Swept:
    """What was found in the files."""

    spooled: int = 0
    log_lines: int = 0
    backups: tuple[str, ...] = ()
    """Copies that held what was forgotten. They were removed."""
    unread: tuple[str, ...] = ()
    """Copies that could not be examined. They are still there."""
    made: str = ""
    """The new copy in their place."""
    kept: int = 0
    """What rooms kept in files of their own, and removed."""
