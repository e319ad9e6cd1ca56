"""Offers refusals to show, why, forget and export (`items.indexed`).

They are not put into the index of recall: what was refused is no lesson, and is never told to an agent unasked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from holdfast import recall
from holdfast.ids import ConversationId, EntryId, ItemId
from holdfast.items.indexed import Background, Family, Listed
from holdfast.items.table_index import TableIndex
from holdfast.rooms.guards import explaining, schema
from holdfast.rooms.guards.rulebook import Rulebook
from holdfast.store.interface import Reader, Tx
from holdfast.undo.store import Undo

FAMILY = Family("refusal", "g")


class Refusal(msgspec.Struct, frozen=True):
    """One row: what was refused, asked about, or run after its bytes were kept."""

    id: ItemId
    project_id: str
    conversation: ConversationId
    agent_id: str
    tool: str
    decision: str
    rule: str
    reason: str
    command: str
    kept_id: str
    happened_at: int


class RefusalIndex(TableIndex[Refusal]):
    """The rows of `refusal`. What was kept goes with its row."""

    made_from = "id"

    def __init__(self, undo: Undo, rulebook: Rulebook) -> None:
        super().__init__(schema.REFUSAL, FAMILY, Refusal)
        self._undo = undo
        self._rulebook = rulebook

    def listed(self, item: Refusal) -> Listed:
        title = f"{item.decision} by {item.rule}: {item.command}"
        return Listed(item.id, FAMILY.name, FAMILY.name, title[:200], item.project_id, item.happened_at, trust="tool")

    def whole(self, item: Refusal) -> dict[str, Any]:
        told = {name: getattr(item, name) for name in ("decision", "rule", "reason")}
        packs = self._rulebook.packs(explaining.root_of(item.reason))
        told["instead"] = explaining.instead_of(packs, item.tool, item.command, item.rule, item.reason)
        told |= {name: getattr(item, name) for name in ("command", "tool", "kept_id")}
        return told | {"parts": explaining.parts_of(item.tool, item.command)}

    def background(self, reader: Reader, item: Refusal, owner: str) -> Background:
        more = {"decision": item.decision, "rule": item.rule, "reason": item.reason}
        if item.kept_id:
            more["undo"] = f"holdfast undo {item.kept_id}"
        return Background(EntryId(item.id), item.conversation, more)

    def found_by(self, reader: Reader, item: Refusal, owner: str) -> recall.Item | None:
        return None

    def count(self, reader: Reader, owner: str) -> int:
        return 0

    def after_forget(self, tx: Tx, removed: Sequence[Refusal], owner: str, now: int) -> None:
        self._undo.drop_ids([item.kept_id for item in removed if item.kept_id])
