"""Which items of this room are given at a window's start and before a file is used.

What fits a prompt is chosen by `items`, over every room. `wording` writes the lines. `hooks` claims them in the event's
transaction, so that nothing is given twice.
"""

from __future__ import annotations

from holdfast.items import tables as given
from holdfast.items.indexed import Section, Start
from holdfast.items.model import Given, Listener
from holdfast.rooms.memory import rows
from holdfast.rooms.memory.injecting import wording
from holdfast.store.interface import Reader, Value
from holdfast.times import DAY_US

FILE_TOKENS = 300
_RECENT_US = 90 * DAY_US
_LOOKED_AT = 12


def for_start(reader: Reader, start: Start) -> list[Section]:
    """Recent work, open threads, and what is to be kept in mind."""

    def recent(query: str) -> list[dict[str, Value]]:
        found = reader.all(
            query,
            project_id=start.project_id,
            since=start.now - _RECENT_US,
            conversation=start.conversation,
            lost_at=start.lost_at,
            limit=_LOOKED_AT,
        )
        return [row for row in found if row["id"] not in start.given]

    summaries = [rows.summary_of(row) for row in recent("memory.recent_summaries")]
    outcomes = [] if summaries else [rows.observation_of(row) for row in recent("memory.recent_outcomes")]
    kept = reader.all("memory.memories", owner=start.owner, project_id=start.project_id, limit=_LOOKED_AT)
    memories = [rows.memory_of(row) for row in kept if row["id"] not in start.given]
    return wording.sections(summaries, outcomes, memories, start.now)


def for_file(reader: Reader, who: Listener, path: str, project_id: str, owner: str, now: int) -> list[Given]:
    """The history of a file, less what this agent did or was given; nothing when it had the file's history already."""
    if given.file_was_given(reader, who, path):
        return []
    had = given.given_to(reader, who)
    found = reader.all(
        "memory.file_history",
        path=path,
        project_id=project_id,
        conversation=who.conversation,
        agent_id=who.agent_id,
        lost_at=who.lost_at,
        limit=30,
    )
    kept = reader.all("memory.file_memories", path=path, owner=owner, project_id=project_id, limit=5)
    observations = [each for each in map(rows.observation_of, found) if each.id not in had]
    memories = [each for each in map(rows.memory_of, kept) if each.id not in had]
    return wording.history(path, observations, memories, now, FILE_TOKENS)
