"""What a restore brings back besides the backup: what the transcripts tell since, and nothing that was forgotten."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from holdfast import spool
from holdfast.ids import stable_id
from tests.support import damage
from tests.support.daemon import DaemonHome, until
from tests.support.payloads import load

HOLDFAST = Path(sys.executable).with_name("holdfast")


def holdfast(home: DaemonHome, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [HOLDFAST, *words], env=home.environment, capture_output=True, text=True, check=False, timeout=120
    )


class Talk:
    """A session whose hooks arrive and whose transcript is written, as by the client."""

    def __init__(self, home: DaemonHome, session: str) -> None:
        self.home = home
        self.session = session
        folder = home.home.root / "claude" / "projects" / "-w-project"
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"{session}.jsonl"
        self._lines = 0

    def begin(self) -> None:
        self._post("SessionStart", load("SessionStart-startup"))

    def turn(self, number: int, words: str) -> None:
        prompt, use = stable_id(0, self.session, f"p{number}"), f"toolu_{self.session[-4:]}{number}"
        about = {"prompt_id": prompt}
        self._write("user", words, promptId=prompt)
        self._post("UserPromptSubmit", load("UserPromptSubmit") | about | {"prompt": words})
        call = {"type": "tool_use", "id": use, "name": "Bash", "input": {"command": f"echo {words}"}}
        self._write("assistant", [call], stop_reason="tool_use")
        done = load("PostToolUse-Bash") | about
        self._post("PostToolUse", done | {"tool_use_id": use, "tool_input": {"command": f"echo {words}"}})
        result = [{"type": "tool_result", "tool_use_id": use, "content": words}]
        self._write("user", result, promptId=prompt, toolUseResult={"stdout": words})

    def _post(self, event: str, payload: dict[str, Any]) -> None:
        whole = payload | {"session_id": self.session, "transcript_path": str(self.path), "cwd": "/w/project"}
        assert self.home.post(event, whole)[0] == 200

    def _write(self, kind: str, content: Any, *, stop_reason: str | None = None, **fields: Any) -> None:
        self._lines += 1
        message = {"role": kind, "content": content} | ({"stop_reason": stop_reason} if stop_reason else {})
        line = {
            "type": kind,
            "uuid": stable_id(0, self.session, str(self._lines)),
            "timestamp": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z",
            "sessionId": self.session,
            "cwd": "/w/project",
            "message": message,
        }
        with self.path.open("a") as file:
            file.write(json.dumps(line | fields) + "\n")


def prompts(home: DaemonHome) -> list[str]:
    return sorted(str(entry["payload"]["prompt"]) for entry in home.journal(event="UserPromptSubmit"))


def uses(home: DaemonHome) -> list[str]:
    return sorted(str(entry["tool_use_id"]) for entry in home.journal(event="PostToolUse"))


@pytest.mark.requirement("STO-6")
def test_what_happened_since_the_backup_is_read_back_once(daemon: DaemonHome) -> None:
    before = Talk(daemon, "11111111-0000-4000-8000-00000000aaaa")
    before.begin()
    before.turn(1, "in the backup")
    copy = daemon.home.backups / "copy.db"
    assert holdfast(daemon, "backup", str(copy)).returncode == 0
    time.sleep(0.1)
    before.turn(2, "after the backup, in a session it knows")
    after = Talk(daemon, "22222222-0000-4000-8000-00000000bbbb")
    after.begin()
    after.turn(1, "in a session that the backup never heard of")
    there, used = prompts(daemon), uses(daemon)
    assert len(there) == 3
    daemon.stop()
    damage.removed(daemon.home.database)
    daemon.launch()
    until(lambda: holdfast(daemon, "status").stdout.startswith("waits"), "it is noticed")

    done = holdfast(daemon, "restore", str(copy), "--yes", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["read_back"] >= 4
    assert prompts(daemon) == there
    assert uses(daemon) == used
    daemon.stop()
    daemon.start()
    assert prompts(daemon) == there, "once, also at the next start"
    assert daemon.status()["store"]["restored"]["is_done"]


@pytest.mark.requirement("STO-6")
@pytest.mark.requirement("MEM-11")
@pytest.mark.parametrize("left", ["the file is gone", "the file is there"])
def test_what_was_forgotten_after_the_backup_stays_away(daemon: DaemonHome, left: str) -> None:
    talk = Talk(daemon, "33333333-0000-4000-8000-00000000cccc")
    talk.begin()
    talk.turn(1, "in the backup")
    copy = daemon.home.backups / "copy.db"
    assert holdfast(daemon, "backup", str(copy)).returncode == 0
    time.sleep(0.1)
    talk.turn(2, "the project zeus is a secret")
    talk.turn(3, "after it")
    until(lambda: daemon.status()["queue"]["jobs"] == 0, "it is captured")
    assert holdfast(daemon, "forget", "--text", "project zeus", "--yes").returncode == 0
    assert copy.exists(), "it does not hold what was forgotten"
    if left == "the file is gone":
        daemon.stop()
        damage.removed(daemon.home.database)
    done = holdfast(daemon, "restore", str(copy), "--yes")
    assert done.returncode == 0, done.stderr
    if left == "the file is gone":
        daemon.start()
        until(lambda: daemon.status()["store"]["restored"]["is_done"], "the transcripts are read")
    until(lambda: not spool.waiting(daemon.home.spool), "all is taken in")
    assert prompts(daemon) == ["after it", "in the backup"]
    assert "zeus" not in json.dumps(daemon.journal())
