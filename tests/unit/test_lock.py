"""The lock: one holder, and whoever only looks at it is not in the way."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

import pytest

from holdfast import lock


@pytest.mark.requirement("OPS-5")
def test_a_look_at_the_lock_does_not_keep_a_daemon_from_taking_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "lock"
    looker = os.open(path, os.O_RDWR | os.O_CREAT)
    fcntl.flock(looker, fcntl.LOCK_SH)
    monkeypatch.setattr("time.sleep", lambda _: fcntl.flock(looker, fcntl.LOCK_UN))
    taken = lock.take(path)
    assert taken is not None
    assert lock.holder(path) == {"pid": os.getpid()}
    os.close(taken)
    os.close(looker)


@pytest.mark.requirement("OPS-5")
def test_a_lock_that_is_held_is_not_given_twice(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    taken = lock.take(path)
    assert taken is not None
    assert lock.take(path) is None
    os.close(taken)
    assert lock.holder(path) is None


@pytest.mark.requirement("OPS-5")
def test_whoever_reads_while_it_is_signed_again_finds_facts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "lock"
    taken = lock.take(path)
    assert taken is not None
    seen: list[object] = []

    def looked(name: str) -> None:
        real = getattr(os, name)

        def call(*given: object) -> object:
            seen.append(lock.holder(path))
            done = real(*given)
            seen.append(lock.holder(path))
            return done

        monkeypatch.setattr(os, name, call)

    looked("pwrite")
    looked("ftruncate")
    for facts in ({"pid": 1, "port": 4711, "version": "a long one"}, {"pid": 2, "port": 1}):
        lock.sign(taken, facts)
    monkeypatch.undo()
    os.close(taken)
    assert {} not in seen
    assert {"pid": 1, "port": 4711, "version": "a long one"} in seen
    assert seen[-1] == {"pid": 2, "port": 1}
