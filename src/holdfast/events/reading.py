"""How far the journal was read again (STO-5). Upkeep asks for it, the road does it, and both use this value."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class JournalReading:
    """How far the journal was read."""

    after: str = ""
    """The id of the last entry that was read."""
    until: str = ""
    """Entries that arrive later are captured as they come."""
    read: int = 0
    made: int = 0
    """Entries from which something was made."""
