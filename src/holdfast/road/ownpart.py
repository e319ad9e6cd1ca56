"""Which part of a transcript is its conversation's own. Pure.

A fork's transcript begins with its parent's lines, and that of a resumed session with what was before holdfast: lines
older than the first that was heard of the conversation. From the first that is not older all lines are its own, in the
order of the file and whatever their times say: a clock may be set back meanwhile.
"""

from __future__ import annotations


class OwnPart:
    """One reading of one transcript. `everything`: it goes on where an earlier reading ended, inside that part."""

    def __init__(self, *, everything: bool = False, not_before: int | None = None) -> None:
        self._everything = everything
        self._not_before = not_before
        """For the transcript of a subagent: the earliest that its parent's part has told."""
        self._reached: set[str] = set()
        self.earliest: int | None = None

    def holds(self, conversation: str, at: int, heard_at: int) -> bool:
        """Is a line of this time, the next in the file, its conversation's own?"""
        begin = heard_at if self._not_before is None else min(heard_at, self._not_before)
        if at < begin and not self._everything and conversation not in self._reached:
            return False
        self._reached.add(conversation)
        self.earliest = at if self.earliest is None else min(self.earliest, at)
        return True
