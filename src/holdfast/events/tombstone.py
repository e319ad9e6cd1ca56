"""Marks of what was forgotten: hashes by which an event or an item is known again without a word of it being kept.

Shared by the road, which turns forgotten events away, and by those who forget and import.
"""

from __future__ import annotations

import hashlib

from holdfast.ids import ConversationId, ItemId
from holdfast.store.interface import Reader, Row, Tx, Value

FOR_EVER = 2**62

_TOLD = frozenset({"UserPromptSubmit", "Stop", "SubagentStop"})
"""What a transcript says about a prompt. It does so in other words than the hook did, so the prompt's id must do."""


def mark(kind: str, *about: str) -> str:
    return hashlib.blake2b("\0".join((kind, *about)).encode("utf-8", "replace"), digest_size=16).hexdigest()


def of_owner(owner: str) -> str:
    """All that an owner had before a moment."""
    return mark("before", owner)


def of_conversation(conversation: ConversationId) -> str:
    return mark("conversation", conversation)


def of_transcripts(owner: str) -> str:
    """What transcripts told before something was last forgotten: the journal has no word of it to be known by."""
    return mark("transcripts", owner)


def of_item(item_id: ItemId) -> str:
    return mark("item", item_id)


def of_use(tool_use_id: str) -> str:
    return mark("use", tool_use_id)


def own_marks(entry: Row) -> list[str]:
    """What is buried of one journal entry: how it would be known if it came again, whichever way."""
    marks = [mark("key", _text(entry["event_key"]))]
    if entry["tool_use_id"]:
        marks.append(of_use(_text(entry["tool_use_id"])))
    elif entry["event"] in _TOLD and entry["prompt_id"]:
        marks.append(mark("told", _text(entry["event"]), _text(entry["agent_id"]), _text(entry["prompt_id"])))
    return marks


def is_forgotten(reader: Reader, entry: Row) -> bool:
    """Was this journal entry, or all of its conversation or time, forgotten?"""
    key, *other = own_marks(entry)
    return lies_on(
        reader,
        int(entry["happened_at"] or 0),
        key,
        *other,
        of_conversation(ConversationId(_text(entry["conversation"]))),
        of_owner(_text(entry["owner"])),
    )


def lies_on(reader: Reader, at: int, *marks: str) -> bool:
    """Does one of at most five marks lie on something that happened at `at`?"""
    one, two, three, four, five = (*marks, "", "", "", "", "")[:5]
    found = reader.one("upkeep.is_forgotten", one=one, two=two, three=three, four=four, five=five, at=at)
    return found is not None


def until(reader: Reader, mark: str) -> int:
    """The last moment that a mark lies on; 0 without one."""
    row = reader.one("upkeep.until", mark=mark)
    return int(row["until_at"] or 0) if row else 0


def bury(tx: Tx, marks: list[str], now: int, until: int = FOR_EVER) -> None:
    tx.many("upkeep.bury", [{"mark": each, "until_at": until, "forgotten_at": now} for each in dict.fromkeys(marks)])


def _text(value: Value) -> str:
    return "" if value is None else str(value)
