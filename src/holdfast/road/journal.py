"""The journal: what one entry holds, and when two arrivals are the same event. Pure.

The client does not number its events. Where an event names what it is about (a tool use, a prompt, a message) its key
is made of that, so that a retry, the spool and the transcript all lead to the one entry; elsewhere the key is the
arrival's own id, which the command client keeps across its retries.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import msgspec

from holdfast.events.event import (
    Event,
    JsonObject,
    MessageDisplay,
    PostToolBatch,
    Stop,
    ToolEvent,
    UserPromptSubmit,
)
from holdfast.events.scene import Place, Source
from holdfast.road.cut import cut_tree
from holdfast.road.windows import agent_of
from holdfast.store.interface import Tx, Value

_STRING = 16 * 1024
_NARROW_STRING = 1024
_BATCH_STRING = 512
"""A PostToolBatch repeats what its tool uses have told already."""
_PAYLOAD = 128 * 1024


@dataclass(frozen=True, slots=True)
class Arrival:
    """One event at the door: when it happened, how it came, and the id its sender gave it."""

    id: str
    happened_at: int
    received_at: int
    source: Source


def event_key(event: Event, arrival_id: str) -> str:
    """Two arrivals with the same key are one event."""
    about = _subject(event)
    return f"{event.hook_event_name}:{event.session_id}:{about}" if about else f"arrival:{arrival_id}"


def _subject(event: Event) -> str:
    match event:
        case ToolEvent(tool_use_id=str(use)) if use:
            return f"{use}:{_digest(event.tool_input)}"
        case UserPromptSubmit(prompt_id=str(prompt_id)):
            return f"{prompt_id}:{_digest(event.prompt)}"
        case Stop(prompt_id=str(prompt_id)):
            said = [event.last_assistant_message, event.stop_hook_active, event.agent_id]
            return f"{prompt_id}:{_digest(said)}"
        case MessageDisplay(message_id=str(message_id)):
            return f"{message_id}:{event.index}"
        case PostToolBatch(tool_calls=calls) if calls:
            return _digest([call.get("tool_use_id") for call in calls])
        case _:
            return ""


def _digest(value: Any) -> str:
    return hashlib.blake2b(msgspec.json.encode(value), digest_size=8).hexdigest()


def journal_text(event: str, payload: JsonObject) -> tuple[str, int]:
    """The payload as the journal keeps it, and how much of it was left out."""
    limit = _BATCH_STRING if event == "PostToolBatch" else _STRING
    text = msgspec.json.encode(payload)
    if len(text) <= limit and b'"originalFile"' not in text:
        return text.decode(), 0
    small, gone = cut_tree(payload, limit)
    text = msgspec.json.encode(small)
    if len(text) > _PAYLOAD:
        small, gone = cut_tree(payload, _NARROW_STRING)
        text = msgspec.json.encode(small)
    if len(text) > _PAYLOAD:
        beginning = text[: _PAYLOAD // 2].decode("utf-8", "ignore")
        gone += len(text) - len(beginning)
        kept = {key: value for key, value in small.items() if isinstance(value, str | int | bool)}
        text = msgspec.json.encode(kept | {"holdfast_beginning": beginning})
    return text.decode(), gone


def row(
    arrival: Arrival,
    event: Event,
    key: str,
    place: Place,
    owner: str,
    payload: str,
    found: tuple[str, ...],
    cut: int,
) -> dict[str, Value]:
    """The journal's row for an arrival."""
    tool = event if isinstance(event, ToolEvent) else None
    return {
        "id": arrival.id,
        "event_key": key,
        "owner": owner,
        "event": event.hook_event_name,
        "conversation": event.session_id,
        "agent_id": agent_of(event),
        "session_id": place.session_id,
        "project_id": place.project_id,
        "worktree_id": place.worktree_id,
        "prompt_id": event.prompt_id,
        "tool_name": tool.tool_name if tool else None,
        "tool_use_id": tool.tool_use_id if tool else None,
        "happened_at": arrival.happened_at,
        "received_at": arrival.received_at,
        "source": arrival.source,
        "payload": payload,
        "scrubbed": ",".join(dict.fromkeys(found)) or None,
        "cut_bytes": cut,
    }


def keep(tx: Tx, entry: dict[str, Value]) -> bool:
    """Write one entry. False when the event is there already."""
    if (
        entry["source"] == "spool"
        and entry["tool_use_id"]
        and tx.one(
            "journal.recovered_tool_use",
            tool_use_id=entry["tool_use_id"],
            event=entry["event"],
            conversation=entry["conversation"],
        )
    ):
        return False
    return tx.run("journal.insert", **entry) == 1
