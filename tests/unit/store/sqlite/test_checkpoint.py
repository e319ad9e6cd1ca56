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


class Clock:
    """A clock that goes on by the time that somebody waits; at each look another commit may have come."""

    def __init__(self, made: Checkpointer, commits: list[int], ends: bool) -> None:
        self.now, self._made, self._commits, self._ends = 100.0, made, commits, ends

    def monotonic(self) -> float:
        return self.now

    def wait(self, seconds: float) -> bool:
        if not self._commits:
            return self._ends
        self.now += seconds
        for _ in range(self._commits.pop(0)):
            self._made.written()
        return False


@pytest.mark.requirement("PRF-1")
@pytest.mark.parametrize(
    ("commits", "looks", "folds"),
    [
        ([0], 1, True),  # a lull at once
        ([1, 1, 1, 0, 1], 4, True),  # a turn, then a lull
        ([1] * 100, 8, True),  # no lull: two seconds at most
        ([30, 30, 30, 30], 3, True),  # many at once
        ([1, 1], 2, False),  # the store is closed meanwhile
    ],
)
def test_the_log_is_folded_in_a_lull(
    monkeypatch: pytest.MonkeyPatch, commits: list[int], looks: int, folds: bool
) -> None:
    made = Checkpointer(lambda: sqlite3.connect(":memory:", check_same_thread=False))
    made.close()
    left = list(commits)
    clock = Clock(made, left, ends=not folds)
    monkeypatch.setattr(checkpoint, "time", clock)
    monkeypatch.setattr(made, "_ending", clock)
    monkeypatch.setattr(made, "_commits", 1)
    monkeypatch.setattr(made, "_last", clock.now)
    assert made._waits_for_lull() is folds
    assert len(commits) - len(left) == looks
