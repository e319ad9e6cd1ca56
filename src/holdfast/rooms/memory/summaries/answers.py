"""Finds what an agent said last, and the prompt that it answers. The answer to a private or forgotten prompt is not
stored.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from holdfast.events.content import prompt_text
from holdfast.events.event import UserPromptSubmit
from holdfast.ids import NO_ITEM, ClientPromptId, ConversationId, ItemId
from holdfast.items.web_words import texts_in
from holdfast.rooms.memory import tables
from holdfast.rooms.memory.capture import questions
from holdfast.rooms.memory.capture.questions import UserAnswer
from holdfast.rooms.memory.model import MemoryItem, Prompt, Summary
from holdfast.rooms.memory.tables import rows
from holdfast.store.interface import Reader, Row

END_OF_TIME = 2**62
TURN = "turn:"
"""Before a prompt's id: the subject of its turn's summary."""
_MOST_STOPS = 10
_MOST_PAGES = 20
_MOST_USES = 40
_LATELY_US = 24 * 3600 * 1_000_000
_MOST_NOTICES = 50
"""Notices in a row, after which it is not looked any further for the prompt before them."""


class _Stop(msgspec.Struct):
    """The fields that are read from the journal's copy of a Stop."""

    last_assistant_message: str | None = None


class _Prompt(msgspec.Struct):
    """The fields that are read from the journal's copy of a prompt. A wholly private prompt has no words there."""

    prompt: str = ""


def last_words(
    reader: Reader,
    conversation: ConversationId,
    agent_id: str,
    since: int,
    until: int,
    answers: Callable[[ItemId], bool],
) -> tuple[str, int]:
    """What the agent said last between two moments, and when. `answers` decides by the id of the answered prompt."""
    for row in tables.last_stops(reader, conversation, agent_id, since, until, _MOST_STOPS):
        said = _message(row)
        if said and (asked := _asked(reader, conversation, agent_id, row)) and answers(asked):
            return said, rows.number(row["happened_at"])
    return "", 0


def answers_of_user(
    reader: Reader, conversation: ConversationId, since: int, until: int, answers: Callable[[ItemId], bool]
) -> tuple[UserAnswer, ...]:
    """What the user answered to the client's own questions between two moments; `answers` as in `last_words`."""
    told = tables.answers_told(reader, conversation, questions.TOOL, since, until, _MOST_USES)
    found = (row for row in told if (asked := _asked(reader, conversation, "", row)) and answers(asked))
    return tuple(each for row in found for each in questions.answers_in(_payload(row)))


def _message(row: Row) -> str:
    try:
        return msgspec.json.decode(str(row["payload"]), type=_Stop).last_assistant_message or ""
    except msgspec.MsgspecError:
        return ""


def _asked(reader: Reader, conversation: ConversationId, agent_id: str, stop: Row) -> ItemId:
    """The id of the prompt that was answered; '' when it was private, or is not stored any more.

    The client names the prompt. If it does not, it is the last prompt before. The words after a notice (EVT-11) answer
    the prompt before the notice.
    """
    at = tables.agent_began_at(reader, conversation, agent_id) if agent_id else rows.number(stop["happened_at"])
    if not stop["prompt_id"]:
        return _before(reader, conversation, at) or NO_ITEM
    named = tables.prompt_entry(reader, conversation, ClientPromptId(str(stop["prompt_id"])))
    if named is None:
        # Its entry has aged out, or it was forgotten.
        kept = tables.prompt_by_client_id(reader, conversation, ClientPromptId(str(stop["prompt_id"])))
        return kept.id if kept else NO_ITEM
    if _is_notice(named):
        return _before(reader, conversation, rows.number(named["happened_at"])) or NO_ITEM
    if not _words(named) or (not agent_id and _before(reader, conversation, at) == ""):
        return NO_ITEM  # private, or a private one came in between
    return ItemId(str(named["id"]))


def _before(reader: Reader, conversation: ConversationId, at: int) -> ItemId | None:
    """The id of the user's last prompt before a moment; '' when it was private, None when there is none."""
    for _ in range(_MOST_NOTICES):
        entry = tables.prompt_entry_before(reader, conversation, at)
        if entry is None:
            return None
        if not _is_notice(entry):
            return ItemId(str(entry["id"])) if _words(entry) else NO_ITEM
        at = rows.number(entry["happened_at"])
    return None


def _is_notice(entry: Row) -> bool:
    return UserPromptSubmit(prompt=_prompt(entry)).is_notification


def _words(entry: Row) -> str:
    return prompt_text(_prompt(entry))


def _prompt(entry: Row) -> str:
    try:
        return msgspec.json.decode(str(entry["payload"]), type=_Prompt).prompt
    except msgspec.MsgspecError:
        return ""


def pages_read(reader: Reader, conversation: ConversationId) -> tuple[str, ...]:
    """What the web told in a conversation: the last pages and searches, whole as far as the journal has them."""
    return tuple(_page(row) for row in tables.pages_read(reader, conversation, _MOST_PAGES))


def pages_told(reader: Reader, conversation: ConversationId, owner: str, now: int) -> tuple[str, ...]:
    """The same for words that are stored now: also what no observation mentions yet; '' means any conversation."""
    told = tables.pages_told(reader, conversation, owner, now - _LATELY_US, _MOST_PAGES)
    pages = tuple(_page(row) for row in told)
    return pages + pages_read(reader, conversation) if conversation else pages


def _page(row: Row) -> str:
    payload = _payload(row)
    told = texts_in(payload.get("tool_response")) if isinstance(payload, dict) else ""
    return told or str(row.get("excerpt") or "")


def _payload(row: Row) -> Any:
    try:
        return msgspec.json.decode(str(row["payload"] or "{}"))
    except msgspec.MsgspecError:
        return {}


# --- whose words they are


def words_of(reader: Reader, found: MemoryItem, owner: str) -> list[Row]:
    """The journal entries of the agent's words that must be forgotten together with an item.

    They belong to the summary that was made from them, and to the prompt they answer: without that prompt they would be
    read as the answer to the prompt before.
    """
    match found:
        case Prompt():
            agent, span = "", turn_span(reader, found.conversation, found.happened_at)
        case Summary(level="turn"):
            asked = tables.prompt(reader, ItemId(found.subject.removeprefix(TURN)))
            if asked is None:
                return []
            agent, span = "", turn_span(reader, found.conversation, asked.happened_at)
        case Summary(level="agent"):
            listener = tables.agent_of_window(reader, found.window_id)
            if listener is None or not listener.agent_id:
                return []
            agent, span = listener.agent_id, (0, END_OF_TIME)
        case _:
            return []
    return tables.entries_of_words(reader, found.conversation, agent, owner, *span)


def turn_span(reader: Reader, conversation: ConversationId, began_at: int) -> tuple[int, int]:
    """When a turn that began at this moment began, and when the next one did."""
    return began_at, tables.next_prompt_at(reader, conversation, began_at) or END_OF_TIME
