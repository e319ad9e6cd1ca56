"""What only this room knows when something is forgotten: checkpoints, hand-overs and compactions quote the journal."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.ids import ConversationId
from holdfast.rooms.continuity import tables
from holdfast.rooms.continuity.index import CheckpointIndex
from holdfast.rooms.room import Upkeep
from holdfast.store.interface import Row, Tx

_INDEX = CheckpointIndex()


def entries_gone(tx: Tx, entries: Sequence[Row], owner: str) -> None:
    """What was made of a conversation after a forgotten entry may hold its words, so it goes."""
    first: dict[str, int] = {}
    for entry in entries:
        conversation, at = str(entry["conversation"] or ""), int(entry["happened_at"] or 0)
        first[conversation] = min(at, first.get(conversation, at))
    for conversation, at in first.items():
        _INDEX.remove(tx, tables.made_since(tx, owner, ConversationId(conversation), at), owner)
        tables.drop_since(tx, owner, ConversationId(conversation), at)


UPKEEP = Upkeep(entries_gone=entries_gone)
