"""Sweeping the files beside the database after something was forgotten: the spool, the logs, and our own backups.

A copy of the store that holds what was forgotten is removed as a whole, and one new copy is made in its place: a copy
cannot be mended without becoming a copy of another time.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Protocol

from holdfast import spool
from holdfast.events.going import Going
from holdfast.paths import Home, make_private_folder, write_private
from holdfast.rooms.room import Upkeep
from holdfast.store import copies
from holdfast.store.copies import Sought
from holdfast.store.interface import Store
from holdfast.store.table import Table
from holdfast.times import file_stamp
from holdfast.upkeep.tables import forgotten_marks
from holdfast.upkeep.text_match import bare, in_json, like, longest_word, lower, says, strings
from holdfast.upkeep.traces import Swept, Traces


class ForgetLines(Protocol):
    """(folder of the logs, is this line meant) → how many lines went, or would go."""

    def __call__(self, folder: Path, matches: Callable[[str], bool], /, *, preview: bool = False) -> int: ...


async def look(
    home: Home,
    tables: Mapping[str, Table],
    forget_lines: ForgetLines,
    traces: Traces,
    *,
    rooms: Mapping[str, Upkeep] | None = None,
) -> Swept:
    """What `sweep` would remove. Nothing is changed."""

    def found() -> Swept:
        backups, unread = _backups(home, tables, traces)
        return Swept(
            spooled=len(_spool(home.spool, traces)),
            log_lines=_logs(home, forget_lines, traces, preview=True),
            backups=tuple(path.name for path in backups),
            unread=tuple(unread),
            kept=_files_of_rooms(home, rooms or {}, traces, preview=True),
        )

    return await asyncio.to_thread(found)


async def sweep(
    home: Home,
    store: Store,
    tables: Mapping[str, Table],
    forget_lines: ForgetLines,
    traces: Traces,
    now: int,
    *,
    rooms: Mapping[str, Upkeep] | None = None,
) -> Swept:
    """Search all that is ours for the traces, and remove it. `rooms` are what rooms add, by their names."""
    await keep_marks(home, store)
    spooled = await asyncio.to_thread(_spool, home.spool, traces)
    await asyncio.to_thread(_remove, spooled)
    lines = await asyncio.to_thread(_logs, home, forget_lines, traces)
    gone, unread = await asyncio.to_thread(_backups, home, tables, traces)
    await asyncio.to_thread(_remove, [each for path in gone for each in _with_its_log(path)])
    for graph in (home.root / "vectors").glob("*.usearch"):  # derived: made anew from the store when it is next needed
        graph.unlink(missing_ok=True)
    made = ""
    if gone:
        make_private_folder(home.backups)
        copy = home.backups / f"auto-{file_stamp(now)}-after-forget{'.db' if store.kind == 'sqlite' else '.jsonl'}"
        if not copy.exists():
            await store.backup(copy)
            made = copy.name
    kept = await asyncio.to_thread(_files_of_rooms, home, rooms or {}, traces)
    return Swept(len(spooled), lines, tuple(path.name for path in gone), tuple(unread), made, kept)


def _remove(paths: Iterable[Path]) -> None:
    for path in paths:
        path.unlink(missing_ok=True)


def _with_its_log(path: Path) -> tuple[Path, ...]:
    """A copy of SQLite that was opened may have a log and an index of it beside."""
    return (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm"))


def _files_of_rooms(home: Home, rooms: Mapping[str, Upkeep], traces: Traces, *, preview: bool = False) -> int:
    going = Going(traces.text, traces.conversation, traces.before, traces.files)
    if going == Going():
        return 0  # by ids: a kept file goes with its row
    ways = {name: each.holds_files if preview else each.forget_files for name, each in rooms.items()}
    return sum(way(home.root / name, going) for name, way in ways.items() if way)


async def keep_marks(home: Home, store: Store) -> None:
    """The marks of what was forgotten, in a file of their own: they outlive the store (see `store.restoring`)."""
    marks = await store.read(forgotten_marks)
    await asyncio.to_thread(write_private, home.forgotten, json.dumps(marks).encode())


def sought(traces: Traces) -> Sought:
    """The traces as a copy is searched for them. Pure."""
    word = like(longest_word(traces.text))
    return Sought(frozenset(traces.ids), traces.conversation, traces.before, bare(traces.text), word, bare)


def _spool(folder: Path, traces: Traces) -> list[Path]:
    """The events in the spool that are meant."""
    found: list[Path] = []
    for path in [*spool.waiting(folder), *spool.bad(folder)]:
        try:
            text = spool.read(path).decode("utf-8", "replace")
        except (OSError, ValueError):
            continue
        if _is_meant(path, text, traces):
            found.append(path)
    return found


def _is_meant(path: Path, text: str, traces: Traces) -> bool:
    if traces.ids & copies.ids_in(text):
        return True
    try:
        item = spool.take(path)
    except (ValueError, OSError):  # one that cannot be read: by its text alone
        return bool(traces.text) and says(text, traces.text)
    if traces.conversation and item.payload.get("session_id") == traces.conversation:
        return True
    if item.happened_at < traces.before:
        return True
    return bool(traces.text) and any(says(each, traces.text) for each in strings(item.payload))


def _logs(home: Home, forget_lines: ForgetLines, traces: Traces, *, preview: bool = False) -> int:
    texts = [lower(text) for text in {traces.text, in_json(traces.text), traces.conversation, *traces.words} if text]

    def matches(line: str) -> bool:
        small = lower(line)
        return any(text in small for text in texts) or bool(traces.ids & copies.ids_in(line))

    return forget_lines(home.logs, matches, preview=preview) if texts or traces.ids else 0


def _backups(home: Home, tables: Mapping[str, Table], traces: Traces) -> tuple[list[Path], list[str]]:
    """(copies that hold what is meant, names of copies that could not be examined)."""
    gone: list[Path] = []
    unread: list[str] = []
    wanted = sought(traces)
    found = [path for path in sorted(home.backups.glob("*")) if path.suffix in (".db", ".jsonl")]
    asides = sorted(home.root.glob(f"{home.database.name}.aside-*"))
    found += [path for path in asides if path.name[-4:] not in ("-wal", "-shm")]
    # A link is not a copy of ours: what it leads to stays as it is.
    for path in (each for each in found if each.is_file() and not each.is_symlink()):
        try:
            holds = copies.holds(path, tables, wanted)
        except (OSError, sqlite3.Error):
            unread.append(path.name)
            continue
        if holds:
            gone.append(path)
    return gone, unread
