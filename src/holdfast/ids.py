"""Ids and times: UUIDv7 text (sortable by creation, RFC 9562) and UTC microseconds, the only two in the store.

Standard library only, because the command client uses it when it is alone.
"""

from __future__ import annotations

import random
import threading
import time
from typing import NewType

ConversationId = NewType("ConversationId", str)
"""The client's session id: one conversation of a person with Claude, over all its windows."""
WindowId = NewType("WindowId", str)
"""One context window of one agent. The table is `session`, and columns that name it are `session_id`."""
EntryId = NewType("EntryId", str)
"""One entry of the journal. A prompt and an observation have the id of the entry they were made from."""
ItemId = NewType("ItemId", str)
"""One item of any room, in full; people type its short form."""

ListenerId = NewType("ListenerId", str)
"""One agent of one conversation: the conversation's id, for a subagent `conversation/agent` (`listener_id`)."""
ClientPromptId = NewType("ClientPromptId", str)
"""The client's id of a prompt, in events and transcripts `prompt_id`. Our own id of a prompt is an `ItemId`."""

NO_CONVERSATION = ConversationId("")
NO_WINDOW = WindowId("")
NO_ENTRY = EntryId("")
NO_LISTENER = ListenerId("")
NO_ITEM = ItemId("")
NO_PROMPT = ClientPromptId("")

_lock = threading.Lock()
_random = random.Random()
_last_ms = 0
_sequence = 0


def now_us() -> int:
    """Now, in microseconds since the epoch, UTC."""
    return time.time_ns() // 1_000


def new_id(at_us: int | None = None) -> str:
    """A UUIDv7. Ids made in one process for the present moment sort in the order they were made."""
    global _last_ms, _sequence
    if at_us is not None:
        return _format(at_us // 1_000, _random.getrandbits(12))
    with _lock:
        ms = time.time_ns() // 1_000_000
        if ms > _last_ms:
            _last_ms, _sequence = ms, _random.getrandbits(8)
        else:
            _sequence += 1
            if _sequence > 0xFFF:
                _last_ms, _sequence = _last_ms + 1, 0
        return _format(_last_ms, _sequence)


def new_item_id(at_us: int | None = None) -> ItemId:
    """The id of a new item of any room."""
    return ItemId(new_id(at_us))


def listener_id(conversation: ConversationId, agent_id: str = "") -> ListenerId:
    """The listener of an agent; '' is the main one."""
    return ListenerId(f"{conversation}/{agent_id}" if agent_id else conversation)


def conversation_of(listener: ListenerId) -> ConversationId:
    """The conversation that a listener belongs to."""
    return ConversationId(listener.partition("/")[0])


def stable_id(at_us: int, *about: str) -> str:
    """A UUIDv7 of a moment that is always the same for the same thing: for what may be taken in again."""
    import hashlib

    digest = hashlib.blake2b("\0".join(about).encode("utf-8", "replace"), digest_size=10).digest()
    number = int.from_bytes(digest[2:])
    tail = (0b10 << 62) | (number & ((1 << 62) - 1))
    text = f"{(at_us // 1_000) & 0xFFFFFFFFFFFF:012x}7{int.from_bytes(digest[:2]) & 0xFFF:03x}{tail:016x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def _format(ms: int, sequence: int) -> str:
    tail = (0b10 << 62) | _random.getrandbits(62)
    text = f"{ms & 0xFFFFFFFFFFFF:012x}7{sequence:03x}{tail:016x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"
