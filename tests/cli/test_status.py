"""status: the names scripts rely on, and the page people read."""

from __future__ import annotations

import json

import pytest

from tests.support.shell import Shell

NAMES = {
    "running",
    "version",
    "pid",
    "worker_pid",
    "guardian_pid",
    "url",
    "socket",
    "token_file",
    "store",
    "queue",
    "events",
    "sessions",
}
COUNTS = {"fired", "answered", "injected", "denied", "dropped", "failed", "p50_ms", "p99_ms"}


@pytest.mark.requirement("EVT-12")
@pytest.mark.requirement("OPS-4")
def test_json_has_the_promised_names(running: Shell) -> None:
    for number in range(3):
        running.daemon.post("Notification", {"session_id": "s", "message": f"message {number}"})
    answer = running.json("status")
    assert set(answer) >= NAMES
    assert set(answer["store"]) >= {"kind", "url", "bytes", "rows"}
    assert set(answer["queue"]) >= {"jobs", "spool"}
    assert set(answer["events"]["Notification"]) >= COUNTS
    assert answer["events"]["Notification"]["fired"] == 3
    assert answer["events"]["Notification"]["answered"] == 3
    assert answer["store"]["rows"]["journal"] == 3
    assert answer["sessions"] == {"active": 1, "total": 1}
    assert answer["pid"] == running.daemon.facts["pid"]


@pytest.mark.requirement("EVT-12")
def test_the_page_for_people(running: Shell) -> None:
    assert "No event has arrived yet" in running.ok("status")
    running.daemon.post("PreToolUse", {"session_id": "s", "tool_name": "Bash", "tool_use_id": "t1"})
    page = running.ok("status")
    [row] = [line.split() for line in page.splitlines() if line.startswith("PreToolUse")]
    [headings] = [line for line in page.splitlines() if line.startswith("event ")]
    assert headings.replace(" ms", "_ms").split() == [
        *("event", "fired", "answered", "injected", "denied", "dropped", "failed", "p50_ms", "p99_ms")
    ]
    assert row[:7] == ["PreToolUse", "1", "1", "0", "0", "0", "0"]
    assert running.daemon.status()["url"] in page
    assert "\x1b" not in page


def test_down_has_the_same_names_and_says_why(shell: Shell) -> None:
    shell.daemon.home.prepare()
    (shell.daemon.home.logs / "last-error").write_text("The moon is in the wrong place.")
    done = shell.run("status", "--json")
    answer = json.loads(done.stdout)
    assert done.returncode == 3
    assert set(answer) >= NAMES
    assert answer["running"] is False
    assert answer["last_error"] == "The moon is in the wrong place."
    page = shell.run("status")
    assert page.returncode == 3
    assert "The moon is in the wrong place." in page.stdout


def test_down_counts_what_waits(shell: Shell) -> None:
    shell.daemon.home.prepare()
    (shell.daemon.home.spool / "00000000000000000001-x.json").write_text("{}")
    assert "1 event waits in the spool" in shell.run("status").stdout


@pytest.mark.requirement("OPS-9")
def test_colours_on_a_terminal_only(running: Shell) -> None:
    code, shown = running.on_terminal("status")
    assert code == 0
    assert "\x1b[32;1mrunning\x1b[0m" in shown
    running.extra = {"NO_COLOR": "1"}
    assert "\x1b[" not in running.on_terminal("status")[1]


def test_an_unknown_setting_is_named(shell: Shell) -> None:
    shell.daemon.home.config.write_text("[strange]\nkey = 1\n")
    shell.ok("start")
    assert "unknown setting, ignored" in shell.ok("status")


@pytest.mark.requirement("EVT-12")
def test_fields_of_an_unexpected_type_are_counted(running: Shell) -> None:
    odd = {"permission_mode": 5, "duration_ms": "12"}
    running.daemon.post("PostToolUse", {"session_id": "s", "tool_name": "Bash", "tool_use_id": "t1"} | odd)
    assert running.json("status")["events"]["PostToolUse"]["misfit"] == 2
    assert "unexpected type, left out of their events: 2 of PostToolUse" in running.ok("status")
