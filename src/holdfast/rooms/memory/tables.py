"""This room's tables: what is written in an event's transaction, and what is read from them. SQL is in `memory.sql`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace

from holdfast import recall
from holdfast.events import tombstone
from holdfast.rooms.memory import index, rows
from holdfast.rooms.memory.model import (
    CitedPage,
    Family,
    Given,
    Item,
    Listener,
    Memory,
    Observation,
    Place,
    Prompt,
    Summary,
    Superseded,
)
from holdfast.rooms.memory.rules import LIGHT, all_words, read_id, urls_named
from holdfast.store.interface import Reader, Tx, Value

_JUST_US = 120 * 1_000_000
"""A page's version counts for a reading that is this young."""
FAMILIES: tuple[Family, ...] = ("memory", "observation", "summary", "prompt")


# --- writing


def keep_prompt(tx: Tx, prompt: Prompt, owner: str) -> Prompt:
    """Keep a prompt under its number. One that arrives late moves those after it."""
    place = tx.one("memory.prompt_place", conversation=prompt.conversation, at=prompt.happened_at) or {}
    if rows.number(place["later"]):
        for query in ("memory.shift_prompts", "memory.shift_observations", "memory.shift_summaries"):
            tx.run(query, conversation=prompt.conversation, at=prompt.happened_at)
    kept = replace(prompt, number=rows.number(place["number"]))
    if tx.run("memory.prompt_add", **asdict(kept)):
        recall.index(tx, [index.indexed(kept, owner, kept.conversation)])
    return kept


def keep_observation(tx: Tx, observation: Observation, listener: Listener, owner: str) -> Observation:
    """Keep what was done, under the prompt it was done for."""
    at = observation.happened_at
    row = tx.one("memory.prompt_number", conversation=listener.conversation, at=at)
    kept = replace(observation, prompt_number=rows.number(row["number"]) if row else 0)
    if tx.run("memory.observe", **rows.observation_row(kept)):
        if kept.kind not in LIGHT:
            touch(tx, kept, at, owner)
        recall.index(tx, [index.indexed(kept, owner, listener.name)])
        if kept.kind == "web":
            cite(tx, kept.id, kept.command, owner, since=at - _JUST_US)
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


def drop_summary(tx: Tx, subject: str, *, even_a_users: bool = False) -> None:
    """There is nothing left that this summary could be of."""
    old = tx.one("memory.summary_of", subject=subject)
    if old and (even_a_users or old["written_by"] != "user"):
        tx.run("memory.drop_summary", id=old["id"])
        _drop_traces(tx, str(old["id"]))


def put_in_index(tx: Tx, item: Item, owner: str) -> None:
    """Make a thing searchable by the words it has now, and ranked by whether it still holds."""
    if index.is_indexed(item):
        recall.index(tx, [indexed(tx, item, owner)])
    else:
        recall.remove(tx, [item.id])


def indexed(reader: Reader, item: Item, owner: str) -> recall.Item:
    """What recall keeps of a thing that may have been superseded."""
    superseded = reader.one("memory.superseded", id=item.id) is not None
    return replace(index.indexed(item, owner, listener_of(reader, item)), superseded=superseded)


def keep_memory(tx: Tx, memory: Memory) -> None:
    if tx.run("memory.memory_add", **rows.memory_row(memory)):
        touch(tx, memory, memory.created_at, memory.owner)
        recall.index(tx, [index.indexed(memory, memory.owner, "")])
        cite(tx, memory.id, memory.text, memory.owner)


def cite(tx: Tx, item_id: str, text: str, owner: str, since: int = 0) -> None:
    """Note the versions of the pages that a text names."""
    for url in urls_named(text):
        tx.run("memory.cite", item_id=item_id, url=url, owner=owner, since=since)


def cited(reader: Reader, item_id: str, owner: str) -> tuple[CitedPage, ...]:
    found = reader.all("memory.cited", id=item_id, owner=owner)
    return tuple(CitedPage(str(row["url"]), str(row["version"]), rows.number(row["changed_at"])) for row in found)


def touch(tx: Tx, toucher: Observation | Memory, at: int, owner: str) -> None:
    """Note the files that a thing tells of; the same path is another file in another project."""
    told: dict[str, Value] = {
        "project_id": toucher.project_id,
        "happened_at": at,
        "item_id": toucher.id,
        "owner": owner,
    }
    tx.many("memory.touch_file", [{"path": path, **told} for path in toucher.files])


def supersede(tx: Tx, superseded: Superseded, owner: str) -> None:
    tx.run(
        "memory.supersede",
        old_id=superseded.old_id,
        new_id=superseded.new_id,
        reason=superseded.reason,
        made_by=superseded.by,
        happened_at=superseded.happened_at,
        owner=owner,
    )
    recall.mark(tx, [superseded.old_id], superseded=True)


def inject(tx: Tx, entry_id: str, at: int, who: Listener, place: Place, about: str, given: Iterable[Given]) -> None:
    """Note what was given to whom, and why."""
    tx.many(
        "memory.inject",
        [
            {
                "entry_id": entry_id,
                "item_id": each.item_id,
                "place": place,
                "about": about,
                "conversation": who.conversation,
                "agent_id": who.agent_id,
                "score": float(each.score),
                "parts": rows.parts(each.parts),
                "tokens": each.tokens,
                "happened_at": at,
            }
            for each in given
        ],
    )


# --- who knows what


def listener(reader: Reader, conversation: str, agent_id: str, session_id: str) -> Listener:
    """The agent whose context this is. (A subagent's context is its own and never compacted with its parent's.)"""
    row = None if agent_id else reader.one("memory.lost_context", conversation=conversation)
    return Listener(conversation, agent_id, session_id, rows.number(row["happened_at"]) if row else 0)


def was_given(reader: Reader, who: Listener, item_id: str) -> bool:
    return bool(
        reader.one(
            "memory.was_given",
            conversation=who.conversation,
            agent_id=who.agent_id,
            item_id=item_id,
            lost_at=who.lost_at,
        )
    )


def file_was_given(reader: Reader, who: Listener, path: str) -> bool:
    return bool(
        reader.one(
            "memory.file_was_given",
            conversation=who.conversation,
            agent_id=who.agent_id,
            about=path,
            lost_at=who.lost_at,
        )
    )


def given_to(reader: Reader, who: Listener) -> frozenset[str]:
    found = reader.all("memory.given_to", conversation=who.conversation, agent_id=who.agent_id, lost_at=who.lost_at)
    return frozenset(str(row["item_id"]) for row in found)


def conversation_of(reader: Reader, item: Item) -> str:
    """The client's session id of a thing; '' for a memory."""
    match item:
        case Prompt() | Summary():
            return item.conversation
        case Observation():
            row = reader.one("memory.conversation_of", id=item.session_id)
            return str(row["conversation"]) if row else ""
        case Memory():
            return ""


def listener_of(reader: Reader, item: Item) -> str:
    """Whose session recall counts a thing to."""
    if not isinstance(item, Observation):
        return conversation_of(reader, item)
    row = reader.one("memory.conversation_of", id=item.session_id)
    return Listener(str(row["conversation"]), str(row["agent_id"]), item.session_id).name if row else ""


# --- finding by id


def item(reader: Reader, item_id: str, owner: str, families: Iterable[Family] = FAMILIES) -> Item | None:
    """Anything of this owner by its full id."""
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


def meant(reader: Reader, text: str, owner: str) -> list[Item]:
    """What an id in its long or short form may mean: none, one, or (rarely) several things."""
    read = read_id(text)
    if read is None:
        return []
    family, key = read
    if len(key) > 8:
        ids = [key]
    else:
        families = (family,) if family else FAMILIES
        ids = [str(row["id"]) for each in families for row in reader.all(f"memory.short_{each}", tail=key)]
    return [found for each in ids if (found := item(reader, each, owner)) is not None]


# --- removing


def remove(tx: Tx, ids: Iterable[str], owner: str) -> list[Item]:
    """Remove things: their rows, showings and index entries. What was removed. (The journal's copies are for the caller
    to drop: who forgets buries them, too.)"""
    removed: list[Item] = []
    for item_id in dict.fromkeys(ids):
        found = item(tx, item_id, owner)
        if found is None:
            continue
        _drop_row(tx, found)
        _drop_traces(tx, item_id)
        removed.append(found)
    return removed


def _drop_traces(tx: Tx, item_id: str) -> None:
    recall.remove(tx, [item_id])
    for what in ("injections", "supersession", "cited"):
        tx.run(f"memory.drop_{what}", id=item_id)


def _drop_row(tx: Tx, found: Item) -> None:
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


def texts(reader: Reader, ids: Sequence[str], owner: str) -> dict[str, str]:
    """What a sentence model is shown of items, by their ids."""
    items = {item_id: item(reader, item_id, owner) for item_id in ids}
    return {item_id: all_words(found) for item_id, found in items.items() if found is not None}
