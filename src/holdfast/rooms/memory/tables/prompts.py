"""The table `prompt`: what users asked, numbered within a conversation."""

from __future__ import annotations

from dataclasses import replace

from holdfast import recall
from holdfast.ids import ClientPromptId, ConversationId, ItemId, listener_id
from holdfast.items.indexed import END_OF_TIME
from holdfast.rooms.memory import documents
from holdfast.rooms.memory.model import Prompt
from holdfast.rooms.memory.tables import rows
from holdfast.store.interface import Reader, Tx


def keep_prompt(tx: Tx, prompt: Prompt, owner: str) -> Prompt:
    """Store a prompt under its number. A prompt that arrives late moves the numbers of those after it."""
    place = tx.one("memory.prompt_place", conversation=prompt.conversation, at=prompt.happened_at) or {}
    if rows.number(place["later"]):
        for query in ("memory.shift_prompts", "memory.shift_observations", "memory.shift_summaries"):
            tx.run(query, conversation=prompt.conversation, at=prompt.happened_at)
    kept = replace(prompt, number=rows.number(place["number"]))
    if tx.run("memory.prompt_add", **rows.prompt_row(kept)):
        recall.index(tx, [documents.document(kept, owner, listener_id(kept.conversation))])
    return kept


def prompt(reader: Reader, item_id: ItemId) -> Prompt | None:
    """A prompt of any owner by our id of it."""
    row = reader.one("memory.prompt", id=item_id)
    return rows.prompt_of(row) if row else None


def prompt_by_client_id(reader: Reader, conversation: ConversationId, prompt_id: ClientPromptId) -> Prompt | None:
    """A prompt by the id that the client gave it."""
    row = reader.one("memory.prompt_by_client_id", conversation=conversation, prompt_id=prompt_id)
    return rows.prompt_of(row) if row else None


def prompt_number_at(reader: Reader, conversation: ConversationId, at: int) -> int:
    """The number of the prompt that was being worked on at a moment; 0 before the first prompt."""
    row = reader.one("memory.prompt_number", conversation=conversation, at=at)
    return rows.number(row["number"]) if row else 0


def prompt_numbered(reader: Reader, conversation: ConversationId, number: int) -> Prompt | None:
    """The prompt with this number."""
    row = reader.one("memory.prompt_numbered", conversation=conversation, number=number)
    return rows.prompt_of(row) if row else None


def next_prompt_at(reader: Reader, conversation: ConversationId, at: int) -> int:
    """The time of the first prompt after a moment; 0 when there is none."""
    row = reader.one("memory.prompt_after", conversation=conversation, at=at)
    return rows.number(row["happened_at"]) if row else 0


def prompts_of_conversation(reader: Reader, conversation: ConversationId, limit: int) -> list[Prompt]:
    """The first prompts of a conversation, the oldest first."""
    return [rows.prompt_of(row) for row in reader.all("memory.prompts_of", conversation=conversation, limit=limit)]


def last_prompt(reader: Reader, conversation: ConversationId) -> Prompt | None:
    """The last prompt of a conversation."""
    return prompt_numbered(reader, conversation, prompt_number_at(reader, conversation, END_OF_TIME))
