"""Which open lines give way although nobody said that they are over: what stood beside a line that was settled, and
what nobody came back to in a week (MEM-18). Pure.

Only what waits for nobody gives way: a limit, a remark, a reason. What somebody must do, what production waits for,
what was asked and what the agent listed as open is told until it is settled.
"""

from __future__ import annotations

import re

from holdfast.patterns import lazy_pattern
from holdfast.prose.openness import is_undecided
from holdfast.prose.roles import role_of
from holdfast.prose.updates.settled import deeds_needed
from holdfast.rooms.memory.standing.thread import Thread, pressing
from holdfast.rooms.memory.standing.waiting import LABEL
from holdfast.times import DAY_US

_FADES_US, _OWED_FADES_US = 7 * DAY_US, 10 * DAY_US
"""So long the brief tells what waits for nobody, and what has to be done by whomever; `holdfast threads` lists both
longer."""
_LEAST = 2
_OWED = lazy_pattern(
    r"\b(?:(?:still|yet|is|are|left) to be|needs?|must|(?:has|have) to|should|todo|to ?do|muss|müssen|braucht|brauchen"
    r"|doit|doivent|debe|deben|falta|faltan|hace falta|yet|noch nicht|pas encore|todavía no|aún no|ainda não)\b",
    re.IGNORECASE,
)
"""Somebody has to do it, whoever that is, or it is to come."""


def gives_way(thread: Thread) -> bool:
    """Does it wait for nobody, and was it not listed as work to do?"""
    if thread.kind != "left" or pressing(thread) < _LEAST:
        return False
    return not (_is_listed(thread.line) or is_undecided(thread.line))


def needs_no_deed(thread: Thread) -> bool:
    """Is it only a reason or a limit: does it name nothing that anybody could do about it?"""
    return gives_way(thread) and all(kind.startswith("=") for kind in deeds_needed(thread.line))


def has_faded(thread: Thread, happened_at: int, now: int) -> bool:
    """Did nobody come back for a week to what waits for nobody?"""
    if happened_at >= now - _FADES_US or not gives_way(thread):
        return False
    return happened_at < now - _OWED_FADES_US or not _OWED.search(thread.line)


def _is_listed(line: str) -> bool:
    """Does it begin with a label that says that it is open: "Pending: the backfill."?"""
    label = LABEL.match(line)
    return label is not None and role_of(label["label"]) == "open"
