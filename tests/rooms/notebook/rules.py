"""The decisions of this room. Pure."""

from __future__ import annotations

import re

import msgspec

from holdfast.items.indexed import Change
from holdfast.prose.one_line import one_line
from tests.rooms.notebook.model import Dictated, Jotting

LONGEST_NOTE = 4_000
MOST_IN_BRIEF = 3


def dictated(prompt: str, word: str) -> Dictated | None:
    """The note in a prompt such as "note: TEXT" or "note src/pump.py: TEXT".

    None when it is another prompt.
    """
    found = re.match(rf"\s*{re.escape(word)}(?:[ \t]+([^\s:]+))?:\s*(\S.*)", prompt, re.DOTALL | re.IGNORECASE)
    return Dictated(found[2].strip()[:LONGEST_NOTE], found[1] or "") if found else None


def edited(note: Jotting, change: Change) -> Jotting:
    """The corrected note.

    It has neither title nor tags, so that they change nothing: then the house says so, and the words stay their
    writer's.
    """
    text = note.text if change.text is None else change.text[:LONGEST_NOTE]
    return note if text == note.text else msgspec.structs.replace(note, text=text, trust=change.by)


def taken_down(note: Jotting) -> str:
    """What the agent is told about a note that was just kept."""
    about = f" about {note.file}" if note.file else ""
    return f"The user's note{about} was kept: {one_line(note.text)}"
