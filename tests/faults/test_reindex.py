"""A daemon that is killed again and again while it reads an old journal makes of every entry one item, and goes on
where it was."""

from __future__ import annotations

import asyncio
import getpass
import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest

from holdfast.store import sqlite_url
from tests.support.daemon import DaemonHome, until
from tests.support.early_store import make_early

TURNS = 400
AT = 1_790_000_000_000_000


def old_work() -> Iterator[tuple[int, dict[str, Any]]]:
    """Turns of one prompt and two tool uses each, in conversations of ten."""
    for number in range(TURNS):
        at = AT + number * 1_000_000
        common = {"session_id": f"c{number // 10}", "cwd": "/p", "prompt_id": f"prompt-{number}"}
        yield at, common | {"hook_event_name": "UserPromptSubmit", "prompt": f"Repair pump number {number}, please."}
        for use in (1, 2):
            named = {"tool_name": "Bash", "tool_use_id": f"toolu_{number}_{use}"}
            ran = {"tool_input": {"command": f"echo {number}"}, "tool_response": {"stdout": "x" * 200, "stderr": ""}}
            yield at + use, common | {"hook_event_name": "PostToolUse"} | named | ran
        yield at + 3, common | {"hook_event_name": "Stop", "last_assistant_message": f"Pump {number} is repaired."}


def rows(daemon: DaemonHome, table: str) -> int:
    with sqlite3.connect(f"file:{daemon.home.database}?mode=ro", uri=True) as database:
        return int(database.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0])


def progress(daemon: DaemonHome) -> dict[str, Any]:
    return dict(daemon.get("/api/reindex")[1])


@pytest.mark.requirement("STO-5")
@pytest.mark.requirement("EVT-7")
def test_killed_while_it_reads_the_journal_it_goes_on_and_doubles_nothing(home: DaemonHome) -> None:
    url = sqlite_url(home.home.database)
    entries = asyncio.run(make_early(url, home.home.backups, old_work(), getpass.getuser()))
    assert entries == 4 * TURNS
    reached = [0]
    for _ in range(3):
        home.start()
        until(lambda: progress(home)["read"] > reached[-1], "it goes on")
        reached.append(progress(home)["read"])
        home.kill()
    assert reached == sorted(set(reached))
    home.start()
    at_start = progress(home)["read"]
    until(lambda: progress(home)["phase"] == "done", "the journal is read")
    assert at_start >= reached[-1], "it went on where it was"
    assert progress(home)["read"] == entries
    assert (rows(home, "prompt"), rows(home, "observation")) == (TURNS, 2 * TURNS)
    until(lambda: rows(home, "summary") >= TURNS + TURNS // 10, "summaries follow")
    with sqlite3.connect(f"file:{home.home.database}?mode=ro", uri=True) as database:
        numbers = database.execute("SELECT MAX(number), COUNT(DISTINCT number) FROM prompt GROUP BY conversation")
        assert set(numbers) == {(10, 10)}
