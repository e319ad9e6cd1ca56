"""The named queries of upkeep: journal entries, aliases of imported ids, marks of what was forgotten, and sizes.

The rows of declared tables, whichever room's, are read and removed by `rows`. No other module of upkeep calls a query.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from holdfast.ids import NO_CONVERSATION, ConversationId, EntryId, WindowId
from holdfast.store.interface import Reader, Row, Tx, Value

# --- entries of the journal


def entry(reader: Reader, entry_id: EntryId, owner: str) -> Row | None:
    """An entry of this owner, without its payload."""
    return reader.one("upkeep.entry", id=entry_id, owner=owner)


def whole_entry(reader: Reader, entry_id: EntryId) -> Row | None:
    """An entry of any owner, with its payload."""
    return reader.one("journal.get", id=entry_id)


def entries_of_use(reader: Reader, entry: Row, owner: str) -> list[Row]:
    """All entries about the tool use of an entry: its own, and the batches that name it."""
    use = str(entry["tool_use_id"])
    about = {"conversation": entry["conversation"], "owner": owner, "like": f"%{use}%"}
    return [
        *reader.all("upkeep.entries_of_use", tool_use_id=use, owner=owner),
        *reader.all("upkeep.batches_of_use", **about),
    ]


def entries_of_prompt(reader: Reader, entry: Row, owner: str) -> list[Row]:
    """The other entries about the prompt of an entry."""
    about = {"conversation": entry["conversation"], "prompt_id": entry["prompt_id"], "owner": owner}
    return list(reader.all("upkeep.entries_of_prompt", **about))


def entries_of_conversation(reader: Reader, conversation: ConversationId, owner: str, limit: int) -> list[Row]:
    return list(reader.all("upkeep.entries_of_conversation", conversation=conversation, owner=owner, limit=limit))


def entries_before(reader: Reader, before: int, owner: str, limit: int) -> list[Row]:
    return list(reader.all("upkeep.entries_before", owner=owner, before=before, limit=limit))


def ids_of_text(reader: Reader, like: str, owner: str) -> list[str]:
    """The ids of entries whose payload matches a pattern, in any case."""
    return [str(row["id"]) for row in reader.all("upkeep.entries_of_text", owner=owner, like=like)]


def ids_holding(reader: Reader, like: str, owner: str) -> list[str]:
    """The ids of entries whose payload matches a pattern exactly."""
    return [str(row["id"]) for row in reader.all("upkeep.entries_holding", owner=owner, like=like)]


def count_of_conversation(reader: Reader, conversation: ConversationId, owner: str) -> int:
    return _number(reader.one("upkeep.count_of_conversation", conversation=conversation, owner=owner))


def count_before(reader: Reader, before: int, owner: str) -> int:
    return _number(reader.one("upkeep.count_before", owner=owner, before=before))


def drop_entries(tx: Tx, ids: Iterable[str]) -> int:
    """Remove entries; how many went."""
    return sum(tx.run("upkeep.drop_entry", id=each) for each in ids)


def drop_entries_of_items(tx: Tx, ids: Iterable[str]) -> None:
    """Remove the entries that have the ids of items, where there are such."""
    tx.many("upkeep.drop_entry", [{"id": each} for each in ids])


# --- ageing


def event_after(reader: Reader, event: str) -> str | None:
    """The next kind of event in the journal, in the order of names; None after the last."""
    row = reader.one("upkeep.next_event", event=event)
    return str(row["event"]) if row and row["event"] is not None else None


def whole_payloads(
    reader: Reader, event: str, before: int, owner: str, *, unlike: str, limit: int
) -> list[tuple[str, str]]:
    """(id, payload) of old entries of one kind whose payload does not match a pattern."""
    about: dict[str, Value] = {"event": event, "before": before, "owner": owner, "like": unlike, "limit": limit}
    return [(str(row["id"]), str(row["payload"])) for row in reader.all("upkeep.whole_entries", **about)]


def shorten(tx: Tx, entry_id: EntryId, payload: str, gone: int) -> None:
    """Replace an entry's payload by a shorter one; `gone` is how many bytes it lost."""
    tx.run("upkeep.lighten", id=entry_id, payload=payload, gone=gone)


def drop_old_entries(tx: Tx, event: str, before: int, owner: str, limit: int) -> int:
    """Remove old entries of one kind; how many went."""
    return tx.run("upkeep.drop_entries", event=event, before=before, owner=owner, limit=limit)


def bytes_by_day(reader: Reader, owner: str) -> list[tuple[int, int]]:
    """(day, payload bytes) of the journal, the oldest first."""
    found = reader.all("upkeep.bytes_by_day", owner=owner)
    return [(int(row["day"] or 0), int(row["bytes"] or 0)) for row in found]


def note_sizes(tx: Tx, day: int, sizes: Sequence[Mapping[str, Value]], *, drop_before: int) -> None:
    """Store the size of each table on a day, and remove the sizes of days long ago."""
    tx.many("upkeep.growth_put", [{"day": day, **each} for each in sizes])
    tx.run("upkeep.growth_drop", day=drop_before)


# --- names


def worktrees(reader: Reader, owner: str) -> list[tuple[str, str]]:
    """(project id, path) of every worktree."""
    return [(str(row["project_id"]), str(row["path"])) for row in reader.all("upkeep.worktrees", owner=owner)]


def conversations_like(reader: Reader, named: str, like: str, owner: str) -> list[str]:
    """The conversations with this id, or whose id matches a pattern."""
    found = reader.all("upkeep.conversations_like", owner=owner, named=named, like=like)
    return [str(row["conversation"]) for row in found]


def conversation_of(reader: Reader, window_id: WindowId) -> ConversationId:
    """The conversation of a context window; '' when the window is unknown."""
    row = reader.one("upkeep.conversation_of", id=window_id)
    return ConversationId(str(row["conversation"])) if row else NO_CONVERSATION


def local_id(reader: Reader, foreign: str) -> str:
    """The id that this store uses for a row of an export."""
    row = reader.one("upkeep.alias", id=foreign)
    return str(row["local_id"]) if row else foreign


def note_alias(tx: Tx, foreign: str, local: str) -> None:
    """This store has a row of an export under another id."""
    tx.run("upkeep.alias_add", foreign_id=foreign, local_id=local)


def forgotten_marks(reader: Reader) -> list[tuple[Value, Value, Value]]:
    """(mark, until, forgotten at) of all that was forgotten."""
    return [(row["mark"], row["until_at"], row["forgotten_at"]) for row in reader.all("upkeep.marks")]


def _number(row: Row | None) -> int:
    return int(row["n"] or 0) if row else 0


# --- facts about the store


def fact(reader: Reader, name: str) -> str:
    """A fact by its name; '' when there is none."""
    row = reader.one("session.fact", name=name)
    return str(row["value"]) if row else ""


def put_fact(tx: Tx, name: str, value: str) -> None:
    tx.run("session.fact_put", name=name, value=value)


# --- projects


def projects(reader: Reader, owner: str) -> list[Row]:
    return list(reader.all("upkeep.projects", owner=owner))
