"""Outages under the real client: the daemon dead, slow, or killed in mid-session. Nothing is lost, nothing stops."""

from __future__ import annotations

import os
import signal
import threading
import time
from typing import Any

import pytest

from tests.client.bed.api import Api
from tests.client.bed.claude import Claude
from tests.client.bed.script import Say, Turn, Use
from tests.client.held import Entries, counts, install, of, settled
from tests.support.daemon import DaemonHome, until


def bash(command: str) -> Use:
    return Use("Bash", {"command": command, "description": "a scripted command"})


def story(entries: Entries) -> list[tuple[str, Any, Any]]:
    """What a journal tells, whichever way its entries came: prompts, tool uses, results, final messages.

    Tools of one batch run beside each other, so between the prompt and the final message the order is not told.
    """
    told = ("UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop")
    first, *middle, last = [
        (
            entry["event"],
            entry["payload"].get("prompt") or entry["payload"].get("last_assistant_message"),
            outcome(entry),
        )
        for entry in sorted(entries, key=lambda entry: entry["time"])
        if entry["event"] in told
    ]
    return [first, *sorted(middle, key=str), last]


def outcome(entry: dict[str, Any]) -> Any:
    payload = entry["payload"]
    response = payload.get("tool_response")
    return payload.get("error") or (response["stdout"] if response else payload.get("tool_input"))


@pytest.mark.requirement("EVT-8")
def test_what_a_dead_daemon_missed_is_read_from_the_transcript(claude: Claude, api: Api, daemon: DaemonHome) -> None:
    """One session with a living daemon, and the same with a dead one: the two journals tell the same."""
    install(claude, daemon)

    def script(gate: threading.Event | None) -> None:
        api.script(
            bash("echo one"),
            Turn([bash("echo two"), bash("exit 4")], hold=gate),
            Say("Two of three."),
        )

    script(None)
    whole = claude.run("Run the three.")
    full = settled(daemon, whole.session, "SessionEnd")
    assert {entry["source"] for entry in full} == {"http", "command"}

    gate = threading.Event()
    script(gate)
    running = claude.start("Run the three.")
    until(lambda: len(of(daemon.journal(), "PostToolUse")) == 3, "the first tool of the second session")
    daemon.home.stopped.touch()  # or a hook would bring it back
    daemon.stop()
    gate.set()
    missed = running.wait()
    assert missed.text == "Two of three."
    daemon.home.stopped.unlink()
    daemon.start()
    entries = settled(daemon, missed.session, "Stop")
    assert story(entries) == story(full)
    sources = {entry["event"]: entry["source"] for entry in entries}
    assert sources["Stop"] == "transcript"
    assert of(entries, "UserPromptSubmit")[0]["source"] == "command"
    assert [entry["source"] for entry in of(entries, "PreToolUse")] == ["http", "transcript", "transcript"]
    assert of(entries, "PostToolUseFailure")[0]["source"] == "transcript"
    assert len({entry["id"] for entry in entries}) == len(entries)


@pytest.mark.requirement("EVT-8")
def test_a_session_that_starts_without_a_daemon_brings_it_up(claude: Claude, api: Api, daemon: DaemonHome) -> None:
    install(claude, daemon)
    daemon.stop()
    api.script(bash("echo one"), Say("Done."))
    done = claude.run("Run it.")
    assert done.text == "Done."
    entries = settled(daemon, done.session, "SessionEnd")
    seen = counts(entries)
    assert (seen["SessionStart"], seen["UserPromptSubmit"], seen["PostToolUse"], seen["Stop"]) == (1, 1, 1, 1)


@pytest.mark.requirement("EVT-9")
def test_a_worker_killed_in_mid_session_is_a_wait_and_not_an_error(
    claude: Claude, api: Api, daemon: DaemonHome
) -> None:
    install(claude, daemon)
    gate = threading.Event()
    api.script(bash("echo one"), Turn([bash("echo two")], hold=gate), Say("Done."))
    running = claude.start("Run both.")
    until(lambda: of(daemon.journal(), "PostToolUse"), "the first tool")
    before = daemon.facts["worker_pid"]
    os.kill(before, signal.SIGKILL)
    time.sleep(0.1)  # the client notices that its kept connection is gone; the next worker is not there yet
    gate.set()
    done = running.wait()
    assert done.text == "Done."
    entries = settled(daemon, done.session, "SessionEnd")
    assert daemon.facts["worker_pid"] != before
    seen = counts(entries)
    assert (seen["PreToolUse"], seen["PostToolUse"], seen["Stop"]) == (2, 2, 1)
    assert {entry["source"] for entry in entries} == {"http", "command"}
    assert "ECONN" not in done.stdout + done.stderr


@pytest.mark.requirement("EVT-6")
def test_a_frozen_daemon_delays_but_never_stops_the_session(claude: Claude, api: Api, daemon: DaemonHome) -> None:
    install(claude, daemon)
    settings = claude.config / "settings.json"
    settings.write_text(
        settings.read_text().replace('"timeout": 10', '"timeout": 1').replace('"timeout": 5', '"timeout": 1')
    )
    gate = threading.Event()
    api.script(bash("echo one"), Turn([bash("echo two > made.txt")], hold=gate), Say("Done."))
    running = claude.start("Run both.")
    until(lambda: of(daemon.journal(), "PostToolUse"), "the first tool")
    worker = daemon.facts["worker_pid"]
    os.kill(worker, signal.SIGSTOP)
    try:
        gate.set()
        done = running.wait()
    finally:
        os.kill(worker, signal.SIGCONT)
    assert (done.code, done.text) == (0, "Done.")
    assert (claude.project / "made.txt").read_text() == "two\n"
    entries = settled(daemon, done.session, "Stop")
    assert counts(entries)["PostToolUse"] == 2
    uses = [(entry["event"], entry["tool_use_id"]) for entry in entries if entry["tool_use_id"]]
    assert len(set(uses)) == len(uses)
