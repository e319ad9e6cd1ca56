"""The only speaker of `continuity.sql`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from holdfast.ids import NO_CONVERSATION, NO_WINDOW, ConversationId, ItemId, WindowId
from holdfast.rooms.continuity.model import Checkpoint, Compaction, Debrief, Handover
from holdfast.store.interface import Reader, Tx, Value

MOST_ENTRIES = 20_000


def entries(reader: Reader, conversation: ConversationId, owner: str, since: int = 0) -> list[dict[str, Value]]:
    """The journal's entries that a story is made of, in the order of time."""
    return reader.all("continuity.entries", conversation=conversation, owner=owner, since=since, limit=MOST_ENTRIES)


def count_entries(reader: Reader, conversation: ConversationId, owner: str) -> int:
    row = reader.one("continuity.count_entries", conversation=conversation, owner=owner)
    return int(row["n"] or 0) if row else 0


def windows_of(reader: Reader, conversation: ConversationId, owner: str, limit: int = 2) -> list[dict[str, Value]]:
    """The main agent's windows, the newest first."""
    return reader.all("continuity.windows_of", conversation=conversation, owner=owner, limit=limit)


def window_place(reader: Reader, conversation: ConversationId, owner: str) -> dict[str, Value] | None:
    """The newest window of a conversation, with its folder."""
    return reader.one("continuity.window_place", conversation=conversation, owner=owner)


def open_conversations(
    reader: Reader, owner: str, project_id: str, since: int, but: str, limit: int = 100
) -> dict[str, int]:
    """The other conversations of a project whose window is open, and when each was last heard of."""
    rows = reader.all(
        "continuity.open_conversations", owner=owner, project_id=project_id, since=since, but=but, limit=limit
    )
    return {str(row["conversation"]): int(row["last_event_at"] or 0) for row in rows}


def checkpoints(
    reader: Reader,
    owner: str,
    *,
    project_id: str = "",
    conversation: ConversationId = NO_CONVERSATION,
    since: int = 0,
    limit: int = 20,
) -> list[Checkpoint]:
    rows = reader.all(
        "continuity.checkpoints",
        owner=owner,
        project_id=project_id,
        conversation=conversation,
        since=since,
        limit=limit,
    )
    return [_read(row, Checkpoint) for row in rows]


def has_checkpoint(
    reader: Reader, owner: str, conversation: ConversationId, window_id: WindowId, reason: str, threshold: int = 0
) -> bool:
    asked: dict[str, Value] = {
        "conversation": conversation,
        "window_id": window_id,
        "owner": owner,
        "reason": reason,
        "threshold": threshold,
    }
    return reader.one("continuity.checkpoint_at", **asked) is not None


def ends_of(reader: Reader, owner: str, conversation: ConversationId, window_id: WindowId) -> Sequence[ItemId]:
    """Ids of a window's last checkpoints."""
    rows = reader.all("continuity.ends_of", owner=owner, conversation=conversation, window_id=window_id)
    return [ItemId(str(row["id"])) for row in rows]


def made_since(reader: Reader, owner: str, conversation: ConversationId, since: int) -> Sequence[ItemId]:
    """Ids of the checkpoints that were made of a conversation since a moment."""
    rows = reader.all("continuity.made_since", owner=owner, conversation=conversation, since=since)
    return [ItemId(str(row["id"])) for row in rows]


def drop_since(tx: Tx, owner: str, conversation: ConversationId, since: int) -> None:
    """Remove the hand-overs and compactions that were made of a conversation since a moment."""
    tx.run("continuity.drop_handovers_since", owner=owner, conversation=conversation, since=since)
    tx.run("continuity.drop_compactions_since", owner=owner, conversation=conversation, since=since)


def beyond(reader: Reader, owner: str, project_id: str, keep: int) -> Sequence[ItemId]:
    """Ids of a project's checkpoints, without the newest `keep`."""
    rows = reader.all("continuity.old_checkpoints", owner=owner, project_id=project_id, keep=keep)
    return [ItemId(str(row["id"])) for row in rows]


def debrief_of(reader: Reader, owner: str, conversation: ConversationId) -> Debrief | None:
    row = reader.one("continuity.debrief_of", owner=owner, conversation=conversation)
    return _read(row, Debrief) if row else None


def put_handover(tx: Tx, handover: Handover, owner: str) -> None:
    """Keep a hand-over; one of the same conversation that nobody was given goes."""
    tx.run("continuity.drop_handovers", owner=owner, conversation=handover.conversation)
    tx.run(
        "continuity.put_handover",
        id=handover.id,
        owner=owner,
        project_id=handover.project_id,
        conversation=handover.conversation,
        content=handover.content,
        files=handover.files,
        made_at=handover.made_at,
    )


def waiting_handover(reader: Reader, owner: str, project_id: str, since: int) -> Handover | None:
    row = reader.one("continuity.waiting_handover", owner=owner, project_id=project_id, since=since)
    return _read(row, Handover) if row else None


def handovers(reader: Reader, owner: str, project_id: str = "", limit: int = 20) -> list[Handover]:
    rows = reader.all("continuity.handovers", owner=owner, project_id=project_id, limit=limit)
    return [_read(row, Handover) for row in rows]


def give_handover(tx: Tx, handover_id: str, given_to: str, at: int) -> bool:
    """Is this the session that gets it?"""
    return tx.run("continuity.give_handover", id=handover_id, given_to=given_to, at=at) == 1


def put_compaction(tx: Tx, compaction: Compaction, owner: str) -> None:
    tx.run("continuity.put_compaction", owner=owner, **msgspec.structs.asdict(compaction))


def tell_compaction(tx: Tx, compaction_id: str, owner: str, summary: str, trigger: str) -> None:
    tx.run("continuity.tell_compaction", id=compaction_id, owner=owner, summary=summary, trigger=trigger)


def compactions(
    reader: Reader,
    owner: str,
    *,
    conversation: ConversationId = NO_CONVERSATION,
    window_id: WindowId = NO_WINDOW,
    project_id: str = "",
    limit: int = 1,
) -> list[Compaction]:
    rows = reader.all(
        "continuity.compactions",
        owner=owner,
        conversation=conversation,
        window_id=window_id,
        project_id=project_id,
        limit=limit,
    )
    return [_read(row, Compaction) for row in rows]


def worktrees(reader: Reader, owner: str, limit: int = 500) -> list[tuple[str, str]]:
    """(project id, folder) of the worktrees, the newest first."""
    rows = reader.all("continuity.project_origin", owner=owner, limit=limit)
    return [(str(row["id"]), str(row["path"])) for row in rows]


def _read(row: dict[str, Value], kind: type[Any]) -> Any:
    return msgspec.convert(row, kind, strict=False)
