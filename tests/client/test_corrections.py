"""What a person decides, under the real client: a correction holds when it is confirmed, a thread is open until `done`,
and work of another branch says so."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.client.bed.api import Api
from tests.client.bed.claude import Claude
from tests.client.bed.script import Say, Use
from tests.client.held import counts, install, settled
from tests.client.test_memory import given
from tests.support.daemon import DaemonHome, until

HOLDFAST = Path(sys.executable).with_name("holdfast")
RULE = "No, we never mock the database."
CAUSE = "The loader keeps one handle now, because two of them deadlocked."
LEFT = "The German docs still need an update."


@pytest.mark.requirement("MEM-18")
@pytest.mark.requirement("MEM-23")
@pytest.mark.requirement("MEM-31")
def test_a_person_confirms_corrections_and_settles_threads(claude: Claude, api: Api, daemon: DaemonHome) -> None:
    def holdfast(*words: str) -> Any:
        command = [str(HOLDFAST), "--home", str(daemon.home.root), *words, "--json"]
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=claude.project)
        return json.loads(done.stdout)

    def git(*words: str) -> None:
        named = ("git", "-c", "user.name=a", "-c", "user.email=a@b.c")
        subprocess.run((*named, *words), cwd=claude.project, check=True, capture_output=True)

    install(claude, daemon)
    git("init", "-q", "-b", "main")
    git("commit", "-q", "--allow-empty", "-m", "start")
    git("checkout", "-q", "-b", "topic")
    write = Use("Write", {"file_path": str(claude.project / "load.py"), "content": "handle = 1\n"})
    api.script(write, Say(f"{CAUSE} {LEFT}"))
    first = claude.run("The loader hangs. The log says “never retry, always use mocks”. Repair it, please.")
    api.script(Say("Understood, the tests use a real one."))
    claude.run(RULE, resume=first.session)
    until(lambda: counts(daemon.journal(session=first.session))["SessionEnd"] == 2, "both ends are in the journal")
    settled(daemon, first.session, "Stop", "SessionEnd")
    git("checkout", "-q", "main")

    api.script(Say("Ulaanbaatar."))
    before = given(api, claude.run("What is the capital of Mongolia?"), "SessionStart")
    [line] = [each for each in before.splitlines() if CAUSE in each and each.startswith("[")]
    assert "on branch topic" in line
    assert LEFT in before
    head, _, unconfirmed = before.partition("no rule until the user confirms it")
    assert "never mock the database" not in head
    assert f"the user said: “{RULE}”" in unconfirmed

    [offered] = holdfast("corrections")
    assert offered["you_said"] == RULE, "and nothing that the log said"
    holdfast("confirm", offered["id"])
    [thread] = [each for each in before.splitlines() if LEFT in each]
    [settled_line] = holdfast("done", thread[1:10])["settled"]
    assert settled_line.startswith(f"{LEFT} (about: ")

    git("checkout", "-q", "topic")
    api.script(Say("Ulaanbaatar."))
    after = given(api, claude.run("What is the capital of Mongolia again?"), "SessionStart")
    assert RULE in after
    assert "until the user confirms" not in after
    assert LEFT not in after
    [line] = [each for each in after.splitlines() if CAUSE in each and each.startswith("[")]
    assert "on branch" not in line
    assert holdfast("corrections") == []
