"""The journal: what one entry holds, and when two arrivals are the same event.

The client does not number its events. Where an event names what it is about (a tool use, a prompt, a message) its key
is made of that, so that a retry, the spool and the transcript all lead to the one entry; elsewhere the key is the
arrival's own id, which the command client keeps across its retries. Words in a key are the scrubbed ones: a hash of a
secret is never kept. So a key is another once the rules are others, and what comes again is then known by its ids, and
by its words but for the marks (`alike.py`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import msgspec

from holdfast.events.answer import Answer
from holdfast.events.event import (
    Event,
    JsonObject,
    MessageDisplay,
    PostToolBatch,
    Stop,
    ToolEvent,
    UserPromptSubmit,
    agent_of,
)
from holdfast.events.fence import unfenced
from holdfast.events.scene import Place, Source
from holdfast.events.tokens import count_tokens
from holdfast.events.tombstone import is_forgotten
from holdfast.ids import EntryId
from holdfast.road.alike import alike
from holdfast.road.cut import beginning, cut_tree
from holdfast.sender import NOBODY, Sender
from holdfast.store.interface import Tx, Value

_STRING = 16 * 1024
_NARROW_STRING = 1024
_BATCH_STRING = 512
"""A PostToolBatch repeats what its tool uses have told already."""
_PAYLOAD = 128 * 1024
_LONGEST = 512
_LONGEST_GIVEN = 12_000
"""Characters of what the model was given: all of a context. Of a page that a refusal quotes it is the beginning."""
_AGAIN = frozenset({"spool", "transcript", "import"})
"""Ways by which what was forgotten could come back. A hook mentions nothing twice."""
LIVE = ("http", "command", "rpc")
"""Ways on which the client waits for the answer."""
_SAID = {"UserPromptSubmit": "prompt", "Stop": "last_assistant_message"}
"""Events whose key is made of their words, and which the transcript or the spool may tell again."""
_INDEXED = ("session_id", "agent_id", "prompt_id", "tool_use_id", "cwd", "transcript_path")


@dataclass(frozen=True, slots=True)
class Arrival:
    """One event at the door: when it happened, how it came, and the id its sender gave it."""

    id: EntryId
    happened_at: int
    received_at: int
    source: Source
    agent: str = ""
    """The program that it came from, as it says itself."""
    sender: Sender = NOBODY

    @property
    def is_live(self) -> bool:
        """Does the client wait for the answer?"""
        return self.source in LIVE


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
        case Stop(prompt_id=str(prompt_id), stop_hook_active=False):
            # A Stop after one that a hook refused may say the same again, word for word (2.1.325): each is its own.
            return f"{prompt_id}:{_digest([event.last_assistant_message, event.agent_id])}"
        case MessageDisplay(message_id=str(message_id)):
            return f"{message_id}:{event.index}"
        case PostToolBatch(tool_calls=calls) if calls:
            return _digest([[call.get("tool_use_id"), call.get("tool_input")] for call in calls])
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
        text = msgspec.json.encode(_plain(small) | {"holdfast_beginning": beginning})
    return text.decode(), gone


def _plain(payload: JsonObject) -> JsonObject:
    """The first plain fields of a payload, a small part of what an entry may hold."""
    kept: JsonObject = {}
    room = _PAYLOAD // 8
    for key, value in payload.items():
        size = len(key) + len(value) if isinstance(value, str) else len(key) + 20
        if isinstance(value, str | int | bool) and size <= room:
            kept[key] = value
            room -= size
    return kept


def bounded(fields: JsonObject) -> JsonObject:
    """The payload with its ids and paths within what an index of a database takes (PostgreSQL: 2,704 bytes)."""
    long = [name for name in _INDEXED if isinstance(value := fields.get(name), str) and len(value) > _LONGEST // 4]
    return fields | {name: _short(fields[name]) for name in long} if long else fields


def _short(text: str) -> str:
    data = text.encode("utf-8", "replace")
    if len(data) <= _LONGEST:
        return text
    return f"{data[:_LONGEST].decode('utf-8', 'ignore')}…{_digest(text)}"


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
        "session_id": place.window_id or None,
        "project_id": place.project_id or None,
        "worktree_id": place.worktree_id or None,
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
    """Write one entry. False when the event is there already, or was forgotten and comes again."""
    if entry["source"] in _AGAIN and is_forgotten(tx, entry):
        return False
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
    if entry["source"] in _AGAIN and entry["event"] in _SAID and _was_said(tx, entry):
        return False
    return tx.run("journal.insert", **entry) == 1


def note_given(
    tx: Tx,
    entry: dict[str, Value],
    answer: Answer,
    origins: Iterable[str],
    marks: Mapping[str, str | bool] = MappingProxyType({}),
) -> None:
    """Note what the model is given with the answer to an entry, in its words, for `seen`."""
    refusal = answer.decision.reason if answer.decision and answer.decision.kind == "deny" else ""
    said = "\n".join(filter(None, (unfenced(answer.context), answer.instructions, refusal)))
    if not said:
        return
    tx.run(
        "journal.note_given",
        entry_id=entry["id"],
        owner=entry["owner"],
        conversation=entry["conversation"],
        agent_id=entry["agent_id"],
        event=entry["event"],
        origins=",".join(dict.fromkeys(origins)),
        marks=msgspec.json.encode(marks).decode() if marks else "",
        text=beginning(said, _LONGEST_GIVEN),
        tokens=count_tokens(answer.context) + count_tokens(answer.instructions) + count_tokens(refusal),
        happened_at=entry["happened_at"],
    )


def _was_said(tx: Tx, entry: dict[str, Value]) -> bool:
    """Is the same prompt or stop in the journal, scrubbed by the rules of another version? Its key is another then."""
    field = _SAID[str(entry["event"])]
    about = {name: str(entry[name] or "") for name in ("conversation", "event", "prompt_id", "agent_id")}
    said = msgspec.json.decode(str(entry["payload"]))
    for row in tx.all("journal.of_prompt", **about) if about["prompt_id"] else ():
        kept = msgspec.json.decode(str(row["payload"]))
        if kept.get("stop_hook_active") or said.get("stop_hook_active"):
            continue  # a stop after one that a hook refused may say the same again: each is its own
        if kept.get(field) != said.get(field) and alike(str(kept.get(field) or ""), str(said.get(field) or "")):
            return True
    return False
