"""Chooses the items of this room that are injected at the start of a window and before a file is used.

`items` chooses what fits a prompt, over every room. `wording` writes the lines. `hooks` claims the items in the
transaction of the event, so that nothing is injected twice.
"""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.items import tables as given
from holdfast.items.indexed import Section, Start
from holdfast.items.model import Given, Listener
from holdfast.rooms.memory import tables
from holdfast.rooms.memory.injecting import wording
from holdfast.rooms.memory.model import MemoryItem
from holdfast.store.interface import Reader
from holdfast.times import DAY_US

FILE_TOKENS = 300
_RECENT_US = 90 * DAY_US
_LOOKED_AT = 12
_HISTORY_READ = 30
_FILE_MEMORIES = 5


def for_start(reader: Reader, start: Start) -> list[Section]:
    """Recent work, open threads and memories."""
    since = start.now - _RECENT_US
    summaries = [
        each for each in tables.recent_summaries(reader, start, since, _LOOKED_AT) if each.id not in start.given
    ]
    outcomes = [] if summaries else tables.recent_outcomes(reader, start, since, _LOOKED_AT)
    kept = tables.memories_of_project(reader, start.owner, start.project_id, _LOOKED_AT)
    outcomes = [each for each in outcomes if each.id not in start.given]
    memories = [each for each in kept if each.id not in start.given]
    return wording.sections(
        summaries, outcomes, memories, start.now, _objections(reader, [*summaries, *outcomes, *memories])
    )


def for_file(reader: Reader, who: Listener, path: str, project_id: str, owner: str, now: int) -> list[Given]:
    """The history of a file, without what this agent did or was given. Empty when this agent was given it before."""
    if given.file_was_given(reader, who, path):
        return []
    had = given.given_to(reader, who)
    found = tables.file_history(reader, who, path, project_id, _HISTORY_READ)
    kept = tables.memories_of_file(reader, owner, path, project_id, _FILE_MEMORIES)
    observations = [each for each in found if each.id not in had]
    memories = [each for each in kept if each.id not in had]
    objections = _objections(reader, [*observations, *memories])
    return wording.history(path, observations, memories, now, FILE_TOKENS, objections)


def _objections(reader: Reader, items: Sequence[MemoryItem]) -> dict[str, str]:
    """What agents say against items, by the items' ids."""
    return {item.id: said for item in items if (said := given.objection_to(reader, item.id))}
