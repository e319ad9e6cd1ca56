"""Supervisor and worker are killed at once, and the guardian brings the daemon back: nobody is refused (EVT-15)."""

from __future__ import annotations

import os
import signal
import socket
import threading
from pathlib import Path

import pytest

from tests.faults.burst import Burst, send
from tests.faults.test_crash import tool_uses
from tests.support.daemon import DaemonHome, until
from tests.support.patience import PATIENCE
from tests.support.payloads import load

BASH = load("PostToolUse-Bash")


def is_new(daemon: DaemonHome, before: dict[str, int]) -> bool:
    """Is there another supervisor, with a worker that answers and a guardian of its own?"""
    facts = daemon.facts
    return facts.get("pid") not in (None, before["pid"]) and bool(facts.get("guardian_pid")) and daemon.answers()


def connect(port: int, enough: threading.Event, troubles: list[str]) -> None:
    while not enough.is_set():
        try:
            socket.create_connection(("127.0.0.1", port), PATIENCE).close()
        except OSError as error:
            troubles.append(repr(error))


@pytest.mark.requirement("EVT-7", "EVT-9", "EVT-15")
@pytest.mark.parametrize("victims", [("pid", "worker_pid"), ("pid",), ("worker_pid", "pid")])
def test_killed_in_a_burst_it_is_back_and_nobody_is_refused(daemon: DaemonHome, victims: tuple[str, ...]) -> None:
    burst, enough = Burst(), threading.Event()
    troubles: list[str] = []
    threads = [
        threading.Thread(target=send, args=(daemon, 1_000, 10, burst)),
        threading.Thread(target=connect, args=(daemon.facts["port"], enough, troubles)),
    ]
    for thread in threads:
        thread.start()
    for share in (200, 600):
        until(lambda share=share: len(burst.acknowledged) >= share, "progress of the burst")  # type: ignore[misc]
        until(daemon.guarded, "it has a guardian")
        before = daemon.facts
        for victim in victims:
            os.kill(before[victim], signal.SIGKILL)
        until(lambda before=before: is_new(daemon, before), "it is back")  # type: ignore[misc]
        assert daemon.facts["pid"] == before["guardian_pid"]
        assert daemon.facts["port"] == before["port"]
    enough.set()
    for thread in threads:
        thread.join(PATIENCE)
    assert not troubles
    assert burst.faults["ConnectionRefusedError"] == 0
    assert len(burst.acknowledged) == 1_000
    assert tool_uses(daemon) == dict.fromkeys(burst.acknowledged, 1)
    if len(victims) > 1:
        assert "its guardian started this one" in daemon.log()


@pytest.mark.requirement("EVT-15")
def test_who_kills_all_that_has_our_name_in_its_line_leaves_the_guardian(daemon: DaemonHome) -> None:
    before = daemon.facts
    line = Path(f"/proc/{before['guardian_pid']}/cmdline").read_bytes()
    assert b"holdfast" not in line, "`pkill -f holdfast` does not find it"
    daemon.kill_both()
    until(lambda: is_new(daemon, before), "it is back")
    assert b"HOLDFAST_GUARDIAN" not in Path(f"/proc/{daemon.facts['worker_pid']}/environ").read_bytes()


@pytest.mark.requirement("EVT-15")
def test_a_killed_guardian_is_replaced(daemon: DaemonHome) -> None:
    before = daemon.facts
    os.kill(before["guardian_pid"], signal.SIGKILL)
    until(lambda: daemon.facts["guardian_pid"] not in (None, before["guardian_pid"]), "another guardian")
    assert daemon.facts == before | {"guardian_pid": daemon.facts["guardian_pid"]}
    daemon.kill_both()
    until(lambda: is_new(daemon, before), "it guards as the first one did")


@pytest.mark.requirement("EVT-15", "OPS-4")
def test_a_daemon_that_ends_on_purpose_leaves_no_guardian(daemon: DaemonHome) -> None:
    port = daemon.facts["port"]
    daemon.stop()
    assert daemon.processes() == []
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), PATIENCE)


@pytest.mark.requirement("EVT-15")
def test_killed_after_a_stop_was_asked_for_it_stays_away(daemon: DaemonHome) -> None:
    daemon.home.stopped.touch()
    daemon.kill_both()
    until(lambda: not daemon.facts, "the guardian let go of the lock")
    assert daemon.processes() == []


@pytest.mark.requirement("EVT-15", "OPS-4")
def test_a_daemon_that_renews_itself_has_one_guardian(daemon: DaemonHome) -> None:
    before = daemon.facts
    os.kill(before["pid"], signal.SIGHUP)
    until(lambda: daemon.facts.get("guardian_pid") not in (None, before["guardian_pid"]), "a guardian of the new one")
    assert daemon.facts["pid"] == before["pid"]
    assert len(daemon.processes()) == 3
    assert "was killed" not in daemon.log()


@pytest.mark.requirement("EVT-15")
@pytest.mark.parametrize("victims", [("worker_pid",), ("pid", "worker_pid")])
def test_a_daemon_that_cannot_start_again_is_not_tried_in_a_loop(daemon: DaemonHome, victims: tuple[str, ...]) -> None:
    daemon.home.config.write_text("[daemon\n")
    before = daemon.facts
    for victim in victims:
        os.kill(before[victim], signal.SIGKILL)
    until(lambda: not daemon.facts, "it gave up")
    until(lambda: not daemon.processes(), "nothing is left")
    assert "not valid TOML" in (daemon.home.logs / "last-error").read_text()


@pytest.mark.requirement("OPS-5", "EVT-15")
def test_a_daemon_whose_home_is_deleted_leaves_no_guardian(daemon: DaemonHome) -> None:
    daemon.home.lock.unlink()
    until(lambda: not daemon.processes(), "all are gone")


@pytest.mark.requirement("OPS-5", "EVT-15")
def test_killed_in_a_home_that_has_another_lock_it_stays_away(daemon: DaemonHome) -> None:
    """Whoever put a new home in the place of the old one may have a daemon in it."""
    before = daemon.facts
    daemon.home.lock.unlink()
    daemon.home.lock.touch()
    for name in ("pid", "worker_pid"):
        os.kill(before[name], signal.SIGKILL)
    until(lambda: not daemon.processes(), "all are gone")
    assert daemon.home.lock.read_bytes() == b""


@pytest.mark.requirement("EVT-15", "OPS-5")
def test_a_socket_that_was_deleted_is_guarded_anew(daemon: DaemonHome) -> None:
    before = daemon.facts
    daemon.home.socket.unlink()
    until(lambda: daemon.facts.get("guardian_pid") not in (None, before["guardian_pid"]), "a guardian of the new one")
    daemon.kill_both()
    until(lambda: is_new(daemon, before), "it is back, by the new socket")
    assert daemon.post("PostToolUse", BASH) == (200, {})


@pytest.mark.requirement("EVT-15")
def test_what_the_worker_starts_holds_nothing_that_the_guardian_waits_for(daemon: DaemonHome) -> None:
    worker = daemon.facts["worker_pid"]
    handed_on = []
    for number in map(int, os.listdir(f"/proc/{worker}/fd")):
        with open(f"/proc/{worker}/fdinfo/{number}", encoding="ascii") as file:
            flags = int(file.read().split("flags:")[1].split()[0], 8)
        if not flags & os.O_CLOEXEC:
            handed_on.append(number)
    assert set(handed_on) <= {0, 1, 2}
