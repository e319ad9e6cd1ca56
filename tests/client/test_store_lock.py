"""A session of the real client while another program holds the store: it does not notice (EVT-14)."""

from __future__ import annotations

import time

import pytest

from holdfast.store import sqlite_url
from tests.client.bed.api import Api
from tests.client.bed.claude import Claude
from tests.client.bed.script import Say, Use
from tests.client.held import install, of, settled
from tests.support.daemon import DaemonHome, until
from tests.support.locks import locked

CALLS = 50
LONGER = 3.0


def session(claude: Claude, api: Api) -> tuple[str, float]:
    steps = [Use("Bash", {"command": f"echo {n}", "description": "a scripted command"}) for n in range(CALLS)]
    api.script(*steps, Say("All of them."))
    began = time.monotonic()
    done = claude.run("Run them all.", timeout=300)
    assert done.text == "All of them."
    assert not [line for line in done.lines if line.get("outcome") == "error"]
    return done.session, time.monotonic() - began


@pytest.mark.requirement("EVT-14")
def test_a_session_under_a_lock_lasts_as_long_as_without(claude: Claude, api: Api, daemon: DaemonHome) -> None:
    install(claude, daemon)
    _, free = session(claude, api)
    with locked(sqlite_url(daemon.home.database)):
        name, held = session(claude, api)
    # On a busy machine two runs differ by themselves; waiting for SQLite would take five seconds per event.
    assert held - free < LONGER + free, (free, held)
    until(lambda: not list(daemon.home.spool.glob("*.json")), "the spool is drained")
    entries = settled(daemon, name, "SessionEnd")
    for event in ("PreToolUse", "PostToolUse"):
        uses = [entry["tool_use_id"] for entry in of(entries, event)]
        assert (len(uses), len(set(uses))) == (CALLS, CALLS)
    assert [entry["event"] for entry in entries][:2] == ["SessionStart", "UserPromptSubmit"]
