"""Taking over transcripts while everything goes wrong: killed in the middle, paused, grown since; nothing twice."""

from __future__ import annotations

import json
import os
import signal
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from holdfast.ids import stable_id
from tests.support.daemon import DaemonHome, until

BEGAN = 1_750_000_000
SESSIONS = 40
TURNS = 12


def transcript(session: str, began: int, turns: int, older: bool = False) -> str:
    """A session of prompts, each with a command and a final message, in the client's lines."""
    lines: list[dict[str, Any]] = []

    def add(at: int, kind: str, message: dict[str, Any], **more: Any) -> None:
        stamp = f"{_iso(began + at)}"
        base = {"type": kind, "uuid": stable_id(0, session, str(len(lines))), "timestamp": stamp}
        lines.append(base | {"sessionId": session, "cwd": "/w/project", "message": message} | more)

    for turn in range(turns):
        at = turn * 60
        prompt = {} if older else {"promptId": stable_id(0, session, f"prompt{turn}")}
        use = f"toolu_{session[-6:]}{turn}"
        add(at, "user", {"role": "user", "content": f"Do thing {turn} of {session}"}, **prompt)
        call = {"type": "tool_use", "id": use, "name": "Bash", "input": {"command": f"echo {turn}"}}
        add(at + 1, "assistant", {"role": "assistant", "content": [call], "stop_reason": "tool_use"})
        result = {"type": "tool_result", "tool_use_id": use, "content": f"{turn}\n" * 200}
        add(
            at + 2, "user", {"role": "user", "content": [result]}, toolUseResult={"stdout": f"{turn}\n" * 200}, **prompt
        )
        said = {"role": "assistant", "stop_reason": "end_turn", "id": f"msg{turn}"}
        add(at + 3, "assistant", said | {"content": [{"type": "text", "text": f"Thing {turn} is done."}]})
    return "".join(json.dumps(line) + "\n" for line in lines)


def _iso(seconds: int) -> str:
    from datetime import UTC, datetime

    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def write(folder: Path, sessions: int = SESSIONS, older: bool = False) -> list[str]:
    names = [stable_id(0, "session", str(number)) for number in range(sessions)]
    project = folder / "projects" / "-w-project"
    project.mkdir(parents=True, exist_ok=True)
    for number, name in enumerate(names):
        (project / f"{name}.jsonl").write_text(transcript(name, BEGAN + number * 7200, TURNS, older))
    return names


def begin(daemon: DaemonHome, folder: Path) -> dict[str, Any]:
    status, told = daemon.request("POST", "/api/import/claude", json.dumps({"path": str(folder)}).encode())
    assert status == 200, told
    return dict(told)


def progress(daemon: DaemonHome) -> dict[str, Any]:
    try:
        return dict(daemon.get("/api/import/claude")[1])
    except OSError:
        return {"waiting": -1, "files_done": 0}


def finish(daemon: DaemonHome) -> dict[str, Any]:
    until(lambda: progress(daemon)["waiting"] == 0, "all transcripts are read")
    return progress(daemon)


def told(daemon: DaemonHome) -> Counter[str]:
    return Counter(str(entry["event"]) for entry in daemon.journal())


WHOLE = {
    "UserPromptSubmit": SESSIONS * TURNS,
    "PreToolUse": SESSIONS * TURNS,
    "PostToolUse": SESSIONS * TURNS,
    "Stop": SESSIONS * TURNS,
    "SessionEnd": SESSIONS,
}


@pytest.mark.requirement("MEM-13")
def test_a_daemon_killed_in_the_middle_goes_on_and_takes_nothing_twice(daemon: DaemonHome, tmp_path: Path) -> None:
    write(tmp_path)
    begin(daemon, tmp_path)
    until(lambda: progress(daemon)["files_done"] > 2, "some transcripts are read")
    os.kill(daemon.facts["worker_pid"], signal.SIGKILL)
    status, _ = daemon.post("Notification", {"session_id": "live", "message": "still there"})
    assert status == 200
    done = finish(daemon)
    assert done["files_done"] == done["files"] == SESSIONS
    assert done["bytes_done"] == done["bytes"]
    assert told(daemon) - Counter({"Notification": 1}) == WHOLE
    before = told(daemon)
    begin(daemon, tmp_path)
    finish(daemon)
    assert told(daemon) == before
    until(lambda: daemon.status()["queue"]["jobs"] == 0, "the summaries are made")
    assert daemon.status()["store"]["rows"]["observation"] == SESSIONS * TURNS


@pytest.mark.requirement("MEM-13")
def test_a_pause_is_kept_and_a_grown_transcript_is_read_on(daemon: DaemonHome, tmp_path: Path) -> None:
    names = write(tmp_path)
    begin(daemon, tmp_path)
    status, paused = daemon.request("DELETE", "/api/import/claude")
    assert status == 200
    assert paused["waiting"] == 0
    begin(daemon, tmp_path)
    finish(daemon)
    assert told(daemon) == WHOLE
    path = tmp_path / "projects" / "-w-project" / f"{names[0]}.jsonl"
    path.write_text(path.read_text() + transcript(names[0], BEGAN + 10**6, TURNS + 1)[path.stat().st_size :])
    begin(daemon, tmp_path)
    finish(daemon)
    assert told(daemon)["UserPromptSubmit"] >= WHOLE["UserPromptSubmit"]


@pytest.mark.requirement("MEM-13")
def test_what_older_clients_wrote_has_its_prompts_too(daemon: DaemonHome, tmp_path: Path) -> None:
    write(tmp_path, 3, older=True)
    begin(daemon, tmp_path)
    finish(daemon)
    assert told(daemon)["UserPromptSubmit"] == 3 * TURNS
    assert {entry["source"] for entry in daemon.journal()} == {"import"}
    begin(daemon, tmp_path)
    finish(daemon)
    assert told(daemon)["UserPromptSubmit"] == 3 * TURNS
