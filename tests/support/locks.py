"""A lock that another program holds on the store, until it is let go of."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from holdfast.store import sqlite_path

_SQLITE = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], timeout=30, isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
connection.execute("ROLLBACK")
"""
_POSTGRESQL = """
import psycopg, sys
with psycopg.connect(sys.argv[1]) as connection:
    connection.execute("LOCK TABLE holdfast.journal IN ACCESS EXCLUSIVE MODE")
    print("held", flush=True)
    sys.stdin.read()
    connection.rollback()
"""


@contextmanager
def locked(url: str) -> Iterator[subprocess.Popen[str]]:
    """The store at `url` is locked by another process: SQLite's write lock, or a lock on PostgreSQL's journal."""
    is_sqlite = url.startswith("sqlite:")
    script, where = (_SQLITE, str(sqlite_path(url))) if is_sqlite else (_POSTGRESQL, url)
    holder = subprocess.Popen(
        [sys.executable, "-c", script, where], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        yield holder
    finally:
        assert holder.stdin is not None
        holder.stdin.close()
        holder.wait(10)
