"""Folds the write-ahead log into the database beside the writer, so that no commit has to wait for it.

Left to itself, SQLite does this inside a commit, which then takes milliseconds instead of a tenth of one.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing, suppress

PAUSE_SECONDS = 0.25


class Checkpointer:
    """A thread with its own connection. It sleeps while nothing is written."""

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        self._connect = connect
        self._written = threading.Event()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._live, name="holdfast-checkpoint", daemon=True)
        self._thread.start()

    def written(self) -> None:
        """There is something to fold."""
        if not self._written.is_set():
            self._written.set()

    def close(self) -> None:
        self._ending.set()
        self._written.set()
        self._thread.join()

    def _live(self) -> None:
        with suppress(sqlite3.Error), closing(self._connect()) as connection:
            while self._written.wait() and not self._ending.wait(PAUSE_SECONDS):
                self._written.clear()
                if self._ending.is_set():  # `close` came between: what it set was cleared here
                    return
                # PASSIVE never waits for a reader or the writer, and never makes them wait.
                with suppress(sqlite3.Error):
                    connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
