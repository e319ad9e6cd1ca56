"""Context windows of conversations (the shared table `session`), as far as this room reads them."""

from __future__ import annotations

from holdfast.ids import ConversationId, WindowId
from holdfast.items.model import Listener
from holdfast.store.interface import Reader


def agent_of_window(reader: Reader, window_id: WindowId) -> Listener | None:
    """The conversation and the agent that a window belongs to; None when the window is unknown."""
    row = reader.one("memory.conversation_of", id=window_id)
    return Listener(ConversationId(str(row["conversation"])), str(row["agent_id"])) if row else None
