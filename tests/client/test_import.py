"""Taking over what the real client has recorded: found by search, and recalled in a later session."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.client.bed.api import Api
from tests.client.bed.claude import Claude
from tests.client.bed.script import Say, Turn, Use
from tests.client.held import install, of, settled
from tests.faults.test_forget import tool
from tests.support.daemon import DaemonHome, until
from tests.support.patience import PATIENCE


def holdfast(daemon: DaemonHome, *words: str) -> Any:
    """One call of the command line; what it printed as JSON."""
    done = subprocess.run(
        [sys.executable, "-m", "holdfast.doors.cli", *words, "--json"],
        env=daemon.environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.requirement("MEM-13")
def test_recorded_sessions_are_taken_over_and_recalled(claude: Claude, api: Api, daemon: DaemonHome) -> None:
    api.script(
        Turn([Use("Bash", {"command": "echo the gasket is purple", "description": "look"})]),
        Use("Write", {"file_path": str(claude.project / "gasket.py"), "content": "COLOUR = 'purple'\n"}),
        Say("The gasket must be purple because the flange corrodes otherwise."),
    )
    before = claude.run("Find out which colour the gasket of the flange has, and write it down.")
    taken = holdfast(daemon, "import", "claude", str(claude.config))
    assert taken["transcripts"] == 1
    assert taken["events"] >= 6
    until(lambda: daemon.status()["queue"]["jobs"] == 0, "the summaries are made")
    entries = daemon.journal(session=before.session)
    assert {entry["source"] for entry in entries} == {"import"}
    assert len(of(entries, "PostToolUse")) == 2
    found = tool(daemon, "search", query="gasket colour flange", project="all")
    assert [line["kind"] for line in found] == ["summary"], "one row for one work"
    for kind in ("prompt", "edit"):
        assert tool(daemon, "search", query="gasket colour flange", project="all", kind=kind)

    assert holdfast(daemon, "import", "claude", str(claude.config))["events"] == 0
    assert len(daemon.journal(session=before.session)) == len(entries)

    install(claude, daemon)
    api.script(Say("Purple."))
    later = claude.run("Which colour must the gasket of the flange have?")
    settled(daemon, later.session, "SessionEnd")
    assert api.reached("corrodes otherwise")


@pytest.mark.requirement("MEM-13")
def test_a_session_that_hooks_have_told_is_not_taken_twice(claude: Claude, api: Api, daemon: DaemonHome) -> None:
    install(claude, daemon)
    asked = {"description": "count", "prompt": "Count the beans.", "subagent_type": "general-purpose"}
    inner = Use("Bash", {"command": "echo seven", "description": "count"})
    api.script(Use("Agent", asked | {"run_in_background": False}), Say("Done."))
    api.agent("Count the beans", inner, Say("Seven."))
    done = claude.run("Have them counted.")
    entries = settled(daemon, done.session, "SubagentStop", "SessionEnd")
    taken = holdfast(daemon, "import", "claude", str(claude.config))
    assert taken["transcripts"] >= 2  # the subagent's own, too
    assert taken["events"] == 0
    assert len(daemon.journal(session=done.session)) == len(entries)
