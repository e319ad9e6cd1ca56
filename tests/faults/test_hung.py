"""A worker that hangs is noticed and replaced, and hooks are answered (EVT-9)."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from holdfast.daemon.supervisor import HUNG_SECONDS, Silence
from tests.support.daemon import DaemonHome, until
from tests.support.payloads import load

BASH = load("PostToolUse-Bash")


def stop(pid: int) -> None:
    os.kill(pid, signal.SIGSTOP)


@pytest.mark.requirement("EVT-9")
def test_a_stopped_worker_is_replaced_and_hooks_do_not_hang(daemon: DaemonHome) -> None:
    before = daemon.facts
    assert daemon.post("PostToolUse", BASH | {"tool_use_id": "before"}) == (200, {})
    stop(before["worker_pid"])
    # It waits in the backlog of the socket that the supervisor holds, and the next worker takes it.
    assert daemon.post("PostToolUse", BASH | {"tool_use_id": "meanwhile"}) == (200, {})
    after = daemon.facts
    assert after["worker_pid"] != before["worker_pid"]
    assert (after["pid"], after["port"]) == (before["pid"], before["port"])
    assert {entry["tool_use_id"] for entry in daemon.journal()} == {"before", "meanwhile"}
    assert daemon.status()["hung_workers"] == 1
    assert "was silent for 10 s and was replaced" in daemon.log()


FAKE = """#!{python} -I
import os, socket, sys
flag, real = {flag!r}, {python!r}
if os.path.exists(flag):
    os.execv(real, [real, *sys.argv[1:]])
open(flag, "w").close()
life = socket.socket(fileno=int(sys.argv[-1]))
life.send(b"ready\\n")
{then}
while True:
    pass
"""


@pytest.mark.requirement("EVT-9")
@pytest.mark.parametrize("then", ["pass", "life.close()"], ids=["silent", "without a life line"])
def test_a_worker_whose_loop_is_stuck_is_replaced(home: DaemonHome, tmp_path: Path, then: str) -> None:
    """The first worker says that it is ready and then turns in a circle; those after it are real."""
    script = tmp_path / "python"
    script.write_text(FAKE.format(python=sys.executable, flag=str(tmp_path / "was here"), then=then))
    script.chmod(0o700)
    start = "import sys; from holdfast.daemon.supervisor import main; sys.executable = sys.argv[1]; main(sys.argv[2:])"
    process = subprocess.Popen(
        [sys.executable, "-I", "-c", start, str(script), str(home.home.root)], env=home.environment
    )
    try:
        until(lambda: home.home.socket.exists(), "the sockets are there")
        done = home.hook(load("SessionStart-startup"))
        assert done.returncode == 0
        assert "does not answer" in json.loads(done.stdout)["systemMessage"], "a command hook keeps to its deadline"
        until(home.answers, "the next worker answers", 30)
        until(lambda: len(home.journal()) == 1, "what was spooled meanwhile is there")
        assert home.status()["hung_workers"] == (1 if then == "pass" else 0)
    finally:
        home.stop()
        process.wait(20)


@pytest.mark.requirement("EVT-9")
def test_a_worker_that_only_works_hard_stays(daemon: DaemonHome) -> None:
    before = daemon.facts
    for _ in range(3):
        stop(before["worker_pid"])
        time.sleep(HUNG_SECONDS / 4)
        os.kill(before["worker_pid"], signal.SIGCONT)
        until(daemon.answers, "it answers")
    assert daemon.facts == before
    assert daemon.status()["hung_workers"] == 0


@pytest.mark.requirement("EVT-9")
@pytest.mark.parametrize(
    ("looks", "too_long"),
    [
        ([1.0] * 9, False),
        ([1.0] * 10, True),
        ([0.2] * 49, False),
        ([0.2] * 51, True),
        ([3600.0], False),
        ([3600.0] * 4, False),
        ([3600.0] * 5, True),
    ],
)
def test_silence_is_counted_in_looks(looks: list[float], too_long: bool) -> None:
    silence = Silence()
    assert [silence.lasts(look) for look in looks][-1] is too_long
    silence.broken()
    assert not silence.lasts(1.0)
