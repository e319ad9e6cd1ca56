"""Checkpoints and debriefs as items: found by search, shown, forgotten."""

from __future__ import annotations

from typing import Any

import msgspec

from holdfast import recall
from holdfast.errors import HoldfastError
from holdfast.items.by_family import IndexByFamily
from holdfast.items.indexed import Change, Listed
from holdfast.items.table_index import TableIndex
from holdfast.prose.one_line import one_line
from holdfast.rooms.continuity import rules
from holdfast.rooms.continuity.model import CHECKPOINT, DEBRIEF, Checkpoint, Debrief
from holdfast.rooms.continuity.schema import CHECKPOINTS, DEBRIEFS
from holdfast.rooms.continuity.telling import note
from holdfast.rooms.room import Ground
from holdfast.store.interface import Reader

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


def index_of(ground: Ground) -> IndexByFamily:
    return IndexByFamily(CheckpointIndex(), DebriefIndex())
