"""A daemon that answers, but fails: the command client leaves the event in the spool, and it is there once."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from holdfast import lock, spool
from tests.support.daemon import DaemonHome, until
from tests.support.patience import PATIENCE
from tests.support.payloads import load

START = load("SessionStart-startup")


@contextmanager
def failing(home: DaemonHome, *statuses: int) -> Iterator[list[bytes]]:
    """Something in the daemon's place: it holds the lock and answers with these statuses. What it was sent."""
    home.home.prepare()
    held = lock.take(home.home.lock)
    assert held is not None
    sent: list[bytes] = []
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as door:
        door.bind(str(home.home.socket))
        door.listen()
        answering = threading.Thread(target=_answer, args=(door, statuses, sent))
        answering.start()
        try:
            yield sent
        finally:
            door.shutdown(socket.SHUT_RDWR)
            answering.join(PATIENCE)
            home.home.socket.unlink()
            os.close(held)


def _answer(door: socket.socket, statuses: tuple[int, ...], sent: list[bytes]) -> None:
    for status in statuses:
        try:
            connection, _ = door.accept()
        except OSError:
            return
        with connection:
            data = b""
            while not data.endswith(b"}"):
                data += connection.recv(1 << 16)
            sent.append(data)
            connection.sendall(b'HTTP/1.1 %d Whatever\r\nContent-Length: 12\r\n\r\n{"error":""}' % status)


def id_in(request: bytes) -> str:
    return request.partition(b"X-Holdfast-Id: ")[2].partition(b"\r\n")[0].decode()


@pytest.mark.requirement("EVT-8")
@pytest.mark.parametrize("status", [500, 503])
def test_an_event_at_which_the_daemon_fails_is_taken_in_later(home: DaemonHome, status: int) -> None:
    with failing(home, status, status, status) as sent:
        done = home.hook(START)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"{}", b"")
        assert len(sent) == 2, "it is asked once more, and then no more"
    (waiting,) = spool.waiting(home.home.spool)
    assert {id_in(request) for request in sent} == {spool.take(waiting).id}
    home.start()
    until(lambda: not spool.waiting(home.home.spool), "the spool is drained")
    assert [(entry["event"], entry["source"]) for entry in home.journal()] == [("SessionStart", "spool")]


@pytest.mark.requirement("EVT-7")
def test_an_event_that_was_kept_before_the_daemon_failed_is_there_once(home: DaemonHome) -> None:
    with failing(home, 500, 500) as sent:
        assert home.hook(START).stdout == b"{}"
    (waiting,) = spool.waiting(home.home.spool)
    held_back = waiting.read_bytes()
    waiting.unlink()
    home.start()
    assert home.post("SessionStart", START, {"X-Holdfast-Door": "command", "X-Holdfast-Id": id_in(sent[0])})[0] == 200
    waiting.write_bytes(held_back)
    until(lambda: not spool.waiting(home.home.spool), "the spool is drained")
    assert [(entry["event"], entry["source"]) for entry in home.journal()] == [("SessionStart", "command")]


@pytest.mark.requirement("EVT-8")
def test_a_failure_that_is_over_at_the_second_try_leaves_nothing_behind(home: DaemonHome) -> None:
    with failing(home, 500, 200) as sent:
        assert home.hook(START).stdout == b'{"error":""}'
        assert len({id_in(request) for request in sent}) == 1
    assert spool.waiting(home.home.spool) == []


@pytest.mark.requirement("EVT-8")
@pytest.mark.parametrize("status", [400, 401, 404, 413])
def test_what_the_daemon_refuses_is_not_kept(home: DaemonHome, status: int) -> None:
    with failing(home, status, 200) as sent:
        done = home.hook(START)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"{}", b"")
        assert len(sent) == 1
    assert spool.waiting(home.home.spool) == []
