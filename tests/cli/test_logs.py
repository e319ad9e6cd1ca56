"""logs: the end of the file, and what is added to it, also across a rotation."""

from __future__ import annotations

import json
import os
import signal

from tests.cli.test_journal import read_line
from tests.support.patience import PATIENCE
from tests.support.shell import Shell

LINE = "2026-11-15 20:59:00,703 WARNING holdfast.daemon.app: a knock was refused"


def test_the_last_lines(shell: Shell) -> None:
    shell.daemon.home.prepare()
    log = shell.daemon.home.logs / "daemon.log"
    log.write_text("".join(f"line {number}\n" for number in range(100)))
    assert shell.ok("logs", "-n", "2") == "line 98\nline 99\n"
    assert shell.ok("logs", "-n", "0") == ""
    assert len(shell.ok("logs").splitlines()) == 50


def test_json_takes_a_line_apart(shell: Shell) -> None:
    shell.daemon.home.prepare()
    (shell.daemon.home.logs / "daemon.log").write_text(f"{LINE}\n  of a traceback\n")
    assert [json.loads(line) for line in shell.ok("logs", "--json").splitlines()] == [
        {
            "time": "2026-11-15 20:59:00,703",
            "level": "WARNING",
            "name": "holdfast.daemon.app",
            "message": "a knock was refused",
        },
        {"message": "  of a traceback"},
    ]


def test_following_survives_a_rotation(shell: Shell) -> None:
    shell.daemon.home.prepare()
    log = shell.daemon.home.logs / "daemon.log"
    log.write_text("first\n")
    process = shell.begin("logs", "-f")
    try:
        assert read_line(process) == "first\n"
        with log.open("a") as file:
            file.write("second\n")
        assert read_line(process) == "second\n"
        os.replace(log, log.with_name("daemon.log.1"))
        log.write_text("third\n")
        assert read_line(process) == "third\n"
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
    assert process.returncode == 130


def test_the_daemon_writes_what_is_shown(running: Shell) -> None:
    assert running.daemon.post("Notification", {}, {"Authorization": "Bearer wrong"})[0] == 401
    assert "'/hooks/Notification' was refused" in running.ok("logs")
