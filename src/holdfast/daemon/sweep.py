"""Sweeping the files beside the database after something was forgotten: the spool, the logs, and our own backups.

A copy of the store that holds what was forgotten is removed as a whole, and one new copy is made in its place: a copy
cannot be mended without becoming a copy of another time.
"""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
import time
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from holdfast import spool
from holdfast.daemon.logs import forget_lines
from holdfast.paths import Home, make_private_folder, write_private
from holdfast.rooms.memory.choosing import in_json, like, lower, strings
from holdfast.rooms.memory.forgetting import Swept, Traces
from holdfast.store.interface import Store
from holdfast.store.sqlite.connect import open_reader

_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|toolu_[A-Za-z0-9]+")
_TABLES = ("journal", "prompt", "observation", "summary", "memory")
_WORDS = {
    "journal": ("payload",),
    "prompt": ("text",),
    "observation": ("title", "command", "excerpt", "files"),
    "summary": ("title", "request", "investigated", "done", "learned", "left_open", "said", "files"),
    "memory": ("title", "text", "tags", "files"),
    "supersession": ("reason",),
    "model_summary": ("by_model", "by_rules"),
    "model_call": ("error",),
    "reading": ("text", "prompt"),
    "citation": ("url", "shown_url", "final_url"),
    "citation_change": ("url",),
    "page": ("url", "shown_url"),
    "cited_page": ("url",),
    "sighting": ("asked_url", "url", "seen"),
    "origin_trait": ("subject",),
    "job": ("error",),
}
"""Where a text may stand, and is taken out of the store: all that `rooms.memory.choosing` looks through."""
_AT_ONCE = 500


async def sweep(home: Home, store: Store, traces: Traces) -> Swept:
    """Search all that is ours for the traces, and remove it."""
    spooled, lines = await asyncio.to_thread(_spool, home.spool, traces), await asyncio.to_thread(_logs, home, traces)
    gone, unread = await asyncio.to_thread(_backups, home, traces)
    for graph in (home.root / "vectors").glob("*.usearch"):  # derived: made anew from the store when it is next needed
        graph.unlink(missing_ok=True)
    await keep_marks(home, store)
    made = ""
    if gone:
        make_private_folder(home.backups)
        stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
        copy = home.backups / f"auto-{stamp}-after-forget{'.db' if store.kind == 'sqlite' else '.jsonl'}"
        if not copy.exists():
            await store.backup(copy)
            made = copy.name
    return Swept(spooled, lines, tuple(gone), tuple(unread), made)


async def keep_marks(home: Home, store: Store) -> None:
    """The marks of what was forgotten, in a file of their own: they outlive the store (see `store.restoring`)."""
    rows = await store.read(lambda reader: reader.all("upkeep.marks"))
    marks = [(row["mark"], row["until_at"], row["forgotten_at"]) for row in rows]
    await asyncio.to_thread(write_private, home.forgotten, json.dumps(marks).encode())


def _spool(folder: Path, traces: Traces) -> int:
    gone = 0
    for path in [*spool.waiting(folder), *spool.bad(folder)]:
        try:
            text = spool.read(path).decode("utf-8", "replace")
        except (OSError, ValueError):
            continue
        if _is_meant(path, text, traces):
            path.unlink(missing_ok=True)
            gone += 1
    return gone


def _is_meant(path: Path, text: str, traces: Traces) -> bool:
    if traces.ids.intersection(_ID.findall(text)):
        return True
    try:
        item = spool.take(path)
    except (ValueError, OSError):  # one that cannot be read: by its text alone
        return bool(traces.text) and lower(traces.text) in lower(text)
    if traces.conversation and item.payload.get("session_id") == traces.conversation:
        return True
    if item.happened_at < traces.before:
        return True
    return bool(traces.text) and any(lower(traces.text) in lower(each) for each in strings(item.payload))


def _logs(home: Home, traces: Traces) -> int:
    texts = [lower(text) for text in {traces.text, in_json(traces.text), traces.conversation, *traces.words} if text]

    def matches(line: str) -> bool:
        small = lower(line)
        return any(text in small for text in texts) or bool(traces.ids.intersection(_ID.findall(line)))

    return forget_lines(home.logs, matches) if texts or traces.ids else 0


def _backups(home: Home, traces: Traces) -> tuple[list[str], list[str]]:
    """(copies that were removed, copies that could not be examined)."""
    gone: list[str] = []
    unread: list[str] = []
    # A link is not a copy of ours: what it leads to stays as it is.
    copies = [path for path in sorted(home.backups.glob("*")) if path.suffix in (".db", ".jsonl") and _is_file(path)]
    copies += [
        path
        for path in sorted(home.root.glob(f"{home.database.name}.aside-*"))
        if path.name[-4:] not in ("-wal", "-shm") and _is_file(path)
    ]
    for path in copies:
        try:
            holds = _dump_holds(path, traces) if path.suffix == ".jsonl" else _copy_holds(path, traces)
        except (OSError, sqlite3.Error):
            unread.append(path.name)
            continue
        if holds:
            for each in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
                each.unlink(missing_ok=True)
            gone.append(path.name)
    return gone, unread


def _is_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def _copy_holds(path: Path, traces: Traces) -> bool:
    """Does a copy of a SQLite store hold what was forgotten?"""
    with closing(open_reader(path)) as connection:
        there = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        for table in (name for name in _TABLES if name in there):
            for part in _parts(sorted(traces.ids)):
                marks = ",".join("?" * len(part))
                if connection.execute(f"SELECT 1 FROM {table} WHERE id IN ({marks}) LIMIT 1", part).fetchone():  # noqa: S608 (our names)
                    return True
        asked = (("happened_at < ?", traces.before), ("conversation = ?", traces.conversation))
        for condition, value in asked if "journal" in there else ():
            if value and connection.execute(f"SELECT 1 FROM journal WHERE {condition} LIMIT 1", (value,)).fetchone():  # noqa: S608
                return True
        return bool(traces.text) and any(_says(connection, table, traces.text) for table in _WORDS if table in there)


def _says(connection: sqlite3.Connection, table: str, text: str) -> bool:
    """Does a text stand in a table of a copy? (An older copy may lack columns.)"""
    there = {str(row[1]) for row in connection.execute(f"PRAGMA table_info({table})")}
    words = " || ' ' || ".join(f"COALESCE({name}, '')" for name in _WORDS[table] if name in there)
    flat = f"LOWER(REPLACE({words}, char(10), ' '))"
    query = f"SELECT 1 FROM {table} WHERE {flat} LIKE ? ESCAPE '!' OR {flat} LIKE ? ESCAPE '!' LIMIT 1"  # noqa: S608
    flat_text = text.replace("\n", " ")
    found = connection.execute(query, (like(flat_text), like(in_json(text)))).fetchone() if words else None
    return found is not None


def _dump_holds(path: Path, traces: Traces) -> bool:
    """Does a copy of a PostgreSQL store? (Where a time is meant, older rows are in every copy.)"""
    if traces.before:
        return True
    text = lower(in_json(traces.text)) if traces.text else ""
    with path.open(encoding="utf-8", errors="replace") as file:
        for line in file:
            if traces.ids.intersection(_ID.findall(line)):
                return True
            if traces.conversation and traces.conversation in line:
                return True
            if text and (text in lower(line) or in_json(text) in lower(line)):
                return True
    return False


def _parts(ids: list[str]) -> Iterable[list[str]]:
    for start in range(0, len(ids), _AT_ONCE):
        yield ids[start : start + _AT_ONCE]
