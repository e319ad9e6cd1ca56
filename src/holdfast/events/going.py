"""What is being forgotten: rooms and the package `undo` are told it, for the files that they keep beside the store."""

from __future__ import annotations

from dataclasses import dataclass

from holdfast.ids import NO_CONVERSATION, ConversationId


@dataclass(frozen=True, slots=True)
class Going:
    """One of the fields is set."""

    text: str = ""
    conversation: ConversationId = NO_CONVERSATION
    before: int = 0
    files: tuple[str, ...] = ()
    """Full paths, or the ends of paths."""
