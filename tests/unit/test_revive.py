"""When a daemon that is gone may be brought back, and when not (EVT-15)."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from holdfast import alone, lock, revive, spool
from holdfast.paths import Home


@pytest.mark.requirement("EVT-8")
@pytest.mark.parametrize(("age", "may"), [(1, False), (3600, True), (-3600, True)])
def test_a_failure_counts_as_late_only_for_a_while_also_when_the_clock_was_set_back(
    tmp_path: Path, age: int, may: bool
) -> None:
    home = Home(tmp_path)
    home.prepare()
    note = home.logs / "last-error"
    note.write_text("reason")
    os.utime(note, (time.time() - age,) * 2)
    assert revive.may_start(str(tmp_path), time.time()) is may


@pytest.mark.requirement("EVT-15")
def test_a_daemon_that_was_stopped_is_not_brought_back(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.prepare()
    assert revive.may_start(str(tmp_path), time.time())
    home.stopped.touch()
    assert not revive.may_start(str(tmp_path), time.time())


@pytest.mark.requirement("EVT-15")
def test_only_a_lock_that_is_held_counts(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.prepare()
    assert not revive.is_held(str(tmp_path))
    descriptor = lock.take(home.lock)
    assert descriptor is not None
    assert revive.is_held(str(tmp_path))
    os.close(descriptor)
    assert not revive.is_held(str(tmp_path))
    again = lock.take(home.lock)
    assert again is not None, "the look itself holds nothing: the daemon that is started next takes the lock"
    os.close(again)


@pytest.mark.requirement("EVT-8")
def test_where_no_process_can_be_started_the_event_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fork() -> int:
        raise BlockingIOError("too many processes")

    monkeypatch.setattr(revive, "fork", fork)
    home = Home(tmp_path)
    home.prepare()
    assert revive.start_missing(str(tmp_path), time.time()) == 0
    began = time.monotonic()
    assert alone.deliver(str(tmp_path), b"Stop", b"an-id", b'{"session_id": "s-1"}', began) == (200, b"{}")
    assert len(list(spool.waiting(home.spool))) == 1


@pytest.mark.requirement("PRF-4")
def test_a_missing_daemon_is_started_before_anything_else_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[str] = []

    def start(home: str) -> int:
        started.append(home)
        return 7

    monkeypatch.setattr(revive, "start", start)
    home = Home(tmp_path / "new")
    assert revive.start_missing(str(home.root), time.time()) == 7
    home.prepare()
    descriptor = lock.take(home.lock)
    assert revive.start_missing(str(home.root), time.time()) == 0
    os.close(descriptor or 0)
    home.stopped.touch()
    assert revive.start_missing(str(home.root), time.time()) == 0
    assert started == [str(home.root)]
