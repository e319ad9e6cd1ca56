"""Checkpoints and debriefs as items: found by search, shown, forgotten."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from holdfast import recall
from holdfast.errors import HoldfastError
from holdfast.ids import ConversationId, ItemId
from holdfast.items.indexed import Background, Change, Listed, Page, Saying, Section, Start
from holdfast.items.table_index import TableIndex
from holdfast.items.words import one_line
from holdfast.rooms.continuity import rules
from holdfast.rooms.continuity.model import CHECKPOINT, DEBRIEF, Checkpoint, Debrief
from holdfast.rooms.continuity.schema import CHECKPOINTS, DEBRIEFS
from holdfast.rooms.continuity.telling import note
from holdfast.store.interface import Reader, Tx

_LONGEST_WORDS = 6_000


class CheckpointIndex(TableIndex[Checkpoint]):
    made_from = "entry_id"

    def __init__(self) -> None:
        super().__init__(CHECKPOINTS, CHECKPOINT, Checkpoint)

    def listed(self, item: Checkpoint) -> Listed:
        return Listed(item.id, CHECKPOINT.name, CHECKPOINT.name, item.title, item.project_id, item.made_at)

    def words(self, item: Checkpoint) -> str:
        try:
            text, _ = note.written(note.parts_of(rules.stand_of(item)), 1_500)
        except HoldfastError:
            text = ""
        return f"{item.title}\n{text}"[:_LONGEST_WORDS]

    def found_by(self, reader: Reader, item: Checkpoint, owner: str) -> recall.Item | None:
        """Not found by search: what it tells is told by the prompts and summaries that it was made of."""
        return None

    def count(self, reader: Reader, owner: str) -> int:
        return 0

    def whole(self, item: Checkpoint) -> dict[str, Any]:
        about = {"title": item.title, "reason": item.reason, "threshold": item.threshold}
        return about | {"auto_created": bool(item.auto_created), "text": self.words(item)}


class DebriefIndex(TableIndex[Debrief]):
    def __init__(self) -> None:
        super().__init__(DEBRIEFS, DEBRIEF, Debrief)

    def listed(self, item: Debrief) -> Listed:
        title = one_line(f"{item.task}: {item.approach}")
        return Listed(
            item.id,
            DEBRIEF.name,
            DEBRIEF.name,
            title,
            item.project_id,
            item.made_at,
            outcome=item.outcome,
            trust=item.trust,
        )

    def edited(self, item: Debrief, change: Change) -> Debrief:
        return msgspec.structs.replace(
            item,
            task=item.task if change.title is None else change.title,
            notes=item.notes if change.text is None else change.text,
            trust=change.by,
        )


class ContinuityIndex:
    """Both families of the room; each has a table of its own."""

    def __init__(self) -> None:
        self.checkpoints = CheckpointIndex()
        self.debriefs = DebriefIndex()
        self._of: dict[str, TableIndex[Any]] = {CHECKPOINT.name: self.checkpoints, DEBRIEF.name: self.debriefs}

    def _for(self, item: Any) -> TableIndex[Any]:
        return self.checkpoints if isinstance(item, Checkpoint) else self.debriefs

    def item(self, reader: Reader, family: str, item_id: ItemId, owner: str) -> Any | None:
        return self._of[family].item(reader, family, item_id, owner)

    def by_short(self, reader: Reader, family: str, tail: str, owner: str) -> Sequence[ItemId]:
        return self._of[family].by_short(reader, family, tail, owner)

    def page(self, reader: Reader, wanted: Page, owner: str) -> Sequence[Listed]:
        found = [line for index in self._of.values() for line in index.page(reader, wanted, owner)]
        found.sort(key=lambda line: (line.happened_at, line.id), reverse=not wanted.oldest_first)
        return found[: wanted.limit]

    def listed(self, item: Any) -> Listed:
        return self._for(item).listed(item)

    def whole(self, item: Any) -> dict[str, Any]:
        return self._for(item).whole(item)

    def words(self, item: Any) -> str:
        return self._for(item).words(item)

    def background(self, reader: Reader, item: Any, owner: str) -> Background:
        return self._for(item).background(reader, item, owner)

    def found_by(self, reader: Reader, item: Any, owner: str) -> recall.Item | None:
        return self._for(item).found_by(reader, item, owner)

    def count(self, reader: Reader, owner: str) -> int:
        return sum(index.count(reader, owner) for index in self._of.values())

    def said(self, item: Any, how: Saying) -> str:
        return self._for(item).said(item, how)

    def shown_in(self, item: Any, line: str) -> frozenset[str]:
        return self._for(item).shown_in(item, line)

    def instead(self, reader: Reader, item: Any, owner: str) -> Any:
        return item

    def as_told(self, reader: Reader, items: Sequence[Any], owner: str, *, on_request: bool = False) -> Sequence[Any]:
        return items

    def for_start(self, reader: Reader, start: Start) -> Sequence[Section]:
        return ()

    def told_by_web(self, reader: Reader, conversation: ConversationId, owner: str, now: int) -> Sequence[str]:
        return ()

    def edit(self, tx: Tx, item: Any, change: Change, owner: str) -> Any:
        return self._for(item).edit(tx, item, change, owner)

    def remove(self, tx: Tx, ids: Iterable[ItemId], owner: str) -> Sequence[Any]:
        wanted = list(ids)
        return [item for index in self._of.values() for item in index.remove(tx, wanted, owner)]

    def after_forget(self, tx: Tx, removed: Sequence[Any], owner: str, now: int) -> None:
        pass
