"""Recovery: what an `http` hook could not deliver is read from the transcript and takes the road late (EVT-8).

Asked for at the start, the prompts, the stops and the end of a session, and for all open sessions when the daemon
starts; done as a job. Every entry found this way says so (`source: transcript`).
"""

from __future__ import annotations

import asyncio
import logging
import os
from pathlib import Path
from typing import Any

from holdfast.events.event import Event
from holdfast.ids import now_us
from holdfast.jobs.queue import Jobs
from holdfast.road.drain import Drain
from holdfast.road.edge import mended
from holdfast.road.road import Road
from holdfast.road.transcript import Reading, Told, read_lines
from holdfast.store.interface import Reader, Store, Tx

log = logging.getLogger(__name__)

JOB = "recover"
_CHUNK = 4 * 1024 * 1024
_LONGEST_WAIT_BYTES = 1024 * 1024
"""A tool use without a result this far back was given up by the client; the reading goes on without it."""
_SETTLE_SECONDS = 1.0
"""The client writes a line shortly after the hook that belongs to it."""


class Recovery:
    """Compares transcripts with the journal."""

    def __init__(self, road: Road, store: Store, drain: Drain, born_at: int) -> None:
        self._road = road
        self._store = store
        self._drain = drain
        self._born_at = born_at

    async def run(self, arguments: dict[str, Any]) -> None:
        """The job: one conversation's transcript, and those of its subagents."""
        await self._drain.run()
        path = Path(arguments["path"])
        await self._compare(path, None)
        for agent_file in sorted(path.with_suffix("").joinpath("subagents").glob("agent-*.jsonl")):
            await self._compare(agent_file, agent_file.stem.removeprefix("agent-"))

    async def _compare(self, path: Path, agent_id: str | None) -> None:
        row = await self._store.read(lambda reader: reader.one("session.transcript_position", path=str(path)))
        position = int(row["read_bytes"] or 0) if row else 0
        found = 0
        while True:
            data = await asyncio.to_thread(_read_chunk, path, position)
            if data is None or b"\n" not in data:
                break
            reading = await asyncio.to_thread(read_lines, data, position, str(path), agent_id)
            found += await self._take(reading)
            complete = position + data.rfind(b"\n") + 1
            waits = complete - reading.read_bytes < _LONGEST_WAIT_BYTES and len(data) < _CHUNK
            target = reading.read_bytes if waits else complete
            await self._store.write(lambda tx, to=target: _remember(tx, path, to))  # type: ignore[misc]
            if target == position or len(data) < _CHUNK:
                break
            position = target
        if found:
            log.info("%d events that no hook delivered were read from %s", found, path.name)

    async def _take(self, reading: Reading) -> int:
        told = [item for item in reading.told if item.happened_at >= self._born_at]
        missing = await self._store.read(lambda reader: [item for item in told if not _is_known(reader, item)])
        kept = 0
        for item in missing:
            travelled = await self._road.travel(
                mended(item.payload), name=item.event, source="transcript", happened_at=item.happened_at
            )
            kept += travelled.kept and not travelled.repeated
        return kept


def ask(jobs: Jobs, tx: Tx, event: Event) -> None:
    """Ask for the transcript of this event's conversation to be compared."""
    if event.transcript_path:
        arguments = {"path": event.transcript_path}
        jobs.ask(tx, JOB, event.transcript_path, arguments, in_seconds=_SETTLE_SECONDS)


def ask_for_open_sessions(jobs: Jobs, tx: Tx, owner: str, since: int) -> None:
    """At the daemon's start: whatever happened while it was away is in these transcripts."""
    for row in tx.all("session.open_transcripts", owner=owner, since=since):
        jobs.ask(tx, JOB, str(row["transcript_path"]), {"path": row["transcript_path"]})


def _is_known(reader: Reader, told: Told) -> bool:
    use = told.payload.get("tool_use_id")
    if use:
        kinds = ("PostToolUse", "PostToolUseFailure") if told.event.startswith("Post") else (told.event,)
        return any(reader.one("journal.has_tool_use", tool_use_id=use, event=kind) for kind in kinds)
    return bool(
        reader.one(
            "journal.has_prompt",
            conversation=told.payload["session_id"],
            agent_id=told.payload.get("agent_id") or "",
            event=told.event,
            prompt_id=told.payload.get("prompt_id") or "",
        )
    )


def _remember(tx: Tx, path: Path, read_bytes: int) -> None:
    tx.run(
        "session.transcript_read",
        path=str(path),
        conversation=path.stem,
        read_bytes=read_bytes,
        read_at=now_us(),
    )


def _read_chunk(path: Path, position: int) -> bytes | None:
    try:
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_size < position:
                position = 0
            file.seek(position)
            data = file.read(_CHUNK)
            if b"\n" not in data and len(data) == _CHUNK:
                # One line longer than a chunk (a pasted image): read on to its end.
                data += file.readline()
            return data
    except OSError:
        return None
