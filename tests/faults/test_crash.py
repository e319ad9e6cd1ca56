"""Crashes: kill -9 of the worker, of the supervisor, of both. What was acknowledged is there, exactly once."""

from __future__ import annotations

import os
import signal
import sqlite3
import threading
from collections import Counter

import pytest

from tests.faults.burst import Burst, send
from tests.support.daemon import DaemonHome, is_fine, until
from tests.support.patience import PATIENCE
from tests.support.payloads import load


def tool_uses(daemon: DaemonHome) -> Counter[str]:
    """How often each tool use is in the database file."""
    with sqlite3.connect(f"file:{daemon.home.database}?mode=ro", uri=True) as database:
        rows = database.execute("SELECT tool_use_id FROM journal WHERE event = 'PostToolUse'").fetchall()
    return Counter(row[0] for row in rows)


@pytest.mark.requirement("EVT-7")
@pytest.mark.requirement("EVT-9")
def test_a_worker_killed_again_and_again_during_a_burst_loses_nothing(daemon: DaemonHome) -> None:
    burst = Burst()
    sender = threading.Thread(target=send, args=(daemon, 5_000, 20, burst))
    sender.start()
    killed: set[int] = set()
    for share in (500, 1_500, 3_000):
        until(lambda share=share: len(burst.acknowledged) >= share, "progress of the burst")  # type: ignore[misc]
        until(lambda: daemon.facts["worker_pid"] not in killed | {None}, "the next worker")
        killed.add(daemon.facts["worker_pid"])
        os.kill(daemon.facts["worker_pid"], signal.SIGKILL)
    sender.join(PATIENCE)
    assert len(burst.acknowledged) == 5_000
    assert burst.faults["ConnectionRefusedError"] == 0
    assert {name for name in burst.faults if name.isdigit()} == {"200"}
    assert tool_uses(daemon) == dict.fromkeys(burst.acknowledged, 1)


@pytest.mark.requirement("EVT-8")
def test_the_next_command_hook_brings_everything_back(daemon: DaemonHome) -> None:
    before = daemon.facts
    daemon.kill()
    done = daemon.hook(load("SessionStart-startup"))
    assert is_fine(done)
    assert done.stderr == b""
    assert daemon.facts["port"] == before["port"]
    assert [entry["source"] for entry in daemon.journal(event="SessionStart")] == ["command"]


@pytest.mark.requirement("OPS-5")
def test_two_daemons_at_once_are_one(daemon: DaemonHome) -> None:
    before = daemon.facts
    second = daemon.launch()
    assert second.wait(PATIENCE) is not None
    assert daemon.facts == before
    assert daemon.answers()


@pytest.mark.requirement("OPS-5")
def test_a_daemon_whose_home_is_deleted_goes_away(daemon: DaemonHome) -> None:
    supervisor = daemon.facts["pid"]
    daemon.home.lock.unlink()

    def gone() -> bool:
        try:
            os.kill(supervisor, 0)
        except ProcessLookupError:
            return True
        return daemon.reap()

    until(gone, "the supervisor ended")
    assert not daemon.home.socket.exists()
