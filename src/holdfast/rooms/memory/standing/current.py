"""Reads what came after some items, so that they are told as they stand now: without what was settled, repaired or
taken up since. `newest` decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from holdfast.ids import ItemId
from holdfast.rooms.memory import tables
from holdfast.rooms.memory.model import MemoryItem, Observation, Summary, SummaryContent
from holdfast.rooms.memory.standing import anew, newest, threads
from holdfast.store.interface import Reader

D = TypeVar("D", Summary, Observation, Summary | Observation)
_MOST_READ = 300
"""Summaries after an item that are looked at, the newest of them."""


def of_items(reader: Reader, items: Sequence[MemoryItem], owner: str) -> list[MemoryItem]:
    """The items as they stand now; those of which nothing holds any more are left out."""
    dated = [item for item in items if isinstance(item, Summary | Observation)]
    may_have_changed = [item for item in dated if _may_have_changed(item)]
    if not may_have_changed:
        return list(items)
    changed: dict[ItemId, MemoryItem | None] = {}
    for group in _by_project(may_have_changed):
        since = _Since(reader, group, owner)
        changed |= {item.id: since.now(item) for item in group}
    found = [changed.get(item.id, item) if item.id in changed else item for item in items]
    return [item for item in found if item is not None]


def told_anew(reader: Reader, items: Sequence[MemoryItem]) -> dict[ItemId, Summary]:
    """The summaries that say the state of these items anew, by the items' ids: they are told in their place."""
    found: dict[ItemId, Summary] = {}
    for group in _by_project([item for item in items if isinstance(item, Summary) and item.written_by != "user"]):
        later = _later(reader, group)
        found |= {each.id: new for each in group if (new := anew.newest_instead(each, later))}
    return found


def with_news(reader: Reader, items: Sequence[MemoryItem]) -> list[MemoryItem]:
    """The items, those with a value that was given up since with the words that say so. It is the last that is done:
    these words are another work's."""
    told: dict[ItemId, Summary] = {}
    for group in _by_project(
        [
            item
            for item in items
            if isinstance(item, Summary) and (item.level == "turn" or anew.may_have_news(item.content))
        ]
    ):
        later = _later(reader, group)
        told |= {each.id: anew.with_news(each, later) for each in group}
    return [told.get(item.id, item) for item in items]


def _by_project(items: Sequence[D]) -> list[list[D]]:
    """A search may find items of several projects: what was done in one says nothing of another."""
    found: dict[str, list[D]] = {}
    for each in items:
        found.setdefault(each.project_id, []).append(each)
    return list(found.values())


def _later(reader: Reader, items: Sequence[Summary | Observation]) -> list[Summary]:
    """The summaries of a project that are newer than the oldest of some items, in their order."""
    oldest = min(each.happened_at for each in items)
    return list(reversed(tables.summaries_after(reader, items[0].project_id, oldest, _MOST_READ)))


def _may_have_changed(item: Summary | Observation) -> bool:
    if isinstance(item, Observation):
        return any(run.outcome == "failed" for run in item.runs)
    return newest.may_be_settled(item.content) or bool(newest.waits_for_more(item.content.title))


class _Since:
    """The summaries after the oldest of some items."""

    def __init__(self, reader: Reader, items: Sequence[Summary | Observation], owner: str) -> None:
        self._later = _later(reader, items)
        self._done = tables.settled_threads(reader, items[0].project_id, owner)

    def now(self, item: Summary | Observation) -> MemoryItem | None:
        match item:
            case Summary():
                talk, later = self._after(item)
                if talk and newest.only_asks_the_user(item.content):
                    return None
                lines = threads.open_lines(item.content, talk, later)
                still = [line for line in lines if not threads.is_done(item, line, self._done)]
                left = newest.as_it_stands(item, still, [*later, *talk])
                return newest.without_what_came(left, later) if left else None
            case Observation():
                after = (each.content for each in self._later if each.happened_at >= item.happened_at)
                return None if newest.is_repaired(item, list(after)) else item

    def _after(self, summary: Summary) -> tuple[list[SummaryContent], list[SummaryContent]]:
        """What came after it in its own conversation, and elsewhere."""
        talk = [
            each
            for each in self._later
            if each.conversation == summary.conversation
            and each.level == "turn"
            and each.prompt_number > summary.prompt_number
        ]
        others = [
            each
            for each in self._later
            if each.conversation != summary.conversation and each.happened_at > summary.happened_at
        ]
        return _contents(talk), _contents(others)


def _contents(summaries: Iterable[Summary]) -> list[SummaryContent]:
    return [each.content for each in summaries]
