"""Finds the part of a transcript that belongs to its own conversation. Pure.

A fork's transcript begins with its parent's lines. The transcript of a resumed session begins with lines from before
holdfast. Both are older than the first event of the conversation. From the first line that is not older, all lines are
its own, in the order of the file, whatever their times say: a clock may be set back.
"""

from __future__ import annotations

from holdfast.ids import ConversationId


class OwnPart:
    """One reading of one transcript. `everything`: it continues an earlier reading that ended inside the own part."""

    def __init__(self, *, everything: bool = False, not_before: int | None = None) -> None:
        self._everything = everything
        self._not_before = not_before
        """For the transcript of a subagent: the earliest that its parent's part has told."""
        self._reached: set[str] = set()
        self.earliest: int | None = None

    def holds(self, conversation: ConversationId, at: int, heard_at: int) -> bool:
        """Is a line of this time, the next in the file, its conversation's own?"""
        begin = heard_at if self._not_before is None else min(heard_at, self._not_before)
        if at < begin and not self._everything and conversation not in self._reached:
            return False
        self._reached.add(conversation)
        self.earliest = at if self.earliest is None else min(self.earliest, at)
        return True
