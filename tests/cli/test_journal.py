"""journal: filters, one line each, JSON Lines, and following."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time

import pytest

from holdfast.doors.cli.verbs.journal import about_of, line_of
from tests.support.daemon import until
from tests.support.patience import PATIENCE
from tests.support.shell import Shell

NAMES = {"id", "event", "session_id", "agent_id", "time", "source", "payload"}


def fill(shell: Shell) -> None:
    shell.daemon.post("UserPromptSubmit", {"session_id": "one", "prompt": "mend the roof", "prompt_id": "p1"})
    shell.daemon.post(
        "PreToolUse",
        {"session_id": "one", "tool_name": "Bash", "tool_use_id": "t1", "tool_input": {"command": "git status"}},
    )
    shell.daemon.hook({"hook_event_name": "SessionStart", "session_id": "two", "source": "startup"})


def lines(shell: Shell, *words: str) -> list[dict[str, object]]:
    done = shell.run("journal", "--json", *words)
    assert done.returncode == (0 if done.stdout else 1), done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.requirement("OPS-9")
def test_json_lines_have_the_promised_names(running: Shell) -> None:
    fill(running)
    found = lines(running)
    assert [entry["event"] for entry in found] == ["UserPromptSubmit", "PreToolUse", "SessionStart"]
    assert all(set(entry) >= NAMES for entry in found)
    assert [entry["source"] for entry in found] == ["http", "http", "command"]


FILTERS: tuple[tuple[tuple[str, ...], list[str]], ...] = (
    (("--session", "one"), ["UserPromptSubmit", "PreToolUse"]),
    (("--session", "on"), ["UserPromptSubmit", "PreToolUse"]),  # a line has the beginning of the id alone
    (("--session", "none"), []),
    (("--event", "SessionStart"), ["SessionStart"]),
    (("--limit", "2"), ["PreToolUse", "SessionStart"]),
    (("--since", "10m"), ["UserPromptSubmit", "PreToolUse", "SessionStart"]),
    (("--since", "0s"), []),
    (("--since", "2020-01-01", "--session", "two"), ["SessionStart"]),
)


def test_filters(running: Shell) -> None:
    fill(running)
    time.sleep(0.01)  # `0s` ago is now: what was kept before is not of it
    for words, events in FILTERS:
        assert [entry["event"] for entry in lines(running, *words)] == events, words


def test_a_line_for_people(running: Shell) -> None:
    fill(running)
    secret = "ghp_" + "x7Kd93mQpLzR4tVw" * 2 + "aB3d"
    running.daemon.post("Notification", {"session_id": "a-long-session-id", "message": f"see {secret}"})
    shown = running.ok("journal").splitlines()
    assert len(shown) == 4
    assert "mend the roof" in shown[0]
    assert "Bash: git status" in shown[1]
    assert shown[2].split()[1:] == ["SessionStart", "startup", "two", "command"]
    assert "see [scrubbed:github-token]" in shown[3]
    assert shown[3].split()[-3:] == ["scrubbed:github-token", "a-long-s", "http"]


def entry(**changes: object) -> dict[str, object]:
    return {
        "id": "i",
        "event": "Notification",
        "session_id": "s",
        "time": 0,
        "source": "http",
        "scrubbed": [],
        "tool_name": None,
        "payload": {},
    } | changes


@pytest.mark.parametrize(
    ("changes", "about"),
    [
        ({"payload": {"message": "\x1b[2J gone"}}, "\\x1b[2J gone"),
        ({"tool_name": "Read", "payload": {"tool_input": {"file_path": "/a"}}}, "Read: /a"),
        ({"tool_name": "Odd", "payload": {"tool_input": [1]}}, "Odd"),
        ({"payload": None}, ""),
    ],
)
def test_what_an_entry_was_about(changes: dict[str, object], about: str) -> None:
    assert about_of(entry(**changes)) == about


def test_a_line_fits_the_terminal() -> None:
    assert len(line_of(entry(payload={"message": "word " * 100}), 0, 100)) <= 100


def read_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()


@pytest.mark.requirement("OPS-9")
def test_following_shows_what_arrives_once_and_ends_with_ctrl_c(running: Shell) -> None:
    fill(running)
    process = running.begin("journal", "-f", "--json", "--limit", "1")
    try:
        assert json.loads(read_line(process))["event"] == "SessionStart"
        for number in range(3):
            running.daemon.post("Notification", {"session_id": "s", "message": f"m{number}"})
            assert json.loads(read_line(process))["payload"]["message"] == f"m{number}"
        running.ok("restart")
        running.daemon.hook({"hook_event_name": "Stop", "session_id": "s"})
        assert json.loads(read_line(process))["event"] == "Stop"
    finally:
        process.send_signal(signal.SIGINT)
        rest, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert rest == ""
    assert json.loads(said) == {"error": "Interrupted.", "exit_code": 130}


def test_following_shows_an_event_whose_id_is_older(running: Shell) -> None:
    """The command client numbers an event before it is delivered."""
    running.daemon.post("Notification", {"session_id": "s", "message": "first"})
    process = running.begin("journal", "-f", "--json")
    try:
        assert json.loads(read_line(process))["payload"]["message"] == "first"
        earlier = f"{time.time_ns() // 1_000_000 - 2_000:012x}"
        running.daemon.post("Notification", {"session_id": "s", "message": "newer"})
        assert json.loads(read_line(process))["payload"]["message"] == "newer"
        identity = f"{earlier[:8]}-{earlier[8:]}-7000-8000-{os.urandom(6).hex()}"
        running.daemon.post("Notification", {"session_id": "s", "message": "older"}, {"X-Holdfast-Id": identity})
        assert json.loads(read_line(process))["payload"]["message"] == "older"
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)


def test_following_waits_for_a_daemon_that_went_away(running: Shell) -> None:
    process = running.begin("journal", "-f", "--json")
    try:
        running.daemon.post("Notification", {"session_id": "s", "message": "before"})
        assert json.loads(read_line(process))["payload"]["message"] == "before"
        running.ok("stop")
        assert process.stderr is not None
        assert "Waiting for it" in process.stderr.readline()
        running.ok("start")
        until(running.daemon.answers, "the daemon answers again")
        running.daemon.post("Notification", {"session_id": "s", "message": "after"})
        assert json.loads(read_line(process))["payload"]["message"] == "after"
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
