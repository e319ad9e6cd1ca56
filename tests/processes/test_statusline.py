"""The status line command: quick, around another one, and silent without a daemon."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from holdfast import statusline
from tests.support.daemon import DaemonHome

INPUT = {
    "session_id": "s1",
    "model": {"id": "claude-opus-5-5"},
    "context_window": {"context_window_size": 1_000_000, "current_usage": {"input_tokens": 310_000}},
}


def line(home: Path, *more: str) -> str:
    command = [sys.executable, "-I", "-S", "-E", statusline.__file__, str(home), *more]
    done = subprocess.run(command, input=json.dumps(INPUT).encode(), capture_output=True, check=True, timeout=30)
    return done.stdout.decode()


@pytest.mark.requirement("CON-3")
@pytest.mark.requirement("OPS-7")
def test_the_line_is_the_daemons_behind_the_one_that_was_there(daemon: DaemonHome, tmp_path: Path) -> None:
    home = daemon.home.root
    assert "31 %" in line(home)
    assert daemon.status()["continuity"]["context"][0]["tokens"] == 310_000
    first, second = line(home, "cat | grep -o opus-5-5; exit 3").splitlines()
    assert (first, "31 %" in second) == ("opus-5-5", True)
    assert "31 %" in line(home, "exit 1"), "one that prints nothing and does not read"
    assert line(tmp_path) == "", "no daemon"
    assert line(tmp_path, "echo mine") == "mine\n"
    told = json.dumps({"percent": 70, "project_id": "", "session_id": "s1"}).encode()
    assert daemon.request("POST", "/api/v1/threshold", told) == (200, {"status": "ok"})
    status, answer = daemon.request("POST", "/api/v1/threshold", b'{"percent": "seventy"}')
    assert (status, list(answer)) == (400, ["error"])
    assert "percent must be a whole number from 1 to 100" in answer["error"]
