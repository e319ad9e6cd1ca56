"""Items of every family of this room: finding, listing, rewriting and removing them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from holdfast import recall
from holdfast.ids import NO_CONVERSATION, NO_LISTENER, ConversationId, ItemId, ListenerId, listener_id
from holdfast.items import tables as item_tables
from holdfast.items.indexed import Listed, Page
from holdfast.rooms.memory import documents
from holdfast.rooms.memory.model import FamilyName, Memory, MemoryItem, Observation, Prompt, Summary
from holdfast.rooms.memory.tables import rows
from holdfast.rooms.memory.tables.model_calls import drop_model_summaries
from holdfast.rooms.memory.tables.observations import drop_touched
from holdfast.rooms.memory.tables.windows import agent_of_window
from holdfast.store.interface import Reader, Tx, Value


def item(
    reader: Reader,
    item_id: ItemId,
    owner: str,
    families: Iterable[FamilyName] = ("memory", "observation", "summary", "prompt"),
) -> MemoryItem | None:
    """An item of this owner by its full id."""
    for family in families:
        row = reader.one(f"memory.{family}", id=item_id)
        if row is not None and row["owner"] == owner:
            match family:
                case "prompt":
                    return rows.prompt_of(row)
                case "observation":
                    return rows.observation_of(row)
                case "summary":
                    return rows.summary_of(row)
                case "memory":
                    return rows.memory_of(row)
    return None


def ids_ending(reader: Reader, family: str, tail: str) -> list[ItemId]:
    """Full ids of any owner that end in these eight characters."""
    return [ItemId(str(row["id"])) for row in reader.all(f"memory.short_{family}", tail=tail)]


def page(reader: Reader, wanted: Page, owner: str) -> list[Listed]:
    """Items in the order of time."""
    about: dict[str, Value] = {"owner": owner, "project_id": wanted.project_id, "since": wanted.since}
    if wanted.oldest_first:
        found = reader.all("memory.listed_after", **about, after=wanted.after, limit=wanted.limit)
    else:
        found = reader.all(
            "memory.listed",
            **about,
            until=wanted.until,
            family=wanted.family,
            kind=wanted.kind,
            file=wanted.file,
            conversation=wanted.conversation,
            like=wanted.like,
            limit=wanted.limit,
        )
    return [rows.listed_of(row) for row in found]


def count(reader: Reader, owner: str) -> int:
    """How many items the index must hold."""
    row = reader.one("memory.count", owner=owner)
    return rows.number(row["n"]) if row else 0


def conversation_of(reader: Reader, item: MemoryItem) -> ConversationId:
    """The client's session id of an item; '' for a memory."""
    match item:
        case Prompt() | Summary():
            return item.conversation
        case Observation():
            agent = agent_of_window(reader, item.window_id)
            return agent.conversation if agent else NO_CONVERSATION
        case Memory():
            return NO_CONVERSATION


def listener_of(reader: Reader, item: MemoryItem) -> ListenerId:
    """The agent that did the work an item describes."""
    if not isinstance(item, Observation):
        return listener_id(conversation_of(reader, item))
    agent = agent_of_window(reader, item.window_id)
    return agent.id if agent else NO_LISTENER


def put_in_index(tx: Tx, item: MemoryItem, owner: str) -> None:
    """Index an item by its present words, and rank it lower if it is superseded."""
    if documents.is_indexed(item):
        entry = documents.document(item, owner, listener_of(tx, item))
        recall.index(tx, [replace(entry, superseded=item_tables.superseded(tx, item.id) is not None)])
    else:
        recall.remove(tx, [item.id])


def rewrite(tx: Tx, item: MemoryItem) -> None:
    """Store the words of an item that was corrected."""
    match item:
        case Memory():
            tags, files = rows.listing(item.tags), rows.listing(item.files)
            words: dict[str, Value] = {"title": item.title, "text": item.text, "tags": tags, "files": files}
            tx.run("memory.edit_memory", id=item.id, at=item.updated_at, trust=item.trust, **words)
        case Observation():
            tx.run("memory.edit_observation", id=item.id, title=item.title, text=item.excerpt or None)
        case Summary():
            tx.run("memory.summary_rewrite", **rows.summary_row(item))
        case Prompt():
            tx.run("memory.edit_prompt", id=item.id, text=item.text)


def remove(tx: Tx, ids: Iterable[ItemId], owner: str) -> list[MemoryItem]:
    """Remove the rows of items; what was removed. `items` removes what other tables hold about them."""
    removed: list[MemoryItem] = []
    for item_id in dict.fromkeys(ids):
        found = item(tx, item_id, owner)
        if found is not None:
            _drop_row(tx, found)
            removed.append(found)
    return removed


def _drop_row(tx: Tx, found: MemoryItem) -> None:
    match found:
        case Prompt():
            tx.run("memory.drop_prompt", id=found.id)
        case Summary():
            tx.run("memory.drop_summary", id=found.id)
            drop_model_summaries(tx, [found.subject])
            tx.run("memory.unsettle_threads", subject=found.subject)
        case Observation():
            tx.run("memory.drop_observation", id=found.id)
            drop_touched(tx, found, found.happened_at)
        case Memory():
            tx.run("memory.drop_memory", id=found.id)
            drop_touched(tx, found, found.created_at)
