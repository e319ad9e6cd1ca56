"""Entries of the journal that summaries are made from: prompts, and what agents said when they stopped."""

from __future__ import annotations

from holdfast.ids import ClientPromptId, ConversationId
from holdfast.rooms.memory.tables import rows
from holdfast.store.interface import Reader, Row


def last_stops(
    reader: Reader, conversation: ConversationId, agent_id: str, since: int, until: int, limit: int
) -> list[Row]:
    """The stops of an agent (`agent_id` '' is the main agent) between two moments, the newest first."""
    found = reader.all(
        "memory.last_words",
        conversation=conversation,
        agent_id=agent_id,
        event="SubagentStop" if agent_id else "Stop",
        since=since,
        until=until,
        limit=limit,
    )
    return list(found)


def answers_told(
    reader: Reader, conversation: ConversationId, tool: str, since: int, until: int, limit: int
) -> list[Row]:
    """The uses of the client's question tool between two moments, in the order of time."""
    span = {"since": since, "until": until}
    return list(reader.all("memory.answers_told", conversation=conversation, tool=tool, limit=limit, **span))


def prompt_entry(reader: Reader, conversation: ConversationId, prompt_id: ClientPromptId) -> Row | None:
    """The entry of a prompt, by the client's id of the prompt."""
    return reader.one("memory.prompt_entry", conversation=conversation, prompt_id=prompt_id)


def prompt_entry_before(reader: Reader, conversation: ConversationId, at: int) -> Row | None:
    """The entry of the last prompt before a moment."""
    return reader.one("memory.prompt_entry_before", conversation=conversation, at=at)


def agent_began_at(reader: Reader, conversation: ConversationId, agent_id: str) -> int:
    """The time of the first entry of a subagent; 0 when there is none."""
    row = reader.one("memory.agent_began", conversation=conversation, agent_id=agent_id)
    return rows.number(row["happened_at"]) if row else 0


def last_payload(reader: Reader, conversation: ConversationId, at: int) -> str | None:
    """The payload of the last entry of a conversation up to a moment; None when the journal has none."""
    row = reader.one("memory.last_entry", conversation=conversation, at=at)
    return str(row["payload"]) if row else None


def entries_of_words(
    reader: Reader, conversation: ConversationId, agent_id: str, owner: str, since: int, until: int
) -> list[Row]:
    """The entries of what one agent said between two moments, without their payloads."""
    about = {"conversation": conversation, "agent_id": agent_id, "owner": owner}
    return list(reader.all("memory.words_between", since=since, until=until, **about))


def pages_told(reader: Reader, conversation: ConversationId, owner: str, since: int, limit: int) -> list[Row]:
    """The last entries of the client's web tools; in a conversation, or since a moment in any."""
    if conversation:
        return list(reader.all("memory.pages_told", conversation=conversation, owner=owner, limit=limit))
    return list(reader.all("memory.pages_told_lately", owner=owner, since=since, limit=limit))


def pages_read(reader: Reader, conversation: ConversationId, limit: int) -> list[Row]:
    """The last observations of the web in a conversation, with the journal's copy of what was said."""
    return list(reader.all("memory.pages_read", conversation=conversation, limit=limit))
