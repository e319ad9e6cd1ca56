"""A daemon that is gone comes back by itself, and one that was stopped does not (EVT-15)."""

from __future__ import annotations

import threading

import pytest

from holdfast import lock
from tests.client.bed.api import Api
from tests.client.bed.claude import Claude, Result
from tests.client.bed.script import Say, Turn, Use
from tests.client.bed.tui import Tui
from tests.client.held import counts, install, of, settled
from tests.support.daemon import DaemonHome, until

CALLS = 100
MOST_ERRORS = 1
"""EVT-15 allows six. Only a request that was just being answered cannot wait in a backlog."""
MODEL_SECONDS = 0.5


def bash(command: str) -> Use:
    return Use("Bash", {"command": command, "description": "a scripted command"})


def errors(done: Result) -> list[str]:
    """What the user would see: one line per hook that failed."""
    return [str(line["hook_event"]) for line in done.lines if line.get("outcome") == "error"]


@pytest.mark.requirement("EVT-15")
def test_a_daemon_killed_in_a_long_turn_is_back_within_it(claude: Claude, api: Api, daemon: DaemonHome) -> None:
    install(claude, daemon)
    gate = threading.Event()
    steps = [bash(f"echo {number}") for number in range(CALLS)]
    # No model answers at once: ten answers after the crash take as long as the quickest would.
    paced = [Turn([step], delay=MODEL_SECONDS) for step in steps[4:14]]
    api.script(*steps[:3], Turn([steps[3]], hold=gate), *paced, *steps[14:], Say("All of them."))
    running = claude.start("Run them all.")
    until(lambda: len(of(daemon.journal(), "PostToolUse")) == 3, "the first tools")
    until(daemon.guarded, "it has a guardian")
    before = daemon.facts
    daemon.kill_both()
    gate.set()
    done = running.wait(300)
    assert done.text == "All of them."
    assert len(errors(done)) <= MOST_ERRORS, errors(done)
    assert daemon.facts["pid"] == before["guardian_pid"]
    until(daemon.answers, "the daemon answers")
    entries = settled(daemon, done.session, "SessionEnd", seconds=60)
    uses = [entry["tool_use_id"] for entry in of(entries, "PostToolUse")]
    assert sorted(uses) == sorted(api.id_of(step) for step in steps)


@pytest.mark.requirement("EVT-15")
def test_a_dead_daemon_is_back_at_the_next_prompt_of_an_open_session(
    tui: Tui, claude: Claude, api: Api, daemon: DaemonHome
) -> None:
    install(claude, daemon)
    api.script(Say("One."), Say("Two."))
    tui.start()
    tui.ask("First.")
    until(lambda: of(daemon.journal(), "Stop"), "the first turn")
    daemon.kill()
    tui.ask("Second.")
    until(daemon.answers, "the daemon answers")
    until(lambda: len(of(daemon.journal(), "UserPromptSubmit")) == 2, "the second prompt")
    assert "ECONNREFUSED" not in tui.screen()


@pytest.mark.requirement("EVT-15")
def test_a_daemon_that_was_stopped_stays_away_and_nothing_is_lost(claude: Claude, api: Api, daemon: DaemonHome) -> None:
    install(claude, daemon)
    daemon.home.stopped.touch()
    daemon.stop()
    api.script(bash("echo one"), Say("Done."))
    done = claude.run("Run it.")
    assert done.text == "Done."
    assert lock.holder(daemon.home.lock) is None
    assert len(list(daemon.home.spool.glob("*.json"))) == 2, "the start and the prompt wait in the spool"
    daemon.home.stopped.unlink()
    daemon.start()
    seen = counts(settled(daemon, done.session, "SessionStart", "UserPromptSubmit", "Stop"))
    assert (seen["PreToolUse"], seen["PostToolUse"]) == (1, 1)
