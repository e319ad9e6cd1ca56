"""start, stop, restart: one daemon, the right one, and nothing lost on the way."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import threading
import time
import uuid
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

import pytest

from holdfast import build, lock
from holdfast.doors.cli import control, main
from holdfast.errors import DaemonAway, HoldfastError
from tests.support.daemon import until
from tests.support.patience import PATIENCE
from tests.support.shell import Shell


@pytest.mark.requirement("OPS-4")
def test_start_stop_start_keeps_the_port(shell: Shell) -> None:
    first = shell.json("start")
    assert first["started"] is True
    assert shell.json("start") == first | {"started": False}
    assert shell.json("stop") == {"stopped": True, "pid": first["pid"]}
    assert shell.run("status").returncode == 3
    assert shell.json("stop") == {"stopped": False, "pid": None}
    second = shell.json("start")
    assert second["url"] == first["url"]
    assert second["pid"] != first["pid"]


@pytest.mark.requirement("OPS-4")
def test_restart_loses_nothing_and_refuses_nobody(running: Shell) -> None:
    port, token = running.daemon.facts["port"], running.daemon.token
    before = running.daemon.status()
    sent: list[str] = []
    troubles: list[str] = []
    enough = threading.Event()

    def post() -> None:
        while not enough.is_set():
            proof = uuid.uuid4().hex
            connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
            try:
                body = json.dumps({"session_id": "s", "hook_event_name": "Notification", "message": proof})
                connection.request("POST", "/hooks/Notification", body, {"Authorization": f"Bearer {token}"})
                answer = connection.getresponse()
                (sent if answer.status == 200 else troubles).append(proof)
                answer.read()
            except OSError as error:
                troubles.append(repr(error))
            finally:
                connection.close()

    threads = [threading.Thread(target=post) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        renewed = [running.json("restart") for _ in range(2)]
    finally:
        enough.set()
        for thread in threads:
            thread.join()
    workers = {before["worker_pid"], *(one["worker_pid"] for one in renewed)}
    kept = [entry["payload"]["message"] for entry in running.daemon.journal(event="Notification")]
    assert not troubles
    assert len(workers) == 3
    assert {one["url"] for one in renewed} == {before["url"]}
    assert {one["pid"] for one in renewed} == {before["pid"]}
    assert sent
    assert sorted(kept) == sorted(sent)


@pytest.mark.requirement("OPS-4")
def test_two_restarts_at_once_leave_one_daemon(running: Shell) -> None:
    pid = running.daemon.facts["pid"]
    both = [running.begin("restart", "--json") for _ in range(3)]
    said = [process.communicate(timeout=PATIENCE) for process in both]
    assert [process.returncode for process in both] == [0, 0, 0], said
    assert running.daemon.facts["pid"] == pid
    assert running.daemon.answers()


@pytest.mark.requirement("OPS-4")
def test_signals_in_the_middle_of_a_handover_do_not_kill(running: Shell) -> None:
    pid = running.daemon.facts["pid"]
    for _ in range(100):
        os.kill(pid, signal.SIGHUP)
        time.sleep(0.01)
    until(running.daemon.answers, "the daemon answers again")
    assert not running.daemon.reap()
    assert running.daemon.facts["pid"] == pid


@pytest.mark.requirement("OPS-4")
def test_restart_starts_what_was_down(shell: Shell) -> None:
    assert shell.json("restart")["restarted"] is True
    assert shell.daemon.answers()


def test_restart_takes_up_a_changed_port(running: Shell) -> None:
    old = running.daemon.facts["port"]
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        new = probe.getsockname()[1]
    running.daemon.home.config.write_text(f"[daemon]\nport = {new}\n")
    assert running.json("restart")["url"] == f"http://127.0.0.1:{new}"
    assert new != old


def test_restart_takes_up_a_changed_setting(running: Shell) -> None:
    with running.daemon.home.config.open("a") as file:
        file.write("\n[mystery]\nkey = 1\n")
    running.ok("restart")
    assert running.json("status")["unknown_settings"] == [f"{running.daemon.home.config}: mystery.key"]


@pytest.mark.requirement("OPS-4")
def test_a_daemon_of_another_version_is_replaced(running: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    before = running.daemon.status()
    how, same = control.ensure(running.daemon.home)
    assert (how, same["worker_pid"]) == ("running", before["worker_pid"])
    monkeypatch.setattr(control, "__version__", "99.0")
    how, after = control.ensure(running.daemon.home)
    assert how == "replaced"
    assert after["worker_pid"] != before["worker_pid"]
    assert after["url"] == before["url"]


def clone_of_its_own(folder: Path) -> tuple[Path, Path]:
    """A second installation from a copy of the package, as from a clone: its Python, and the package to change."""
    package = folder / "clone" / "holdfast"
    shutil.copytree(build.PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    folder.mkdir(exist_ok=True)
    venv.create(folder / "venv", with_pip=False, symlinks=True)
    (site,) = (folder / "venv" / "lib").glob("python*/site-packages")
    (site / "clone.pth").write_text(f"{package.parent}\n{sysconfig.get_path('purelib')}\n")
    return folder / "venv" / "bin" / "python", package


def control_build(shell: Shell) -> str:
    return str(shell.daemon.status()["build"])


@pytest.mark.requirement("OPS-11")
def test_changed_code_of_the_same_version_is_told_and_taken_up_by_up(shell: Shell, tmp_path: Path) -> None:
    python, package = clone_of_its_own(tmp_path)

    def run(*words: str) -> str:
        command = [str(python), "-I", "-m", "holdfast.doors.cli", *words]
        done = subprocess.run(
            command,
            env=shell.environment,
            cwd=shell.folder,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    up = ("up", "--yes", "--client", str(shell.client))
    run(*up)
    before = json.loads(run("status", "--json"))
    assert (before["build"], before["outdated"]) == (build.identity(package), False)
    assert "The daemon is running" in run(*up)
    with (package / "times.py").open("a") as file:
        file.write("# as after a pull\n")
    assert "the installed code changed since the daemon started" in run("status")
    assert "The daemon was replaced" in run(*up)
    after = json.loads(run("status", "--json"))
    assert (after["build"], after["outdated"]) == (build.identity(package), False)
    assert after["build"] != before["build"]
    assert (after["version"], after["url"]) == (before["version"], before["url"])
    assert after["build"] in run("--version")
    with (package / "times.py").open("a") as file:
        file.write("# and once more\n")
    until(lambda: run("journal") and control_build(shell) != after["build"], "the next command hands over")


@pytest.mark.requirement("OPS-5")
def test_a_lock_left_behind_stops_nobody_and_its_pid_is_left_alone(shell: Shell) -> None:
    """The pid in a stale lock file may be anyone's by now."""
    innocent = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    try:
        shell.daemon.home.lock.write_text(json.dumps({"pid": innocent.pid, "worker_pid": 1, "port": 1}))
        assert shell.json("stop") == {"stopped": False, "pid": None}
        shell.ok("start")
        assert shell.daemon.facts["pid"] != innocent.pid
        shell.ok("stop")
        assert innocent.poll() is None
    finally:
        innocent.kill()
        innocent.wait()


@pytest.mark.requirement("OPS-5")
def test_a_lock_just_taken_does_not_name_its_last_holder(shell: Shell) -> None:
    shell.daemon.home.lock.write_text(json.dumps({"pid": 1, "worker_pid": 2, "port": 3}))
    descriptor = lock.take(shell.daemon.home.lock)
    assert descriptor is not None
    try:
        assert lock.holder(shell.daemon.home.lock) == {"pid": os.getpid()}
    finally:
        os.close(descriptor)


@contextmanager
def held(path: Path, content: str) -> Iterator[None]:
    with path.open("w+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write(content)
        file.flush()
        yield


@pytest.mark.requirement("OPS-5")
def test_a_holder_that_is_not_named_is_not_guessed(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "kill", lambda pid, number: pytest.fail(f"{pid} was sent {number}"))
    with held(shell.daemon.home.lock, "{}"), pytest.raises(HoldfastError, match="has not written its pid"):
        control.stop(shell.daemon.home)


@pytest.mark.requirement("OPS-5")
def test_a_daemon_that_hangs_is_named(shell: Shell) -> None:
    with held(shell.daemon.home.lock, json.dumps({"pid": os.getpid()})):
        done = shell.run("journal")
    assert done.returncode == 3
    assert f"pid {os.getpid()}" in done.stderr


@pytest.mark.requirement("OPS-5")
def test_a_taken_port_is_one_sentence(shell: Shell) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        shell.daemon.home.config.write_text(f"[daemon]\nport = {port}\n")
        done = shell.run("start")
        assert done.returncode == 3
        assert f"Port {port} on 127.0.0.1 is taken by another program" in done.stderr
        assert len(done.stderr.splitlines()) == 1
        down = json.loads(shell.run("status", "--json").stdout)
        assert down["last_error"].startswith(f"Port {port}")
        assert "holdfast up" in down["last_error"]


@pytest.mark.requirement("OPS-5")
def test_a_setting_that_does_not_fit_is_one_sentence(shell: Shell) -> None:
    shell.daemon.home.config.write_text("[daemon]\nport = 'high'\n")
    done = shell.run("start")
    assert done.returncode == 3
    assert "daemon.port = 'high' does not fit" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.requirement("OPS-5")
def test_a_home_that_is_a_file_is_one_sentence(shell: Shell, tmp_path: Path) -> None:
    place = tmp_path / "home"
    place.write_text("not a folder")
    done = shell.run("--home", str(place), "start")
    assert done.returncode == 3
    assert done.stderr.startswith(f"holdfast: {place} cannot be the home")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.requirement("OPS-5")
def test_a_read_only_home_is_one_sentence(shell: Shell, capsys: pytest.CaptureFixture[str]) -> None:
    """Root may write anywhere, so when the tests run as root the command runs as someone else."""
    home = shell.daemon.home
    home.prepare()
    main.load("start")
    someone = 65534 if os.geteuid() == 0 else os.geteuid()
    for folder in (home.root, home.spool, home.logs, home.backups):
        os.chown(folder, someone, -1)
    home.root.chmod(0o500)
    before = os.geteuid()
    os.seteuid(someone)
    try:
        code = main.main(["--home", str(home.root), "start"])
    finally:
        os.seteuid(before)
        home.root.chmod(0o700)
    said = capsys.readouterr().err
    assert code == 3
    assert said.startswith(f"holdfast: {home.root} cannot be written (Permission denied)")
    assert said.count("holdfast: ") == 1
    assert "Traceback" not in said


def test_a_start_that_never_answers_is_not_waited_for_for_ever(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holdfast.revive.start", lambda home: 0)
    monkeypatch.setattr(control, "_START_SECONDS", 0.2)
    with pytest.raises(DaemonAway, match="did not answer within"):
        control.start(shell.daemon.home)


def test_a_stop_that_takes_too_long_says_so(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "kill", lambda pid, number: asked.append((pid, number)))
    monkeypatch.setattr(control, "_STOP_SECONDS", 0.1)
    with held(shell.daemon.home.lock, json.dumps({"pid": 4242})), pytest.raises(HoldfastError, match="still works"):
        control.stop(shell.daemon.home)
    assert asked == [(4242, signal.SIGTERM)]
