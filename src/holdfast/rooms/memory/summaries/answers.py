"""What an agent said last, and which prompt it answers: what answers a private or forgotten prompt is not kept."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from holdfast.events.event import UserPromptSubmit
from holdfast.rooms.memory import rows, rules
from holdfast.rooms.memory.model import MemoryItem, Prompt, Summary
from holdfast.store.interface import Reader, Row

END_OF_TIME = 2**62
TURN = "turn:"
"""Before a prompt's id: the subject of its turn's summary."""
_MOST_STOPS = 10
_MOST_NOTICES = 50
"""Notices in a row, after which it is not looked any further for the prompt before them."""


class _Stop(msgspec.Struct):
    """What is read of the journal's copy of a Stop."""

    last_assistant_message: str | None = None


class _Prompt(msgspec.Struct):
    """What is read of the journal's copy of a prompt. Of a wholly private one no word is left there."""

    prompt: str = ""


def last_words(
    reader: Reader, conversation: str, agent_id: str, since: int, until: int, answers: Callable[[str], bool]
) -> tuple[str, int]:
    """What the agent said last between two moments, and when; `answers` is asked with the prompt's id."""
    found = reader.all(
        "memory.last_words",
        conversation=conversation,
        agent_id=agent_id,
        event="SubagentStop" if agent_id else "Stop",
        since=since,
        until=until,
        limit=_MOST_STOPS,
    )
    for row in found:
        said = _message(row)
        if said and (asked := _asked(reader, conversation, agent_id, row)) and answers(asked):
            return said, rows.number(row["happened_at"])
    return "", 0


def _message(row: Row) -> str:
    try:
        return msgspec.json.decode(str(row["payload"]), type=_Stop).last_assistant_message or ""
    except msgspec.MsgspecError:
        return ""


def _asked(reader: Reader, conversation: str, agent_id: str, stop: Row) -> str:
    """The id of the prompt that was answered; '' when it was private, or is not there any more.

    The client names the prompt; where it does not, it is the last one before. What follows a notice (EVT-11) answers
    the prompt before that.
    """
    at = _began(reader, conversation, agent_id) if agent_id else rows.number(stop["happened_at"])
    if not stop["prompt_id"]:
        return _before(reader, conversation, at) or ""
    named = reader.one("memory.prompt_entry", conversation=conversation, prompt_id=stop["prompt_id"])
    if named is None:
        # Its entry has aged out, or it was forgotten.
        kept = reader.one("memory.prompt_by_client_id", conversation=conversation, prompt_id=stop["prompt_id"])
        return str(kept["id"]) if kept else ""
    if _is_notice(named):
        return _before(reader, conversation, rows.number(named["happened_at"])) or ""
    if not _words(named) or (not agent_id and _before(reader, conversation, at) == ""):
        return ""  # private, or a private one came in between
    return str(named["id"])


def _before(reader: Reader, conversation: str, at: int) -> str | None:
    """The id of a user's last prompt before a moment; '' when that was private, None when there is none."""
    for _ in range(_MOST_NOTICES):
        entry = reader.one("memory.prompt_entry_before", conversation=conversation, at=at)
        if entry is None:
            return None
        if not _is_notice(entry):
            return str(entry["id"]) if _words(entry) else ""
        at = rows.number(entry["happened_at"])
    return None


def _began(reader: Reader, conversation: str, agent_id: str) -> int:
    row = reader.one("memory.agent_began", conversation=conversation, agent_id=agent_id)
    return rows.number(row["happened_at"]) if row else 0


def _is_notice(entry: Row) -> bool:
    return UserPromptSubmit(prompt=_prompt(entry)).is_notification


def _words(entry: Row) -> str:
    return rules.said(_prompt(entry))


def _prompt(entry: Row) -> str:
    try:
        return msgspec.json.decode(str(entry["payload"]), type=_Prompt).prompt
    except msgspec.MsgspecError:
        return ""


# --- whose words they are


def words_of(reader: Reader, found: MemoryItem, owner: str) -> list[Row]:
    """The journal's entries of what an agent said, as far as they go with a thing: with the summary that was made of
    them, and with the prompt they answer (they would be taken for the answer to the one before)."""
    match found:
        case Prompt():
            agent, span = "", turn_span(reader, found.conversation, found.happened_at)
        case Summary(level="turn"):
            asked = reader.one("memory.prompt", id=found.subject.removeprefix(TURN))
            if asked is None:
                return []
            agent, span = "", turn_span(reader, found.conversation, rows.number(asked["happened_at"]))
        case Summary(level="agent"):
            window = reader.one("memory.conversation_of", id=found.window_id)
            if window is None or not window["agent_id"]:
                return []
            agent, span = str(window["agent_id"]), (0, END_OF_TIME)
        case _:
            return []
    about = {"conversation": found.conversation, "agent_id": agent, "owner": owner}
    return list(reader.all("memory.words_between", since=span[0], until=span[1], **about))


def turn_span(reader: Reader, conversation: str, began_at: int) -> tuple[int, int]:
    """When the turn of a prompt of this moment began, and when the next one did."""
    after = reader.one("memory.prompt_after", conversation=conversation, at=began_at)
    return began_at, rows.number(after["happened_at"]) if after and after["happened_at"] else END_OF_TIME
