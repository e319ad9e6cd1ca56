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
