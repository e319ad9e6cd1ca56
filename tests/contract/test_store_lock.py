"""Another program holds the store: the daemon goes on answering, says who it is, and loses nothing (EVT-14)."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from holdfast.store import sqlite_url
from tests.contract import postgres
from tests.support.daemon import DaemonHome, until
from tests.support.locks import locked
from tests.support.payloads import load

BASH = load("PostToolUse-Bash")
CALLS = 30


def uses(home: DaemonHome) -> list[str]:
    return [str(entry["tool_use_id"]) for entry in home.journal(event="PostToolUse")]


def told(home: DaemonHome, *words: str) -> str:
    command = [sys.executable, "-m", "holdfast.doors.cli", "--home", str(home.home.root), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=home.environment, timeout=60)
    return " ".join(done.stdout.split())  # lines are wrapped


def send_under_lock(home: DaemonHome, url: str) -> subprocess.Popen[str]:
    """Calls while the store is locked, then what is said about it; the process that held the lock."""
    with locked(url) as holder:
        slowest = 0.0
        for number in range(CALLS):
            began = time.monotonic()
            assert home.post("PostToolUse", BASH | {"tool_use_id": f"locked-{number:02}"}) == (200, {})
            slowest = max(slowest, time.monotonic() - began)
        assert slowest < 4, "longer than SQLite itself would wait"
        trouble = home.status()["store"]["trouble"]
        assert trouble
        assert "Events wait in the spool" in told(home, "status")
        assert "The store takes no events at present" in told(home, "doctor")
        assert len(list(home.home.spool.glob("*.json"))) == CALLS
        until(lambda: "Another program" in home.status()["store"]["trouble"], "the cause is named", 30)
        if url.startswith("sqlite:"):
            assert f"pid {holder.pid}" in home.status()["store"]["trouble"]
    return holder


def is_whole_again(home: DaemonHome, before: list[str]) -> None:
    until(lambda: not list(home.home.spool.glob("*.json")), "the spool is drained", 60)
    until(lambda: home.status()["store"]["trouble"] is None, "the gate is open", 30)
    assert uses(home) == [*before, *(f"locked-{number:02}" for number in range(CALLS))]
    assert home.post("PostToolUse", BASH | {"tool_use_id": "after"}) == (200, {})
    assert uses(home)[-1] == "after"


@pytest.mark.requirement("EVT-14")
def test_a_write_lock_on_the_file_delays_one_event_and_loses_none(home: DaemonHome) -> None:
    home.start()
    assert home.post("PostToolUse", BASH | {"tool_use_id": "before"}) == (200, {})
    send_under_lock(home, sqlite_url(home.home.database))
    is_whole_again(home, ["before"])


@pytest.mark.requirement("EVT-14")
def test_a_locked_table_on_postgresql_delays_one_event_and_loses_none(
    home: DaemonHome, postgres_server: postgres.Server
) -> None:
    with postgres_server.database() as url:
        home.start(HOLDFAST_STORE=url)
        try:
            assert home.post("PostToolUse", BASH | {"tool_use_id": "before"}) == (200, {})
            send_under_lock(home, url)
            is_whole_again(home, ["before"])
        finally:
            home.stop()


@pytest.mark.requirement("EVT-14")
def test_a_daemon_that_starts_while_the_store_is_locked_answers_and_waits(home: DaemonHome) -> None:
    home.start()
    home.stop()
    with locked(sqlite_url(home.home.database)):
        home.launch()
        until(home.home.socket.exists, "the socket", 20)
        began = time.monotonic()
        assert home.hook(BASH | {"tool_use_id": "first"}).stdout == b"{}"
        assert time.monotonic() - began < 15
        until(lambda: list(home.home.spool.glob("*.json")), "the event is in the spool", 20)
    until(home.answers, "the daemon answers", 60)
    until(lambda: uses(home) == ["first"], "the event is in the journal", 30)
