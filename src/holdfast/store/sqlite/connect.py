"""Opening a SQLite file: owner-only from its first byte, with the settings that make it fast and forgetful.

Also says in a sentence what SQLite's errors mean. Knows no query and no table.
"""

from __future__ import annotations

import errno
import os
import sqlite3
import time
from pathlib import Path
from urllib.parse import quote

from holdfast.errors import HoldfastError, StoreBusy, StoreError, StoreFull, StoreUnfit
from holdfast.paths import close_to_others, open_private
from holdfast.store.sqlite.holders import holders

BUSY_SECONDS = 5.0
CORRUPT = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_CORRUPT_VIRTUAL = sqlite3.SQLITE_CORRUPT | (1 << 8)
"""SQLITE_CORRUPT_VTAB: the search index says so of itself. It is made anew from the rows (STO-5)."""

_SHARED = ("PRAGMA foreign_keys = ON", "PRAGMA temp_store = MEMORY", "PRAGMA cache_size = -16384")
_WRITER = (
    "PRAGMA synchronous = NORMAL",
    "PRAGMA journal_size_limit = 67108864",
    # The checkpointer does it beside the writer; this is for when it cannot keep up.
    "PRAGMA wal_autocheckpoint = 4096",
    # Deleted content is overwritten, so that "forget" leaves nothing in the file.
    "PRAGMA secure_delete = ON",
)


def open_writer(path: Path) -> sqlite3.Connection:
    """The one connection that writes; makes the file when there is none."""
    make_private_file(path)
    connection = _connect(path, "rw")
    try:
        _use_wal(connection, path)
        for pragma in (*_WRITER, *_SHARED):
            connection.execute(pragma).fetchall()
    except BaseException:
        connection.close()
        raise
    return connection


def _use_wal(connection: sqlite3.Connection, path: Path) -> None:
    """For this one statement SQLite does not wait while others are at the file; so we do."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
            break
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
    if mode != "wal":
        raise StoreError(
            f"The store at {path} is on a file system that SQLite cannot share between readers and a writer; "
            "nothing was changed. Set HOLDFAST_HOME to a folder on a local disk."
        )


def open_beside(path: Path) -> sqlite3.Connection:
    """A connection to a file that the writer has made; it may fold the write-ahead log."""
    connection = _connect(path, "rw")
    connection.execute("PRAGMA synchronous = NORMAL").fetchall()
    return connection


def open_reader(path: Path) -> sqlite3.Connection:
    """A connection that cannot write."""
    connection = _connect(path, "ro")
    for pragma in _SHARED:
        connection.execute(pragma).fetchall()
    return connection


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(
        f"file:{quote(str(path))}?mode={mode}",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        # Opened in one thread, then used by one other: the writer's, or a reader's.
        check_same_thread=False,
        cached_statements=512,
    )


def make_private_file(path: Path) -> None:
    """SQLite gives its -wal and -shm files the mode of the database, so that one decides for all three."""
    os.close(open_private(path, os.O_RDWR))
    for beside in (path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
        if os.path.lexists(beside):
            close_to_others(beside)


def is_damage(error: BaseException) -> bool:
    """Does SQLite say that the file is not one of its own, or not whole?"""
    # A version of the file format that nobody has is a plain SQLITE_ERROR (3.40).
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return isinstance(error, sqlite3.Error) and (code in CORRUPT or str(error) == "unsupported file format")


def explain(error: BaseException, path: Path) -> BaseException:
    """A sentence for what we know; anything else as it is."""
    if isinstance(error, HoldfastError):
        return error
    known: StoreError | None = None
    if isinstance(error, sqlite3.Error):
        known = _explain_code(getattr(error, "sqlite_errorcode", 0), path)
    elif isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        known = _full(path)
    elif isinstance(error, OSError):
        known = StoreError(f"The store at {path} cannot be opened or written ({error.strerror}); nothing was changed.")
    if known is None:
        return error
    known.__cause__ = error
    return known


def _explain_code(extended: int, path: Path) -> StoreError | None:
    code = extended & 0xFF
    if extended == _CORRUPT_VIRTUAL:
        return StoreError(f"The search index in {path} is damaged; run `holdfast reindex`. All that is kept is safe.")
    if code == sqlite3.SQLITE_FULL:
        return _full(path)
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return StoreError(
            f"The store at {path} cannot be written (read-only, or not yours); nothing was changed. "
            "Make the folder and its files writable, or set HOLDFAST_HOME to another folder."
        )
    if code in CORRUPT:
        return StoreUnfit(
            f"The store at {path} is damaged; it was left as it is, and events wait in the spool. "
            "Run `holdfast restore FILE` with a backup; `holdfast doctor` names the newest."
        )
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreBusy(
            f"{_holder(path)} holds the store at {path}, so this was not written. "
            "Close that program; holdfast goes on by itself."
        )
    if code == sqlite3.SQLITE_IOERR:
        return StoreError(
            f"The disk refused to read or write the store at {path}; what was kept before is untouched. "
            "Check the disk (and whether it is full), then try again."
        )
    return None


def _holder(path: Path) -> str:
    """Who holds a lock on the file, as far as the system tells."""
    names = holders(path)
    return f"Another program ({', '.join(names)})" if names else "Another program"


def _full(path: Path) -> StoreFull:
    return StoreFull(
        f"The disk is full: this was not written to the store at {path}, and what was kept before is safe. "
        "Free some space; holdfast goes on by itself."
    )
