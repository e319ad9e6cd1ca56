"""backup: a whole, private copy, made while the daemon works, that overwrites nothing."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.shell import Shell


def test_a_backup_holds_what_the_store_holds(running: Shell, tmp_path: Path) -> None:
    running.daemon.post("Notification", {"session_id": "s", "message": "keep me"})
    made = running.json("backup", "copy.db")
    target = running.folder / "copy.db"
    assert made == {"path": str(target), "bytes": target.stat().st_size}
    assert target.stat().st_mode & 0o777 == 0o600
    with closing(sqlite3.connect(target)) as copy:
        assert copy.execute("SELECT count(*) FROM journal WHERE payload LIKE '%keep me%'").fetchone() == (1,)


def test_without_a_name_it_goes_into_the_home(running: Shell) -> None:
    running.ok("backup")
    assert [path.suffix for path in running.daemon.home.backups.iterdir()] == [".db"]


def test_it_overwrites_nothing(running: Shell) -> None:
    there = running.folder / "there.db"
    there.write_text("mine")
    done = running.run("backup", str(there))
    assert done.returncode == 4
    assert "overwrites nothing" in done.stderr
    assert there.read_text() == "mine"


def test_without_a_daemon_it_is_not_made(shell: Shell) -> None:
    assert shell.run("backup").returncode == 3


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b'{"path": "relative.db"}', 400),
        (b'{"path": 5}', 400),
        (b"not json", 400),
        (b'{"path": "/nowhere/at/all/copy.db"}', 400),
        (b'{"path": "/etc"}', 409),
        (b'{"path": "/tmp/a\\u0000b"}', 400),
    ],
)
def test_the_door_refuses_odd_requests(running: Shell, body: bytes, status: int) -> None:
    code, answer = running.daemon.request("POST", "/api/backup", body)
    assert (code, set(answer)) == (status, {"error"})
    json.dumps(answer)
