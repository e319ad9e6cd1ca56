"""Forgetting under the real client: the transcript still tells of it, and nothing of it comes back."""

from __future__ import annotations

import json
import sqlite3

import pytest

from tests.client.bed.api import Api
from tests.client.bed.claude import Claude
from tests.client.bed.script import Say, Use
from tests.client.held import install, settled
from tests.faults.test_forget import files_with, tool
from tests.support.daemon import DaemonHome, until

MARKER = "peppercornlighthouse"


@pytest.mark.requirement("MEM-11")
def test_a_forgotten_text_does_not_come_back_from_the_transcript(claude: Claude, api: Api, daemon: DaemonHome) -> None:
    install(claude, daemon)
    api.script(
        Use("Bash", {"command": f"echo {MARKER}", "description": "say it"}),
        Say(f"The word is {MARKER}, because you asked."),
        Say("Something else."),
    )
    first = claude.run(f"What is {MARKER}?")
    settled(daemon, first.session, "SessionEnd")
    assert tool(daemon, "search", query=MARKER, text=MARKER, project="all")
    receipt = tool(daemon, "forget", text=MARKER)
    assert receipt["counts"]["prompt"] == 1
    assert receipt["counts"]["observation"] == 1
    assert files_with(daemon.home.root, MARKER) == []
    assert MARKER in first.transcript.read_text()

    daemon.stop()
    # As if it had never been compared: recovery reads the whole transcript again.
    with sqlite3.connect(daemon.home.database) as database:
        database.execute("DELETE FROM transcript")
    database.close()
    daemon.start()
    until(lambda: daemon.status()["queue"]["jobs"] == 0, "recovery is done")
    again = claude.run("And now for something else.", resume=first.session)
    entries = settled(daemon, again.session, "SessionEnd")
    assert "something else" in json.dumps(entries)
    assert MARKER not in json.dumps(daemon.journal())
    assert tool(daemon, "search", query=MARKER, text=MARKER, project="all") == []
    assert files_with(daemon.home.root, MARKER) == []
    status, taken = daemon.request("POST", "/api/import/claude", json.dumps({"path": str(claude.config)}).encode())
    assert status == 200, taken
    until(lambda: not daemon.get("/api/import/claude")[1]["waiting"], "the transcripts are read")
    until(lambda: daemon.status()["queue"]["jobs"] == 0, "all jobs are done")
    assert files_with(daemon.home.root, MARKER) == []
