"""What the guardian's shell does when the pipe that it watches ends, in every shell that is here (EVT-15)."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from holdfast.daemon.guardian import SCRIPT
from tests.support.daemon import until
from tests.support.patience import PATIENCE

SHELLS = [shell for shell in ("sh", "dash", "bash", "zsh", "busybox") if shutil.which(shell)]


class Watch:
    """A guardian of a home, with a program in the place of Python that writes down how it was called."""

    def __init__(self, shell: str, root: Path) -> None:
        self.home = root / "my home"
        self.home.mkdir()
        (self.home / "daemon.lock").touch()
        self.told = root / "told"
        python = root / "a python"
        python.write_text(
            f'#!/bin/sh\nprintf "%s\\n" $$ "$@" > "{self.told}.new"; mv "{self.told}.new" "{self.told}"\n'
        )
        python.chmod(0o700)
        watched, self.line = os.pipe()
        words = [shell, "sh"] if shell == "busybox" else [shell]
        self.process = subprocess.Popen(
            [*words, "-c", SCRIPT, "holdfast", str(self.home), str(python), "11", "12", "13"], stdin=watched
        )
        os.close(watched)

    def let_go(self) -> None:
        os.close(self.line)
        self.line = -1

    def end(self) -> None:
        if self.line >= 0:
            self.let_go()
        self.process.kill()
        self.process.wait(PATIENCE)


@pytest.fixture(params=SHELLS)
def watch(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Watch]:
    made = Watch(request.param, tmp_path)
    try:
        yield made
    finally:
        made.end()


@pytest.mark.requirement("EVT-15")
def test_the_end_of_the_pipe_makes_it_the_next_supervisor(watch: Watch) -> None:
    assert not watch.told.exists()
    watch.let_go()
    assert watch.process.wait(PATIENCE) == 0
    pid, *words = watch.told.read_text().splitlines()
    assert words == ["-I", "-m", "holdfast.daemon.supervisor", str(watch.home), "11", "12", "13"]
    assert int(pid) == watch.process.pid, "it is the same process: no shell waits for the daemon"


@pytest.mark.requirement("EVT-15")
def test_after_a_stop_it_starts_nothing(watch: Watch) -> None:
    (watch.home / "stopped").touch()
    watch.let_go()
    watch.process.wait(PATIENCE)
    assert not watch.told.exists()


@pytest.mark.requirement("EVT-15")
def test_without_a_home_it_starts_nothing(watch: Watch) -> None:
    shutil.rmtree(watch.home)
    watch.let_go()
    watch.process.wait(PATIENCE)
    assert not watch.told.exists()


@pytest.mark.requirement("EVT-15")
def test_signals_are_no_end(watch: Watch) -> None:
    """A `read` that comes back without the end of the pipe would make a second daemon beside the first."""
    for number in (signal.SIGSTOP, signal.SIGCONT, signal.SIGWINCH, signal.SIGCHLD, signal.SIGURG):
        until(lambda: Path(f"/proc/{watch.process.pid}/stat").read_text().split()[2] in "ST", "it waits")
        watch.process.send_signal(number)
        time.sleep(0.02)
    assert watch.process.poll() is None
    assert not watch.told.exists()
