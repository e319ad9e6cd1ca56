"""The small HTTP client: what it sends, and what it makes of any answer."""

from __future__ import annotations

import io
import socket
from collections.abc import Iterator

import pytest

from holdfast.doors.http_client import BrokenAnswer, HttpConnection

pytestmark = pytest.mark.requirement("HSE-9")

Pair = tuple[HttpConnection, socket.socket]


@pytest.fixture
def pair() -> Iterator[Pair]:
    """A connection, and the other end of it."""
    here, there = socket.socketpair()
    connection = HttpConnection("/nowhere", 5)
    connection._socket = here
    with here, there:
        yield connection, there


def _answered(answer: bytes, step: int) -> tuple[int, dict[str, str], bytes]:
    """What the client reads of an answer that comes in steps of so many bytes and then ends."""
    connection = HttpConnection("/nowhere", 5)
    arriving = io.BytesIO(answer)
    connection._received = lambda most: arriving.read(min(most, step))  # type: ignore[method-assign]
    found = connection.answer()
    return found.status, dict(found.headers), found.read()


def test_a_request_is_written_as_http_says(pair: Pair) -> None:
    connection, there = pair
    connection.request("POST", "/api/tools/ö x?n=1", b"{}", {"X-Holdfast-Cwd": "/home/é"})
    head, _, body = there.recv(65_536).partition(b"\r\n\r\n")
    first, *headers = head.decode("latin-1").split("\r\n")
    assert first == "POST /api/tools/%C3%B6%20x?n=1 HTTP/1.1"
    assert set(headers) == {"Host: localhost", "Connection: close", "X-Holdfast-Cwd: /home/é", "Content-Length: 2"}
    assert body == b"{}"
    connection.request("GET", "/api/status")
    assert b"Content-Length" not in there.recv(65_536)
    with pytest.raises(ValueError, match="line break"):
        connection.request("GET", "/", headers={"X-Holdfast-Cwd": "a\r\nX-Other: b"})


def test_every_form_of_a_body_is_read_whole_however_it_arrives() -> None:
    head = b"HTTP/1.1 200 OK\r\nX-Holdfast-Outdated: 1\r\n"
    forms = (
        b"Content-Length: 9\r\n\r\nsome body",
        b"\r\nsome body",
        b"Transfer-Encoding: chunked\r\n\r\n4;name=x\r\nsome\r\n5\r\n body\r\n0\r\nX-Trailer: y\r\n\r\n",
    )
    for form in forms:
        for step in (1, 3, 7, 65_536):
            status, headers, body = _answered(head + form, step)
            assert (status, headers["x-holdfast-outdated"], body) == (200, "1", b"some body"), (form, step)


def test_half_an_answer_and_what_is_no_http_are_errors_of_the_connection() -> None:
    broken = (
        b"",
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"HTTP/1.1 abc\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nsome",
        b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\nsome body",
        b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nsome body",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nso",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nsome\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nsome\r\n0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 50_000,
        b"HTTP/1.1 200 OK\r\nX: " + b"y" * 300_000,
    )
    for answer in broken:
        with pytest.raises(BrokenAnswer):
            _answered(answer, 4_096)
