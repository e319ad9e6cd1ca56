"""Folds the write-ahead log into the database beside the writer, so that no commit has to wait for it.

Left to itself, SQLite does this inside a commit, which then takes milliseconds instead of a tenth of one. Folding
waits for the disk three times, and the commit after it once more. So it waits for a lull: between the calls of a turn
it would take time from the client.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress

PAUSE_SECONDS = 0.25
"""Without a commit for so long there is a lull. It is looked for as often."""
LONGEST_SECONDS = 2.0
"""However busy it is. What was not folded yet is lost if the machine loses its power (not if the daemon dies)."""
MANY = 64
"""So many commits wait for no lull, or SQLite would fold the log inside a commit."""


class Checkpointer:
    """A thread with its own connection. It sleeps while nothing is written."""

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        self._connect = connect
        self._written = threading.Event()
        self._ending = threading.Event()
        self._commits = 0
        self._last = 0.0
        self._thread = threading.Thread(target=self._live, name="holdfast-checkpoint", daemon=True)
        self._thread.start()

    def written(self) -> None:
        """There is something to fold."""
        self._commits += 1
        self._last = time.monotonic()
        if not self._written.is_set():
            self._written.set()

    def close(self) -> None:
        self._ending.set()
        self._written.set()
        self._thread.join()

    def _live(self) -> None:
        with suppress(sqlite3.Error), closing(self._connect()) as connection:
            while self._written.wait() and self._waits_for_lull():
                self._written.clear()
                self._commits = 0
                if self._ending.is_set():  # `close` came between: what it set was cleared here
                    return
                # PASSIVE never waits for a reader or the writer, and never makes them wait.
                with suppress(sqlite3.Error):
                    connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def _waits_for_lull(self) -> bool:
        """False: the store is being closed."""
        latest = time.monotonic() + LONGEST_SECONDS
        while not self._ending.wait(PAUSE_SECONDS):
            now = time.monotonic()
            if now - self._last >= PAUSE_SECONDS or now >= latest or self._commits >= MANY:
                return True
        return False
