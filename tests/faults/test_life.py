"""The daemon's life: what is pulled from under it comes back, and what keeps it from starting is told."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys

import pytest

from holdfast.doors.cli import control
from holdfast.doors.cli.client import Client
from holdfast.errors import DaemonAway
from holdfast.paths import Home
from tests.support.daemon import HOOK, DaemonHome, is_fine, until
from tests.support.patience import PATIENCE
from tests.support.payloads import load


@pytest.mark.requirement("EVT-9")
def test_a_deleted_socket_comes_back(daemon: DaemonHome) -> None:
    before = daemon.facts
    daemon.home.socket.unlink()
    assert is_fine(daemon.hook(load("SessionStart-startup")))
    until(daemon.answers, "the socket is there again")
    assert daemon.facts["pid"] == before["pid"]
    assert daemon.facts["port"] == before["port"]
    assert [entry["source"] for entry in daemon.journal()] == ["command"]


@pytest.mark.requirement("OPS-5")
def test_a_daemon_that_lost_its_home_leaves_the_socket_of_the_next_one_alone(daemon: DaemonHome) -> None:
    old = daemon.facts["pid"]
    shutil.rmtree(daemon.home.root)
    daemon.home.root.mkdir(mode=0o700)
    assert is_fine(daemon.hook(load("SessionStart-startup")))
    assert daemon.facts["pid"] != old
    until(daemon.reap, "the old daemon ended")
    assert daemon.home.socket.is_socket()
    assert daemon.answers()


@pytest.mark.requirement("OPS-4")
def test_a_restart_renews_a_daemon_that_does_not_answer(daemon: DaemonHome, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Home] = []

    def silent(client: Client) -> dict[str, object]:
        asked.append(client.home)
        monkeypatch.undo()
        raise DaemonAway("it does not answer")

    before = daemon.facts["pid"]
    monkeypatch.setattr(Client, "status", silent)
    for name, value in daemon.environment.items():
        monkeypatch.setenv(name, value)
    assert control.restart(daemon.home)["pid"] != before
    assert asked == [daemon.home]


@pytest.mark.requirement("OPS-5")
@pytest.mark.parametrize("name", ["token", "logs/daemon.log"])
def test_what_the_worker_cannot_use_is_named(home: DaemonHome, name: str) -> None:
    home.home.prepare()
    (home.home.root / name).mkdir()
    command = [sys.executable, "-I", "-m", "holdfast.daemon.supervisor", str(home.home.root)]
    done = subprocess.run(command, env=home.environment, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 3
    told = (home.home.logs / "last-error").read_text()
    assert name in told
    assert "Is a directory" in told


@pytest.mark.requirement("EVT-6")
@pytest.mark.parametrize("is_frozen", [False, True])
def test_a_stdin_that_nobody_closes_and_a_daemon_that_stands_still(daemon: DaemonHome, is_frozen: bool) -> None:
    """The session goes on after the deadline, and the event is there once, whoever was at fault."""
    worker = daemon.facts["worker_pid"]
    payload = json.dumps(load("SessionStart-startup")).encode()
    command = [sys.executable, "-I", "-S", "-E", str(HOOK), str(daemon.home.root)]
    if is_frozen:
        os.kill(worker, signal.SIGSTOP)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=daemon.environment) as client:
        assert client.stdin
        assert client.stdout
        client.stdin.write(payload)
        client.stdin.flush()
        if is_frozen:
            client.stdin.close()
        assert b"does not answer" in client.stdout.read(), "the user is told"
        assert client.wait(PATIENCE) == 0
    assert len(list(daemon.home.spool.glob("*.json"))) == 1
    if is_frozen:
        os.kill(worker, signal.SIGCONT)
    until(lambda: not list(daemon.home.spool.glob("*.json")), "the spool is drained")
    assert len(daemon.journal(event="SessionStart")) == 1
