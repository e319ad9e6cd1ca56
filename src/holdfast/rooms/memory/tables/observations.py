"""The tables `observation` and `touched_file`: what agents did, and to which files."""

from __future__ import annotations

from dataclasses import replace

from holdfast import recall
from holdfast.ids import ConversationId, EntryId, WindowId
from holdfast.items import tables as item_tables
from holdfast.items.model import Listener
from holdfast.rooms.memory import documents
from holdfast.rooms.memory.model import LIGHT, Memory, Observation
from holdfast.rooms.memory.tables import rows
from holdfast.rooms.memory.tables.prompts import prompt_number_at
from holdfast.store.interface import Reader, Tx, Value

_JUST_US = 120 * 1_000_000
"""A web observation cites a page's version only if the page was read within this time before it."""


def keep_observation(tx: Tx, observation: Observation, listener: Listener, owner: str) -> Observation:
    """Store what was done, under the number of the prompt it was done for."""
    at, row = observation.happened_at, rows.observation_row(observation)
    del row["prompt_number"]
    new = tx.one("memory.observe", conversation=listener.conversation, **row)
    number = rows.number(new["prompt_number"]) if new else prompt_number_at(tx, listener.conversation, at)
    kept = replace(observation, prompt_number=number)
    if new:
        if kept.kind not in LIGHT:
            touch(tx, kept, at, owner)
        recall.index(tx, [documents.document(kept, owner, listener.id)])
        if kept.kind == "web":
            item_tables.cite(tx, kept.id, kept.command, owner, since=at - _JUST_US)
    return kept


def move_work(tx: Tx, project_id: str, merged: str, into: str, at: int) -> None:
    """The work of a branch up to a moment stands on the branch that it was merged into."""
    for query in ("memory.merge_summaries", "memory.merge_observations"):
        tx.run(query, project_id=project_id, merged=merged, into=into, at=at)


def is_observed(reader: Reader, entry_id: EntryId) -> bool:
    """Was an observation made of this journal entry?"""
    return reader.one("memory.observation", id=entry_id) is not None


def touch(tx: Tx, toucher: Observation | Memory, at: int, owner: str) -> None:
    """Store which files an item is about. The same path in another project is another file."""
    about: dict[str, Value] = {
        "project_id": toucher.project_id,
        "happened_at": at,
        "item_id": toucher.id,
        "owner": owner,
    }
    tx.many("memory.touch_file", [{"path": path, **about} for path in toucher.files])


def drop_touched(tx: Tx, toucher: Observation | Memory, at: int) -> None:
    """Undo `touch`."""
    for path in toucher.files:
        tx.run("memory.drop_touched", project_id=toucher.project_id, path=path, happened_at=at, id=toucher.id)


def observations_of_turn(reader: Reader, conversation: ConversationId, number: int, limit: int) -> list[Observation]:
    """What the main agent did for one prompt, the oldest first."""
    about: dict[str, Value] = {"conversation": conversation, "agent_id": "", "number": number, "limit": limit}
    return [rows.observation_of(row) for row in reader.all("memory.observations_of_turn", **about)]


def observations_of_conversation(reader: Reader, conversation: ConversationId, limit: int) -> list[Observation]:
    """The last observations of a conversation, the oldest of them first."""
    found = reader.all("memory.observations_of_conversation", conversation=conversation, limit=limit)
    return [rows.observation_of(row) for row in reversed(found)]


def observations_of_window(reader: Reader, window_id: WindowId, limit: int) -> list[Observation]:
    """What was done in one context window, the oldest first."""
    found = reader.all("memory.observations_of_session", session_id=window_id, limit=limit)
    return [rows.observation_of(row) for row in found]
