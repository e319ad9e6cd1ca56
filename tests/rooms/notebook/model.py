"""The values of this room. The fields of a note are named as the columns of its table."""

from __future__ import annotations

from msgspec import Struct

from holdfast.ids import ConversationId, EntryId, ItemId
from holdfast.items.indexed import Family, Trust

NOTE = Family("note", "n", unasked=("note",), remembered=True, context_type="notes")
"""Notes may be given to an agent that did not ask; someone asked for them to be kept."""


class Jotting(Struct, frozen=True):
    id: ItemId
    project_id: str
    """'' for all projects."""
    conversation: ConversationId
    """'' when it was written outside a session."""
    entry_id: EntryId
    """The journal entry it was made from; '' when it came by a tool."""
    text: str
    file: str
    """The file that it is about, relative to its project, or ''."""
    trust: Trust
    made_at: int


class Dictated(Struct, frozen=True):
    """What a prompt asks to be noted."""

    text: str
    file: str = ""
