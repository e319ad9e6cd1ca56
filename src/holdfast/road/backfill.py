"""Imports transcripts from before holdfast: every session in Claude Code's folder, by the same road as a hook's event.

A job does it in short slices, so that hooks and other jobs are not held up. How far each file was read is stored, so
that an interrupted import continues there. Reading a file twice changes nothing.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holdfast.errors import HoldfastError, UsageError
from holdfast.ids import now_us, stable_id
from holdfast.jobs.queue import Jobs
from holdfast.paths import holds_everything
from holdfast.road.edge import Payload
from holdfast.road.ownpart import OwnPart
from holdfast.road.recovery import Recovery
from holdfast.road.road import Road
from holdfast.store.interface import Store, Tx, Value

JOB = "takeover"
_SLICE_SECONDS = 0.5
_CHUNK = 256 * 1024
"""Bytes per step: what one step tells is held in memory."""
_ENDED_US = 3600 * 1_000_000
"""A session in which nothing happened for so long is over."""
_AT_ONCE = 500
_FRESH_SECONDS = 1.0
_DEEPEST = 3
"""Folders below `projects`: a project, a session of it, its subagents."""
_START_BYTES = 64 * 1024
_MARKS = (b'"sessionId"', b'"leafUuid"', b'"messageId"', b'"parentUuid"')
"""One of them stands in the first lines of every transcript (clients 1.0 to 2.1.325)."""


@dataclass(frozen=True, slots=True)
class BackfillProgress:
    """How far the import is."""

    files: int
    files_done: int
    bytes: int
    bytes_done: int
    events: int
    """Events that were not known before."""
    waiting: int
    paused: int


class Backfill:
    """Imports transcripts for one daemon."""

    def __init__(self, road: Road, store: Store, recovery: Recovery, jobs: Jobs) -> None:
        self._road = road
        self._store = store
        self._recovery = recovery
        self._jobs = jobs

    async def begin(self, folder: Path) -> BackfillProgress:
        """Store the list of all transcripts under a folder, and begin or continue to import them."""
        found = await asyncio.to_thread(transcripts, folder)
        for start in range(0, len(found), _AT_ONCE):
            part = found[start : start + _AT_ONCE]
            await self._store.write(lambda tx, part=part: self._note(tx, part))  # type: ignore[misc]
        await self._store.write(lambda tx: self._jobs.ask(tx, JOB, "transcripts", {}))
        return await self.progress()

    def _note(self, tx: Tx, found: list[tuple[Path, int]]) -> None:
        for path, size in found:
            tx.run("upkeep.takeover_add", home=self._jobs.home, subject=str(path), total_bytes=size, at=now_us())

    async def pause(self) -> BackfillProgress:
        """Leave the rest for later."""
        await self._store.write(lambda tx: tx.run("upkeep.takeover_pause", home=self._jobs.home))
        return await self.progress()

    async def progress(self) -> BackfillProgress:
        rows = await self._store.read(lambda reader: reader.all("upkeep.takeover_counts", home=self._jobs.home))
        by_state = {str(row["state"]): row for row in rows}

        def total(name: str) -> int:
            return sum(int(row[name] or 0) for row in rows)

        def count(state: str) -> int:
            return int(by_state[state]["n"] or 0) if state in by_state else 0

        done = by_state.get("done")
        unread = int(done["total_bytes"] or 0) - int(done["read_bytes"] or 0) if done else 0
        return BackfillProgress(
            files=total("n"),
            files_done=count("done"),
            bytes=total("total_bytes"),
            bytes_done=total("read_bytes") + unread,
            events=total("kept"),
            waiting=count("waiting"),
            paused=count("paused"),
        )

    async def run(self, arguments: dict[str, Any]) -> None:
        """The job: one slice, and ask for the next."""
        until = time.monotonic() + _SLICE_SECONDS
        while time.monotonic() < until:
            row = await self._store.read(lambda reader: reader.one("upkeep.takeover_next", home=self._jobs.home))
            if row is None:
                return
            await self._go_on(Path(str(row["subject"])), int(row["read_bytes"] or 0))
        await self._store.write(lambda tx: self._jobs.ask(tx, JOB, "transcripts", arguments))

    async def _go_on(self, path: Path, position: int) -> None:
        agent_id = agent_of(path)
        step = await self._recovery.step(
            path, position, agent_id, OwnPart(everything=True), source="import", size=_CHUNK
        )
        to, kept, is_last = (step.position, step.kept, step.is_last) if step else (position, 0, True)
        if step and step.is_fresh:
            await asyncio.sleep(_FRESH_SECONDS)
            is_last = False
        if is_last and agent_id is None:
            kept += await self.end(path)
        state = "done" if is_last else "waiting"
        about: dict[str, Value] = {"home": self._jobs.home, "subject": str(path), "read_bytes": to, "kept": kept}
        await self._store.write(lambda tx: tx.run("upkeep.takeover_on", state=state, at=now_us(), **about))

    async def end(self, path: Path) -> int:
        """End a session that is over, as its hook would have done, so that it is summarised."""
        about = {"conversation": path.stem}
        last = await self._store.read(
            lambda reader: None if reader.one("upkeep.has_end", **about) else reader.one("upkeep.end_of", **about)
        )
        at = int(last["happened_at"] or 0) if last else 0
        if last is None or now_us() - at < _ENDED_US:
            return 0
        fields = {
            "session_id": path.stem,
            "transcript_path": str(path),
            "cwd": str(last["cwd"]),
            "hook_event_name": "SessionEnd",
            "reason": "other",
        }
        travelled = await self._road.travel(
            Payload(fields),
            name="SessionEnd",
            source="import",
            arrival_id=stable_id(at, "SessionEnd", path.stem),
            happened_at=at + 1,
        )
        return int(travelled.kept and not travelled.repeated)


def transcripts(place: Path) -> list[tuple[Path, int]]:
    """All transcripts in Claude Code's folder, its projects folder, one project's folder, or one file; their sizes.

    Nothing else is looked at (SEC-11): no link is followed, no folder is gone through that is deeper than the client
    makes them, and a file is one that begins like a transcript.
    """
    if holds_everything(place):
        raise UsageError(
            f"{place} holds more than transcripts, so nothing was taken. Name Claude Code's own (~/.claude)."
        )
    if place.suffix == ".jsonl" and place.is_file() and (found := _transcript(place)):
        return [found]
    if not place.is_dir():
        raise HoldfastError(
            f"{place} is no transcript and no folder of them. Name Claude Code's own folder (~/.claude)."
        )
    root = place / "projects" if (place / "projects").is_dir() else place
    if root != place and root.is_symlink():
        raise UsageError(f"{root} is a link to {os.path.realpath(root)}; nothing was taken. Name that folder.")
    return sorted(found for path in _files(root, _DEEPEST) if path.suffix == ".jsonl" and (found := _transcript(path)))


def _files(folder: Path, deep: int) -> Iterator[Path]:
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    for entry in entries:
        if entry.is_file(follow_symlinks=False):
            yield Path(entry.path)
        elif deep and entry.is_dir(follow_symlinks=False):
            yield from _files(Path(entry.path), deep - 1)


def _transcript(path: Path) -> tuple[Path, int] | None:
    """The file and its size, if it begins as the client's transcripts do."""
    try:
        with path.open("rb") as file:
            start = file.read(_START_BYTES)
        is_one = start.startswith(b"{") and b'"type"' in start and any(mark in start for mark in _MARKS)
        return (path, path.stat().st_size) if is_one else None
    except OSError:
        return None


def agent_of(path: Path) -> str | None:
    """The subagent whose transcript this is."""
    return path.stem.removeprefix("agent-") if path.stem.startswith("agent-") else None
