"""A small HTTP/1.1 client for the daemon: a connection carries one request and its answer.

`http.client` would load the parser of mails and TLS, which is a quarter of what `holdfast status` takes in all;
`socket` is a layer of names over `_socket`. Whatever is wrong with an answer is an OSError.
"""

from __future__ import annotations

import _socket
from collections.abc import Iterator, Mapping

_BLOCK = 256 * 1024
_LONGEST_HEAD = 64 * 1024
HAS_UNIX = hasattr(_socket, "AF_UNIX")


class BrokenAnswer(OSError):
    """The connection ended before the answer did, or it is no HTTP."""


class HttpConnection:
    """To a Unix socket (its path), or to a port of this machine."""

    def __init__(self, address: str | int, timeout: float) -> None:
        self._address = address
        self._timeout = timeout
        self._socket: _socket.socket | None = None
        self._read = b""

    def connect(self) -> None:
        family = _socket.AF_INET
        address: str | tuple[str, int | str] = ("127.0.0.1", self._address)
        if isinstance(self._address, str):
            family, address = _socket.AF_UNIX, self._address
        self._socket = _socket.socket(family, _socket.SOCK_STREAM)
        try:
            self._socket.settimeout(self._timeout)
            self._socket.connect(address)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def request(self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] = {}) -> None:
        """Send a request. The connection is for this one: the daemon closes it after the answer."""
        if self._socket is None:
            self.connect()
        assert self._socket is not None
        host = "localhost" if isinstance(self._address, str) else f"127.0.0.1:{self._address}"
        told = {"Host": host, "Connection": "close", **headers}
        if body is not None or method == "POST":
            told["Content-Length"] = str(len(body or b""))
        lines = [f"{method} {_written(path)} HTTP/1.1", *(f"{name}: {value}" for name, value in told.items())]
        if any("\r" in line or "\n" in line for line in lines):
            raise ValueError("A header with a line break cannot be sent.")
        self._socket.sendall("\r\n".join([*lines, "", ""]).encode("latin-1") + (body or b""))

    def answer(self) -> HttpAnswer:
        """The beginning of the answer: its status and headers."""
        version, _, rest = self.line().partition(b" ")
        status = rest[:3]
        if not version.startswith(b"HTTP/1.") or not status.isdigit():
            raise BrokenAnswer("what was answered is no HTTP")
        headers: dict[str, str] = {}
        length = 0
        while line := self.line():
            length += len(line)
            name, _, value = line.partition(b":")
            headers[name.decode("latin-1").lower()] = value.strip().decode("latin-1")
            if length > _LONGEST_HEAD:
                raise BrokenAnswer("the answer's headers have no end")
        return HttpAnswer(int(status), headers, self)

    def some(self, most: int = _BLOCK) -> bytes:
        """What is there of the next bytes, `most` at most; nothing at the end."""
        found, self._read = self._read[:most], self._read[most:]
        return found or self._received(most)

    def line(self) -> bytes:
        while (end := self._read.find(b"\n")) < 0:
            more = self._received(_LONGEST_HEAD)
            self._read += more
            if not more or len(self._read) > 2 * _LONGEST_HEAD:
                raise BrokenAnswer("the connection ended before the answer did")
        line, self._read = self._read[:end], self._read[end + 1 :]
        return line.rstrip(b"\r")

    def _received(self, most: int) -> bytes:
        if self._socket is None:
            raise BrokenAnswer("the connection is closed")
        return self._socket.recv(most)


class HttpAnswer:
    """One answer. Its body is read once: as a whole, or in blocks."""

    def __init__(self, status: int, headers: Mapping[str, str], connection: HttpConnection) -> None:
        self.status = status
        self.headers = headers
        self._connection = connection

    def read(self) -> bytes:
        return b"".join(self.blocks())

    def blocks(self) -> Iterator[bytes]:
        """The body as it comes. One that ends too early raises: half of an export is none."""
        if self.headers.get("transfer-encoding", "").lower() == "chunked":
            yield from self._chunks()
        elif (length := self.headers.get("content-length")) is not None:
            yield from self._exactly(_number(length, 10))
        else:
            while block := self._connection.some():
                yield block

    def _chunks(self) -> Iterator[bytes]:
        while size := _number(self._connection.line().partition(b";")[0].decode("latin-1"), 16):
            yield from self._exactly(size)
            self._connection.line()
        while self._connection.line():
            pass

    def _exactly(self, left: int) -> Iterator[bytes]:
        while left:
            block = self._connection.some(min(left, _BLOCK))
            if not block:
                raise BrokenAnswer("the connection ended before the answer did")
            left -= len(block)
            yield block


def _number(text: str, base: int) -> int:
    try:
        number = int(text, base)
    except ValueError:
        number = -1
    if number < 0:
        raise BrokenAnswer("the answer does not say how long it is")
    return number


def _written(path: str) -> str:
    """A path as a request line takes it."""
    if path.isascii() and path.isprintable() and " " not in path:
        return path
    return "".join(chr(byte) if 0x21 <= byte <= 0x7E else f"%{byte:02X}" for byte in path.encode("utf-8", "replace"))
