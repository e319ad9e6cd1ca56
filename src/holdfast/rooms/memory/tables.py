"""This room's tables: what is written in an event's transaction, and what is read. The only speaker of `memory.sql`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from holdfast import recall
from holdfast.events import tombstone
from holdfast.ids import ConversationId
from holdfast.items import tables as items
from holdfast.items.indexed import Listed, Page
from holdfast.items.model import Listener
from holdfast.rooms.memory import documents, rows
from holdfast.rooms.memory.model import LIGHT, FamilyName, Memory, MemoryItem, Observation, Prompt, Summary
from holdfast.store.interface import Reader, Tx, Value

_JUST_US = 120 * 1_000_000
"""A page's version counts for a reading that is this young."""


# --- writing


def keep_prompt(tx: Tx, prompt: Prompt, owner: str) -> Prompt:
    """Keep a prompt under its number. One that arrives late moves those after it."""
    place = tx.one("memory.prompt_place", conversation=prompt.conversation, at=prompt.happened_at) or {}
    if rows.number(place["later"]):
        for query in ("memory.shift_prompts", "memory.shift_observations", "memory.shift_summaries"):
            tx.run(query, conversation=prompt.conversation, at=prompt.happened_at)
    kept = replace(prompt, number=rows.number(place["number"]))
    if tx.run("memory.prompt_add", **rows.prompt_row(kept)):
        recall.index(tx, [documents.document(kept, owner, kept.conversation)])
    return kept


def keep_observation(tx: Tx, observation: Observation, listener: Listener, owner: str) -> Observation:
    """Keep what was done, under the prompt it was done for."""
    at = observation.happened_at
    row = tx.one("memory.prompt_number", conversation=listener.conversation, at=at)
    kept = replace(observation, prompt_number=rows.number(row["number"]) if row else 0)
    if tx.run("memory.observe", **rows.observation_row(kept)):
        if kept.kind not in LIGHT:
            touch(tx, kept, at, owner)
        recall.index(tx, [documents.document(kept, owner, listener.name)])
        if kept.kind == "web":
            items.cite(tx, kept.id, kept.command, owner, since=at - _JUST_US)
    return kept


def keep_summary(tx: Tx, summary: Summary, owner: str) -> None:
    """Keep a summary in place of an older one of the same subject, unless a user wrote that or had it forgotten."""
    if tombstone.lies_on(tx, summary.happened_at, tombstone.of_subject(summary.subject)):
        return
    old = tx.one("memory.summary_of", subject=summary.subject)
    kept = replace(summary, id=str(old["id"])) if old else summary
    if tx.run("memory.summary_put", **rows.summary_row(kept)):
        put_in_index(tx, kept, owner)


def rewrite_summary(tx: Tx, summary: Summary, owner: str) -> None:
    """Change what a summary says, whoever wrote it."""
    tx.run("memory.summary_rewrite", **rows.summary_row(summary))
    put_in_index(tx, summary, owner)


def rewrite(tx: Tx, item: MemoryItem) -> None:
    """Write the words of an item that was corrected."""
    match item:
        case Memory():
            tags, files = rows.listing(item.tags), rows.listing(item.files)
            words: dict[str, Value] = {"title": item.title, "text": item.text, "tags": tags, "files": files}
            tx.run("memory.edit_memory", id=item.id, at=item.updated_at, **words)
        case Observation():
            tx.run("memory.edit_observation", id=item.id, title=item.title, text=item.excerpt or None)
        case Summary():
            tx.run("memory.summary_rewrite", **rows.summary_row(item))
        case Prompt():
            tx.run("memory.edit_prompt", id=item.id, text=item.text)


def drop_summary(tx: Tx, subject: str, *, even_a_users: bool = False) -> None:
    """There is nothing left that this summary could be of."""
    old = tx.one("memory.summary_of", subject=subject)
    if old and (even_a_users or old["written_by"] != "user"):
        tx.run("memory.drop_summary", id=old["id"])
        items.drop_traces(tx, str(old["id"]))


def put_in_index(tx: Tx, item: MemoryItem, owner: str) -> None:
    """Make an item findable by the words it has now, and ranked by whether it still holds."""
    if documents.is_indexed(item):
        entry = documents.document(item, owner, listener_of(tx, item))
        recall.index(tx, [replace(entry, superseded=items.superseded(tx, item.id) is not None)])
    else:
        recall.remove(tx, [item.id])


def keep_memory(tx: Tx, memory: Memory) -> None:
    if tx.run("memory.memory_add", **rows.memory_row(memory)):
        touch(tx, memory, memory.created_at, memory.owner)
        recall.index(tx, [documents.document(memory, memory.owner, "")])
        items.cite(tx, memory.id, memory.text, memory.owner)


def touch(tx: Tx, toucher: Observation | Memory, at: int, owner: str) -> None:
    """Note the files that a thing tells of; the same path is another file in another project."""
    told: dict[str, Value] = {
        "project_id": toucher.project_id,
        "happened_at": at,
        "item_id": toucher.id,
        "owner": owner,
    }
    tx.many("memory.touch_file", [{"path": path, **told} for path in toucher.files])


# --- whose an item is


def conversation_of(reader: Reader, item: MemoryItem) -> str:
    """The client's session id of a thing; '' for a memory."""
    match item:
        case Prompt() | Summary():
            return item.conversation
        case Observation():
            row = reader.one("memory.conversation_of", id=item.window_id)
            return str(row["conversation"]) if row else ""
        case Memory():
            return ""


# --- removing


def _drop_row(tx: Tx, found: MemoryItem) -> None:
    match found:
        case Prompt():
            tx.run("memory.drop_prompt", id=found.id)
        case Summary():
            tx.run("memory.drop_summary", id=found.id)
        case Observation():
            tx.run("memory.drop_observation", id=found.id)
            _untouch(tx, found, found.happened_at)
        case Memory():
            tx.run("memory.drop_memory", id=found.id)
            _untouch(tx, found, found.created_at)


def _untouch(tx: Tx, toucher: Observation | Memory, at: int) -> None:
    for path in toucher.files:
        tx.run("memory.drop_touched", project_id=toucher.project_id, path=path, happened_at=at, id=toucher.id)


def listener_of(reader: Reader, item: MemoryItem) -> str:
    """The name of the agent whose work an item is."""
    if not isinstance(item, Observation):
        return conversation_of(reader, item)
    row = reader.one("memory.conversation_of", id=item.window_id)
    return Listener(ConversationId(str(row["conversation"])), str(row["agent_id"])).name if row else ""


# --- finding


def prompt_numbered(reader: Reader, conversation: str, number: int) -> Prompt | None:
    row = reader.one("memory.prompt_numbered", conversation=conversation, number=number)
    return rows.prompt_of(row) if row else None


def turn_summary(reader: Reader, prompt: Prompt) -> Summary | None:
    """The summary of what came of a prompt."""
    row = reader.one("memory.summary_of", subject=f"turn:{prompt.id}")
    return rows.summary_of(row) if row else None


def item(
    reader: Reader,
    item_id: str,
    owner: str,
    families: Iterable[FamilyName] = ("memory", "observation", "summary", "prompt"),
) -> MemoryItem | None:
    """An item of this room and this owner by its full id."""
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


def ids_ending(reader: Reader, family: str, tail: str) -> list[str]:
    """Full ids of any owner that end in these eight characters."""
    return [str(row["id"]) for row in reader.all(f"memory.short_{family}", tail=tail)]


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


# --- removing


def remove(tx: Tx, ids: Iterable[str], owner: str) -> list[MemoryItem]:
    """Remove the rows of items; what was removed. What other tables hold about them is `items`' to remove."""
    removed: list[MemoryItem] = []
    for item_id in dict.fromkeys(ids):
        found = item(tx, item_id, owner)
        if found is not None:
            _drop_row(tx, found)
            removed.append(found)
    return removed


def subjects_of(reader: Reader, conversation: str) -> set[str]:
    """What the summaries of a conversation are of."""
    return {str(row["subject"]) for row in reader.all("memory.summaries_of", conversation=conversation)}
