"""The thread that folds the log ends when it is told to, whatever it is doing then."""

from __future__ import annotations

import sqlite3
import threading

import pytest

from holdfast.store.sqlite import checkpoint
from holdfast.store.sqlite.checkpoint import Checkpointer
from tests.support.patience import PATIENCE


class ClosedMeanwhile(threading.Event):
    """Somebody closes between the pause and the moment in which the thread clears what was written."""

    ending: threading.Event

    def clear(self) -> None:
        self.ending.set()
        self.set()
        super().clear()


@pytest.mark.requirement("OPS-4")
def test_closing_in_any_moment_ends_the_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "PAUSE_SECONDS", 0.001)
    made = Checkpointer(lambda: sqlite3.connect(":memory:", check_same_thread=False))
    waited = made._written
    made._written = written = ClosedMeanwhile()
    written.ending = made._ending
    written.set()
    waited.set()  # the thread waits for the one that it began with
    made._thread.join(PATIENCE)
    assert not made._thread.is_alive()
