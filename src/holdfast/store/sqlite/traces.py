"""Leaving no trace of what was removed in a SQLite file and its write-ahead log.

`secure_delete` zeroes what is deleted, but when SQLite shifts rows between pages, copies of them may stay in the unused
middle of a page (seen with 3.40). Only rewriting the file (VACUUM) is sure to leave none.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from holdfast.store.sqlite.connect import open_beside

ALWAYS_BYTES = 256 * 1024 * 1024
"""A file up to this size is always rewritten: a second or two. A larger one only when a trace is found in it, because
writers wait meanwhile (events that cannot wait are spooled)."""
_CHUNK = 1024 * 1024
_MOST = 30


def leave_no_trace(path: Path, removed: Sequence[str]) -> None:
    """Fold the log into the file and cut it; with words of what was removed, see that the file is free of them."""
    with closing(open_beside(path)) as connection:
        _fold(connection)
        if removed and (path.stat().st_size <= ALWAYS_BYTES or holds(path, removed)):
            connection.execute("PRAGMA secure_delete = ON").fetchall()
            connection.execute("VACUUM")
            _fold(connection)


def _fold(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def holds(path: Path, words: Sequence[str]) -> bool:
    """Does one of the longest of these words stand in the file, in any case?"""
    wanted = [word.encode("utf-8", "replace").lower() for word in sorted(words, key=len)[-_MOST:] if word]
    overlap = max((len(word) for word in wanted), default=1) - 1
    tail = b""
    with path.open("rb") as file:
        while block := file.read(_CHUNK):
            data = tail + block.lower()
            if any(word in data for word in wanted):
                return True
            tail = data[-overlap:] if overlap else b""
    return False
