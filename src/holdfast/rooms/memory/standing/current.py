"""Reads what came after some items, so that they are told as they stand now: without what was settled, repaired or
taken up since. `newest` decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from holdfast.ids import ItemId
from holdfast.rooms.memory import tables
from holdfast.rooms.memory.model import MemoryItem, Observation, Summary, SummaryContent
from holdfast.rooms.memory.standing import anew, newest, threads
from holdfast.store.interface import Reader

_MOST_READ = 300
"""Summaries after an item that are looked at, the newest of them."""


def of_items(reader: Reader, items: Sequence[MemoryItem], owner: str) -> list[MemoryItem]:
    """The items as they stand now; those of which nothing holds any more are left out."""
    may_have_changed = [item for item in items if _may_have_changed(item)]
    if not may_have_changed:
        return list(items)
    since = _Since(reader, may_have_changed, owner)
    changed = {item.id: since.now(item) for item in may_have_changed}
    found = [changed.get(item.id, item) if item.id in changed else item for item in items]
    return [item for item in found if item is not None]


def told_anew(reader: Reader, items: Sequence[MemoryItem]) -> dict[ItemId, Summary]:
    """The summaries that say the state of these items anew, by the items' ids: they are told in their place."""
    dated = [item for item in items if isinstance(item, Summary) and item.written_by != "user"]
    if not dated:
        return {}
    oldest, [project, *_] = min(each.happened_at for each in dated), [each.project_id for each in dated]
    later = list(reversed(tables.summaries_after(reader, project, oldest, _MOST_READ)))
    found = ((each.id, anew.newest_instead(each, later)) for each in dated)
    return {old: new for old, new in found if new is not None}


def with_news(reader: Reader, items: Sequence[MemoryItem]) -> list[MemoryItem]:
    """The items, those with a value that was given up since with the words that say so. It is the last that is done:
    these words are another work's."""
    dated = [item for item in items if isinstance(item, Summary) and anew.may_have_news(item.content)]
    if not dated:
        return list(items)
    oldest, [project, *_] = min(each.happened_at for each in dated), [each.project_id for each in dated]
    later = list(reversed(tables.summaries_after(reader, project, oldest, _MOST_READ)))
    return [anew.with_news(item, later) if isinstance(item, Summary) else item for item in items]


def _may_have_changed(item: MemoryItem) -> bool:
    match item:
        case Summary():
            return newest.may_be_settled(item.content) or bool(newest.waits_for_more(item.content.title))
        case Observation():
            return any(run.outcome == "failed" for run in item.runs)
        case _:
            return False


class _Since:
    """The summaries after the oldest of some items."""

    def __init__(self, reader: Reader, items: Sequence[MemoryItem], owner: str) -> None:
        dated = [item for item in items if isinstance(item, Summary | Observation)]
        oldest, [project, *_] = min(each.happened_at for each in dated), [each.project_id for each in dated]
        self._reader = reader
        self._later = list(reversed(tables.summaries_after(reader, project, oldest, _MOST_READ)))
        self._done = tables.settled_threads(reader, project, owner)

    def now(self, item: MemoryItem) -> MemoryItem | None:
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
            case _:
                return item

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
