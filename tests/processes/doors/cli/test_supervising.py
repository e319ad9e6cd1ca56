"""`holdfast run`: a client in a terminal of its own, which ends, refuses to end, and wants to begin again and again."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from holdfast import restarts
from holdfast.doors.cli.client_words import again, options_in
from holdfast.events.running import RunningClients
from holdfast.ids import ConversationId
from holdfast.sender import Sender
from tests.support.daemon import until
from tests.support.patience import PATIENCE

HELP = """Options:
  --add-dir <directories...>            Additional directories
  --allowedTools, --allowed-tools <tools...>
      Comma or space-separated list
  -c, --continue                        Continue
  -d, --debug [filter]                  Enable debug mode
  --model <model>                       Model for the current session
  -p, --print                           Print
  -r, --resume [value]                  Resume
  --session-id <uuid>                   Use a specific session ID
"""
CLIENT = """#!{python}
import json, os, signal, sys, time
from pathlib import Path
if "--help" in sys.argv:
    print('''{help}''')
    sys.exit()
log = Path({log!r})
started = {{"words": sys.argv[1:], "run": os.environ.get("HOLDFAST_RUN", "")}}
signal.signal(signal.SIGINT, lambda *_: log.open("a").write(json.dumps({{"signal": "INT"}}) + chr(10)))
def on_term(*_):
    log.open("a").write(json.dumps({{"signal": "TERM"}}) + chr(10))
    if "--stubborn" not in sys.argv:
        sys.exit(7)
signal.signal(signal.SIGTERM, on_term)
with log.open("a") as file:
    file.write(json.dumps(started) + chr(10))
if "--loop" in sys.argv and started["run"]:
    folder = Path({folder!r})
    folder.mkdir(parents=True, exist_ok=True)
    (folder / started["run"]).write_text(json.dumps({{"text": "go on"}}))
    sys.exit(1)
if "--loop" in sys.argv:
    sys.exit(3)
while True:
    time.sleep(0.05)
"""


class Run:
    """One `holdfast run` in a terminal of its own, and what its client noted."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.folder = self.home / "restarts"
        self.log = folder / "log"
        self.log.touch()
        self.client = folder / "claude"
        text = CLIENT.format(python=sys.executable, help=HELP, log=str(self.log), folder=str(self.folder))
        self.client.write_text(text)
        self.client.chmod(0o755)
        self.process: subprocess.Popen[bytes] | None = None
        self.terminal = -1

    def start(self, *words: str) -> subprocess.Popen[bytes]:
        self.terminal, inner = pty.openpty()
        code = (
            "import fcntl, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0);"
            "from pathlib import Path; from holdfast.doors.cli.supervising import ClientSupervisor;"
            "sys.exit(ClientSupervisor(sys.argv[2:], Path(sys.argv[1]), print, grace=1.0).run())"
        )
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, str(self.folder), str(self.client), *words],
            stdin=inner,
            stdout=inner,
            stderr=inner,
            start_new_session=True,
        )
        os.close(inner)
        return self.process

    def noted(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.log.read_text().splitlines()]

    def starts(self) -> list[dict[str, object]]:
        return [each for each in self.noted() if "words" in each]

    def wait_for_start(self, number: int) -> dict[str, object]:
        until(lambda: len(self.starts()) >= number, f"start {number} of the client")
        return self.starts()[number - 1]


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    made = Run(tmp_path)
    yield made
    if made.process is not None and made.process.poll() is None:
        made.process.kill()
    if made.terminal >= 0:
        os.close(made.terminal)


@pytest.mark.requirement("CON-9")
def test_a_client_that_refuses_to_end_is_killed_and_started_again_with_the_prompt(run: Run) -> None:
    process = run.start(
        "--stubborn", "--model", "opus", "--session-id", "s", "-r", "--add-dir", "/a", "/b", "--", "do it"
    )
    first = run.wait_for_start(1)
    os.write(run.terminal, b"\x03")
    until(lambda: {"signal": "INT"} in run.noted(), "Ctrl-C reaches the client")
    assert process.poll() is None
    restarts.ask(run.folder, str(first["run"]), "go on")
    second = run.wait_for_start(2)
    assert run.noted().count({"signal": "TERM"}) == 2, "it was asked twice, and then killed"
    assert second["words"] == ["--stubborn", "--model", "opus", "--add-dir", "/a", "/b", "--", "go on"]
    assert first["run"] != second["run"]
    assert not list(run.folder.iterdir()), "a wish is fulfilled once"


@pytest.mark.requirement("CON-9")
def test_signals_and_the_exit_code_are_passed_on_and_a_loop_ends(run: Run) -> None:
    run.start("-p", "do it")
    run.wait_for_start(1)
    assert run.process is not None
    os.kill(run.process.pid, signal.SIGTERM)
    assert run.process.wait(PATIENCE) == 7, "the client's own code"
    run.log.write_text("")
    assert run.start("--loop", "-p", "do it").wait(PATIENCE) == 3
    runs = [each["run"] for each in run.starts()]
    assert [bool(each) for each in runs] == [True, True, True, False], "the last one compacts by itself"


@pytest.mark.requirement("CON-9")
def test_the_command_line_of_a_new_start() -> None:
    options = options_in(HELP)
    assert options == {
        "--add-dir": "many",
        "--allowedTools": "many",
        "--allowed-tools": "many",
        "-d": "maybe",
        "--debug": "maybe",
        "--model": "one",
        "-r": "maybe",
        "--resume": "maybe",
        "--session-id": "one",
    }
    cases: tuple[tuple[list[str], list[str]], ...] = (
        (["claude"], ["claude", "--", "P"]),
        (["claude", "do it"], ["claude", "--", "P"]),
        (["claude", "-p", "do it", "--model", "opus"], ["claude", "-p", "--model", "opus", "--", "P"]),
        (["claude", "-c", "-p", "do it"], ["claude", "-p", "--", "P"]),
        (["claude", "--resume", "id", "--model=opus"], ["claude", "--model=opus", "--", "P"]),
        (["claude", "-r", "-p"], ["claude", "-p", "--", "P"]),
        (
            ["claude", "--allowedTools", "Bash", "Edit", "--", "do it"],
            ["claude", "--allowedTools", "Bash", "Edit", "--", "P"],
        ),
        (["env", "A=1", "/x/claude", "--unknown", "-p"], ["env", "A=1", "/x/claude", "--unknown", "-p", "--", "P"]),
    )
    for command, wanted in cases:
        assert again(command, options, "P") == wanted, command


@pytest.mark.requirement("CON-9")
def test_a_run_belongs_to_the_client_that_came_first_also_after_a_restart_of_the_daemon(tmp_path: Path) -> None:
    """What a client starts inherits the run's id. A daemon that has just begun may hear of that one first."""
    run, first, inner = "c" * 32, os.getpid(), os.getppid()

    def daemon() -> RunningClients:
        return RunningClients(owner=partial(restarts.owner, tmp_path))

    before = daemon()
    before.note(ConversationId("outer"), Sender(pid=first, run=run))
    after = daemon()
    for session, pid in (("inner", inner), ("outer", first)):
        after.note(ConversationId(session), Sender(pid=pid, run=run))
    assert [after.run_of(ConversationId(name)) for name in ("inner", "outer")] == ["", run]
    os.utime(tmp_path / f"{run}.pid", (0, 0))
    restarts.ask(tmp_path, "d" * 32, "another run's wish")
    assert restarts.owner(tmp_path, run, inner) == first, "a run may last for days"
    restarts.done(tmp_path, run)
    assert [path.name for path in tmp_path.iterdir()] == ["d" * 32]
    (tmp_path / f"{run}.pid").write_text("no number")
    assert restarts.owner(tmp_path, run, inner) == inner
    assert restarts.owner(tmp_path / ("d" * 32) / "x", run, inner) == inner, "a folder that cannot be is no obstacle"


def test_a_wish_is_taken_although_another_vanishes_meanwhile(tmp_path: Path) -> None:
    (tmp_path / "gone").symlink_to("nowhere")
    restarts.ask(tmp_path, "a" * 32, "go on")
    assert restarts.wanted(tmp_path, "a" * 32) == "go on"
