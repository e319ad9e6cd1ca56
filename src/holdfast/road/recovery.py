"""Recovery: reads events that an `http` hook could not deliver from the transcript; they take the road late (EVT-8).

The start, prompts, stops and end of a session ask for it; the daemon's start asks for it for all open sessions. A job
does it. Every entry found this way says so (`source: transcript`).
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from holdfast.events.client import agent_of_transcript
from holdfast.events.event import Event
from holdfast.events.scene import Source
from holdfast.ids import ConversationId, now_us
from holdfast.jobs.queue import Jobs
from holdfast.road.alike import alike
from holdfast.road.clean import clean
from holdfast.road.drain import Drain
from holdfast.road.edge import Payload
from holdfast.road.journal import journal_text
from holdfast.road.ownpart import OwnPart
from holdfast.road.road import Road
from holdfast.road.transcript import TranscriptEvent, TranscriptReading, read_lines
from holdfast.store.interface import Reader, Store, Tx, Value

log = logging.getLogger(__name__)

StopMessage = tuple[str, bool]
"""A stop's last message, and whether a hook had refused one before it."""

JOB = "recover"
_CHUNK = 4 * 1024 * 1024
_LONGEST_WAIT_BYTES = 1024 * 1024
"""A tool use without a result this far back was given up by the client; the reading goes on without it."""
_BEFORE = 1024 * 1024
"""How much of what was read before is looked at again: only the user's lines name their prompt."""
_FRESH_US = 800_000
"""Less than the time to settle: what a Stop asks for finds its own message old enough."""
_FRESH_LOOKS = 3
_SETTLE_SECONDS = 1.0
"""The client writes a line shortly after the hook that belongs to it."""


@dataclass(frozen=True, slots=True)
class RecoveryStep:
    """One piece of a transcript."""

    position: int
    """Where to go on."""
    kept: int
    is_last: bool
    is_fresh: bool
    """It ends in something whose hook may still be on its way."""


class Recovery:
    """Compares transcripts with the journal."""

    def __init__(self, road: Road, store: Store, drain: Drain) -> None:
        self._road = road
        self._store = store
        self._drain = drain
        self.heard_since: int | None = None
        """After a restore: from here on a conversation may have begun that the journal does not know."""

    async def run(self, arguments: dict[str, Any]) -> None:
        """The job: one conversation's transcript, and those of its subagents."""
        await self._drain.run()
        path = Path(arguments["path"])
        earliest = await self._compare(path, None)
        for agent_file in sorted(path.with_suffix("").joinpath("subagents").glob("agent-*.jsonl")):
            await self._compare(agent_file, agent_file.stem.removeprefix("agent-"), earliest)

    async def _compare(self, path: Path, agent_id: str | None, not_before: int | None = None) -> int | None:
        """Take what is missing; the earliest time of what was looked at."""
        row = await self._store.read(lambda reader: reader.one("session.transcript_position", path=str(path)))
        position = int(row["read_bytes"] or 0) if row else 0
        own = OwnPart(everything=position > 0, not_before=not_before)
        found = 0
        waits = _FRESH_LOOKS
        while step := await self.step(path, position, agent_id, own):
            position = step.position
            found += step.kept
            await self._store.write(lambda tx, to=position: _remember(tx, path, to))  # type: ignore[misc]
            if step.is_fresh and waits:
                # A line that was just written may still have its hook on the way. Nobody may ask again, so look again.
                waits -= 1
                await asyncio.sleep(_SETTLE_SECONDS)
            elif step.is_last or step.is_fresh:
                break
        if found:
            log.info("%d events that no hook delivered were read from %s", found, path.name)
        return own.earliest

    async def step(
        self,
        path: Path,
        position: int,
        agent_id: str | None,
        own: OwnPart,
        *,
        source: Source = "transcript",
        size: int = _CHUNK,
    ) -> RecoveryStep | None:
        """Take what follows `position`; None when nothing does.

        What is imported may have happened before this store was made, and been written by an older client.
        """
        chunk = await asyncio.to_thread(_read_chunk, path, position, size)
        if chunk is None:
            return None
        begin, data, before = chunk
        imported = source == "import"
        reading = await asyncio.to_thread(read_lines, data, begin, str(path), agent_id, before, older=imported)
        is_last = len(data) < size
        fresh = _fresh(reading)
        until = fresh if fresh is not None else None if is_last else _unfinished(reading, begin, data)
        events = [item for item in reading.events if until is None or item.begin < until]
        if begin < position:  # the file was written anew
            own = OwnPart()
        kept = await self._take(events, source, own)
        complete = begin + data.rfind(b"\n") + 1 if until is None else until
        # Not past a tool use that waits for its result; but a full chunk must bring the reading on.
        waits = complete - reading.read_bytes < _LONGEST_WAIT_BYTES and (is_last or reading.read_bytes > begin)
        to = min(reading.read_bytes, complete) if waits else complete
        return RecoveryStep(to, kept, is_last, fresh is not None)

    async def _take(self, events: Sequence[TranscriptEvent], source: Source, own: OwnPart) -> int:
        missing = await self._store.read(lambda reader: self._missing(reader, events, source, own))
        kept = 0
        for item in missing:
            travelled = await self._road.travel(
                Payload(item.payload),
                name=item.event,
                source=source,
                happened_at=item.happened_at,
                agent=agent_of_transcript(item.version),
            )
            kept += travelled.kept and not travelled.repeated
        return kept

    def _missing(
        self, reader: Reader, events: Sequence[TranscriptEvent], source: Source, own: OwnPart
    ) -> list[TranscriptEvent]:
        """What the journal does not know of. (An import also takes what was before a conversation was heard of.)"""
        conversations = {str(item.payload["session_id"]) for item in events}
        begins = {
            one: 0 if source == "import" else _begin(reader, ConversationId(one), self.heard_since)
            for one in conversations
        }
        stops = Stops(reader)
        missing = []
        for item in events:
            conversation = str(item.payload["session_id"])
            if not own.holds(ConversationId(conversation), item.happened_at, begins[conversation]):
                continue
            if _is_copied(reader, item):
                known = True
            elif "last_assistant_message" in item.payload:
                known = stops.account_for(item, self._as_kept(item))
            else:
                known = _is_known(reader, item)
            if not known:
                missing.append(item)
        return missing

    def _as_kept(self, stop: TranscriptEvent) -> StopMessage:
        """What a stop says as the journal holds it: mended, scrubbed, cut."""
        names = ("last_assistant_message", "stop_hook_active")
        cleaned = clean({name: stop.payload[name] for name in names}, self._road.scrubber)
        return _said(journal_text(stop.event, cleaned.fields)[0])


def ask(jobs: Jobs, tx: Tx, event: Event) -> None:
    """Ask for a comparison of the transcript of this event's conversation."""
    if event.transcript_path:
        arguments = {"path": event.transcript_path}
        jobs.ask(tx, JOB, event.transcript_path, arguments, in_seconds=_SETTLE_SECONDS)


def ask_for_open_sessions(jobs: Jobs, tx: Tx, owner: str, since: int) -> None:
    """At the daemon's start: whatever happened while it was away is in these transcripts."""
    for row in tx.all("session.open_transcripts", owner=owner, since=since):
        jobs.ask(tx, JOB, str(row["transcript_path"]), {"path": row["transcript_path"]})


def _fresh(reading: TranscriptReading) -> int | None:
    """Where the first final message begins whose hook may still arrive: the client writes before it fires."""
    now = now_us()
    for item in reading.events:
        if "last_assistant_message" in item.payload and now - _FRESH_US < item.happened_at <= now:
            return item.begin
    return None


def _unfinished(reading: TranscriptReading, begin: int, data: bytes) -> int | None:
    """Where a final message begins that is the last line of its chunk: the next line may continue it."""
    item = reading.events[-1] if reading.events else None
    if item is None or not item.message or item.begin == begin:
        return None
    return item.begin if data.find(b"\n", item.begin - begin) == data.rfind(b"\n") else None


def _begin(reader: Reader, conversation: ConversationId, heard_since: int | None) -> int:
    """Where a conversation's own part of its transcript begins.

    A fork begins with a copy of its parent's lines: their times, but the fork's session_id, and in 2.1.325 its
    prompt_id too. What is older than the first that was heard of a conversation (its SessionStart, which is never
    lost) is not its own. Only a restore loses it: then all since the restored copy is taken.
    """
    row = reader.one("journal.first_arrival", conversation=conversation)
    first = int(row["happened_at"] or 0) if row else now_us()
    return first if heard_since is None else min(first, heard_since)


def _is_copied(reader: Reader, item: TranscriptEvent) -> bool:
    """Was this event taken from another transcript? A fork's begins with its parent's lines, with their times."""
    about: dict[str, Value] = {
        "event": item.event,
        "prompt_id": str(item.payload.get("prompt_id") or ""),
        "at": item.happened_at,
    }
    return item.happened_at > 0 and bool(reader.one("journal.told_at", **about))


def _is_known(reader: Reader, item: TranscriptEvent) -> bool:
    use = item.payload.get("tool_use_id")
    if use:
        kinds = ("PostToolUse", "PostToolUseFailure") if item.event.startswith("Post") else (item.event,)
        conversation = item.payload["session_id"]
        return any(
            reader.one("journal.has_tool_use", tool_use_id=use, event=kind, conversation=conversation) for kind in kinds
        )
    return bool(reader.one("journal.has_prompt", **_of_prompt(item)))


class Stops:
    """The stops in the journal. A prompt may have several with the same words; each accounts for one only."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._entries: dict[tuple[str, ...], list[tuple[int, StopMessage]]] = {}

    def account_for(self, item: TranscriptEvent, said: StopMessage) -> bool:
        """Is this stop in the journal? Its hook fires after its message was written, never before.

        It may have been scrubbed by the rules of an older version.
        """
        asked = _of_prompt(item)
        key = tuple(asked.values())
        if key not in self._entries:
            rows = self._reader.all("journal.of_prompt", **asked)
            self._entries[key] = [(int(row["happened_at"] or 0), _said(str(row["payload"]))) for row in rows]
        for entry in self._entries[key]:
            at, (text, was_active) = entry
            if at >= item.happened_at and was_active == said[1] and alike(text, said[0]):
                self._entries[key].remove(entry)
                return True
        return False


def _said(payload: str) -> StopMessage:
    fields = msgspec.json.decode(payload)
    return str(fields.get("last_assistant_message") or "").strip(), bool(fields.get("stop_hook_active"))


def _of_prompt(item: TranscriptEvent) -> dict[str, str]:
    return {
        "conversation": str(item.payload["session_id"]),
        "agent_id": str(item.payload.get("agent_id") or ""),
        "event": item.event,
        "prompt_id": str(item.payload.get("prompt_id") or ""),
    }


def _remember(tx: Tx, path: Path, read_bytes: int) -> None:
    tx.run(
        "session.transcript_read",
        path=str(path),
        conversation=path.stem,
        read_bytes=read_bytes,
        read_at=now_us(),
    )


def _read_chunk(path: Path, position: int, size: int = _CHUNK) -> tuple[int, bytes, bytes] | None:
    """What follows `position`: where that begins, its bytes, and some of those before. None when there is no line."""
    try:
        if not path.is_file():  # a pipe or a device would never end
            return None
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_size < position:
                position = 0
            file.seek(max(0, position - _BEFORE))
            before = file.read(min(position, _BEFORE))
            data = file.read(size)
            if b"\n" not in data and len(data) == size:
                # One line longer than a chunk (a pasted image): read on to its end.
                data += file.readline()
    except OSError:
        return None
    return (position, data, before) if b"\n" in data else None
