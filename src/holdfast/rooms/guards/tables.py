"""This room's table: what was decided. The only module of the room that speaks SQL."""

from __future__ import annotations

from typing import Any

from holdfast.ids import ConversationId
from holdfast.store.interface import Reader, Tx


def add(tx: Tx, **row: Any) -> None:
    tx.run("guards.add", **row)


def listed(reader: Reader, owner: str, since: int, limit: int) -> list[dict[str, Any]]:
    return reader.all("guards.listed", owner=owner, since=since, limit=limit)


def of_conversation(reader: Reader, conversation: ConversationId, owner: str, limit: int) -> list[dict[str, Any]]:
    """What was decided in a conversation, the newest first."""
    return reader.all("guards.of_conversation", conversation=conversation, owner=owner, limit=limit)


def by_short(reader: Reader, tail: str, owner: str) -> list[dict[str, Any]]:
    return reader.all("guards.by_short", tail=tail, owner=owner)


def ids_kept(reader: Reader, owner: str) -> set[str]:
    """All that is kept and still has its row."""
    return {str(row["kept_id"]) for row in reader.all("guards.ids_kept", owner=owner)}


def tool_events(reader: Reader, conversation: ConversationId, owner: str) -> list[dict[str, Any]]:
    return reader.all("guards.tool_events", conversation=conversation, owner=owner)


def counts(reader: Reader, owner: str) -> list[dict[str, Any]]:
    return reader.all("guards.counts", owner=owner)
