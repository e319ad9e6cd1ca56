"""Faults of the home and the machine: full disk, read-only home, taken port, broken settings, loose umask."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.daemon import DaemonHome, is_fine, until
from tests.support.patience import PATIENCE
from tests.support.payloads import load

BASH = load("PostToolUse-Bash")


def last_error(home: DaemonHome) -> str:
    path = home.home.logs / "last-error"
    return path.read_text() if path.exists() else ""


def supervisor(home: DaemonHome) -> subprocess.CompletedProcess[str]:
    """Start a supervisor that is expected to end by itself."""
    command = [sys.executable, "-I", "-m", "holdfast.daemon.supervisor", str(home.home.root)]
    return subprocess.run(command, env=home.environment, capture_output=True, text=True, timeout=PATIENCE, check=False)


def fill(descriptor: int) -> None:
    while True:
        os.write(descriptor, b"\0" * 4096)


@pytest.fixture
def small_disk(home: DaemonHome) -> Iterator[DaemonHome]:
    """A home on a file system of its own, small enough to fill."""
    place = str(home.home.root)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m,mode=700", "tmpfs", place], check=True)
    try:
        yield home
    finally:
        home.stop()
        subprocess.run(["umount", "-l", place], check=True)


@pytest.mark.requirement("OPS-5")
@pytest.mark.requirement("EVT-6")
def test_a_full_disk_stops_nothing_and_loses_nothing_that_was_acknowledged(small_disk: DaemonHome) -> None:
    daemon = small_disk
    daemon.start()
    worker = daemon.facts["worker_pid"]
    assert daemon.post("PostToolUse", BASH | {"tool_use_id": "before"}) == (200, {})
    filler = daemon.home.root / "filler"
    descriptor = os.open(filler, os.O_WRONLY | os.O_CREAT, 0o600)
    with pytest.raises(OSError, match="No space left"):
        fill(descriptor)
    os.close(descriptor)
    for number in range(200):
        answered = daemon.post("PostToolUse", BASH | {"tool_use_id": f"full-{number}"})
        assert answered == (200, {})
    assert daemon.facts["worker_pid"] == worker
    status = daemon.status()
    assert status["events"]["PostToolUse"]["failed"] > 0
    assert "The disk is full" in status["last_fault"]["sentence"]
    assert "It is in memory, until there is room on the disk." in status["last_fault"]["sentence"]
    assert status["queue"]["memory"] > 50, "they wait where the status says they do"
    assert status["queue"]["lost"] == 0
    filler.unlink()
    assert daemon.post("PostToolUse", BASH | {"tool_use_id": "after"}) == (200, {})
    until(lambda: daemon.status()["queue"]["memory"] + daemon.status()["queue"]["spool"] == 0, "all are taken in")
    kept = Counter(entry["tool_use_id"] for entry in daemon.journal())
    assert kept == Counter(["before", "after", *(f"full-{number}" for number in range(200))])


@pytest.mark.requirement("OPS-5")
@pytest.mark.requirement("EVT-8")
def test_what_memory_holds_is_left_in_the_spool_when_the_daemon_ends(small_disk: DaemonHome) -> None:
    daemon = small_disk
    daemon.start()
    filler = daemon.home.root / "filler"
    descriptor = os.open(filler, os.O_WRONLY | os.O_CREAT, 0o600)
    with pytest.raises(OSError, match="No space left"):
        fill(descriptor)
    os.close(descriptor)
    sent = [f"full-{number}" for number in range(100)]
    for use in sent:
        assert daemon.post("PostToolUse", BASH | {"tool_use_id": use}) == (200, {})
    held = daemon.status()["queue"]["memory"]
    os.kill(daemon.facts["worker_pid"], signal.SIGSTOP)
    filler.unlink()  # there is room again, but nobody notices before the end
    os.kill(daemon.facts["pid"], signal.SIGTERM)
    os.kill(daemon.facts["worker_pid"], signal.SIGCONT)
    until(lambda: not daemon.facts, "the daemon ended")
    assert held > 0
    assert len(list(daemon.home.spool.glob("*.json"))) >= held
    daemon.start()
    until(lambda: daemon.status()["queue"]["spool"] == 0, "the spool is drained")
    assert sorted(entry["tool_use_id"] for entry in daemon.journal()) == sorted(sent)


@pytest.mark.requirement("OPS-5")
def test_a_read_only_home_is_one_sentence(home: DaemonHome) -> None:
    place = str(home.home.root)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "ro,mode=700", "tmpfs", place], check=True)
    try:
        done = supervisor(home)
        assert done.returncode == 3
        assert done.stderr.count("\n") == 1
        assert done.stderr.startswith(f"holdfast: {place} cannot be used: Read-only file system.")
        for name in ("SessionStart-startup", "UserPromptSubmit", "PreCompact-manual"):
            client = home.hook(load(name))
            nothing = b"" if name == "PreCompact-manual" else b"{}"  # there the client would sum up by the words `{}`
            assert client.returncode == 0
            assert (b"does not answer" in client.stdout) if "Start" in name else (client.stdout == nothing)
            assert client.stderr.count(b"\n") == 1
            assert b"this event was not kept" in client.stderr
            assert b"cannot be written" in client.stderr
    finally:
        subprocess.run(["umount", "-l", place], check=True)


@pytest.mark.requirement("EVT-8")
def test_a_daemon_that_cannot_start_costs_little_and_the_events_wait_in_the_spool(home: DaemonHome) -> None:
    home.home.prepare()
    home.home.database.write_bytes(b"this is not a database" * 100)
    first = home.hook(load("SessionStart-startup", session_id="one"))
    assert first.returncode == 0
    assert b"systemMessage" in first.stdout, "the user is told that no daemon answers, or that it waits for its store"
    until(lambda: last_error(home), "the reason is written down")
    assert "holdfast.db" in last_error(home)
    second = home.hook(load("SessionStart-startup", session_id="two"))
    assert second.returncode == 0
    assert b"systemMessage" in second.stdout
    assert home.home.database.read_bytes().startswith(b"this is not a database")
    waiting = sorted(home.home.spool.glob("*.json"))
    kept = [json.loads(path.read_text())["payload"]["session_id"] for path in waiting]
    # On a busy machine the client gives up an event that the daemon takes in a moment later: then both keep it.
    assert list(dict.fromkeys(kept)) == ["one", "two"]
    home.home.database.unlink()
    home.start()
    until(lambda: len(home.journal()) == 2, "the spool is drained")
    entries = home.journal()
    assert [(entry["session_id"], entry["source"]) for entry in entries] == [("one", "spool"), ("two", "spool")]
    assert list(home.home.spool.glob("*.json")) == []


@pytest.mark.requirement("OPS-6")
@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[daemon\n", "is not valid TOML"),
        ("[daemon]\nport = 'high'\n", "daemon.port = 'high' does not fit"),
        ("[log]\nlevel = 'loud'\n", "log.level = 'loud' does not fit"),
        ("daemon = 5\n", "daemon = 5 does not fit (a table of settings is expected)"),
        ("[[daemon]]\nport = 1\n", "does not fit (a table of settings is expected)"),
        ("[store]\nurl = 'mysql://x'\n", "must begin with sqlite:/// or postgresql://"),
    ],
)
def test_broken_settings_are_one_sentence(home: DaemonHome, text: str, sentence: str) -> None:
    home.home.prepare()
    home.home.config.write_text(text)
    done = supervisor(home)
    assert done.returncode == 3
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.requirement("OPS-6")
def test_unknown_settings_are_named_and_ignored(home: DaemonHome) -> None:
    home.home.prepare()
    home.home.config.write_text("[daemon]\nprot = 1\n\n[magic]\nlevel = 9\n")
    home.start()
    named = home.status()["unknown_settings"]
    assert [name.rsplit(": ", 1)[1] for name in named] == ["daemon.prot", "magic.level"]


@pytest.mark.requirement("SEC-2")
def test_every_file_is_its_owners_alone_under_a_loose_umask(home: DaemonHome) -> None:
    before = os.umask(0)
    try:
        home.start()
        daemon = home
        secret = "gh" + "p_" + "Zq7Lm2Xw9Rt4Vb8Nc1Kd6Hs3Pf5Jg0Ya2Ue"
        daemon.post("PostToolUse", BASH | {"tool_response": {"stdout": secret}})
        daemon.stop()
        daemon.home.database.rename(daemon.home.root / "aside")
        daemon.home.database.write_bytes(b"no database" * 100)
        daemon.hook(load("SessionStart-startup", session_title=secret))
        daemon.home.database.unlink()
    finally:
        os.umask(before)
    assert list(daemon.home.spool.glob("*.json"))
    for path in [daemon.home.root, *daemon.home.root.rglob("*")]:
        mode = stat.S_IMODE(path.lstat().st_mode)
        assert mode & 0o077 == 0, f"{path.relative_to(daemon.home.root)}: {mode:o}"
        if path.is_file():
            assert secret.encode() not in path.read_bytes(), path.name


@pytest.mark.requirement("SEC-2")
def test_another_user_cannot_use_the_unix_socket(daemon: DaemonHome) -> None:
    """Even where the file modes were loosened, the peer's credentials keep strangers out."""
    daemon.home.root.chmod(0o755)
    daemon.home.socket.chmod(0o777)
    script = (
        "import socket,sys; s=socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]);"
        "s.sendall(b'GET /api/journal HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n'); print(s.recv(100))"
    )
    stranger = subprocess.run(
        ["/usr/bin/env", "python3", "-c", script, str(daemon.home.socket)],
        user=65534,
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
        env={"PATH": "/usr/bin:/bin"},
    )
    assert "200 OK" not in stranger.stdout
    assert any(word in stranger.stderr for word in ("Reset", "Broken pipe")) or stranger.stdout.strip() == "b''"
    assert "of user 65534 was refused" in daemon.log()


@pytest.mark.requirement("SEC-4")
def test_the_environment_is_neither_kept_nor_handed_on(home: DaemonHome) -> None:
    marker = "environment-marker-Kd6Hs3Pf5Jg0"
    home.environment["SOME_API_KEY"] = marker
    assert is_fine(home.hook(load("SessionStart-startup")))
    until(home.guarded, "it has a guardian")
    facts = home.facts
    for pid in (facts["pid"], facts["worker_pid"], facts["guardian_pid"]):
        assert marker.encode() not in Path(f"/proc/{pid}/environ").read_bytes()
    home.stop()
    for path in home.home.root.rglob("*"):
        if path.is_file():
            assert marker.encode() not in path.read_bytes(), path.name
