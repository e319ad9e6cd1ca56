"""A real web server on loopback whose pages behave as badly as told: one behaviour for each row of the origin matrix.

It serves and remembers; what should follow from it is the tests' business.
"""

from __future__ import annotations

import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from email.utils import formatdate, parsedate_to_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import cast

from tests.support.patience import PATIENCE


@dataclass(frozen=True)
class Asked:
    """One request."""

    method: str
    path: str
    headers: dict[str, str]

    @property
    def is_conditional(self) -> bool:
        return bool({"if-none-match", "if-modified-since"} & self.headers.keys())


@dataclass
class Reply:
    """One answer. `endless` writes that many bytes without saying how many there are."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    endless: int = 0


@dataclass
class Sheet:
    """A page's present state; `turn` makes it another version."""

    number: int = 1
    modified: float = field(default_factory=lambda: time.time() - 3600)

    def turn(self, *, now: float | None = None) -> None:
        self.number += 1
        self.modified = time.time() - 60 if now is None else now

    @property
    def etag(self) -> str:
        return f'"v{self.number}"'

    @property
    def date(self) -> str:
        return formatdate(int(self.modified), usegmt=True)

    @property
    def body(self) -> bytes:
        return f"<h1>version {self.number}</h1>".encode()


Behaviour = Callable[[Asked, Sheet], Reply]


def page(
    etag: str = "strong",
    dated: bool = False,
    extra: dict[str, str] | None = None,
    kind: str = "text/html",
    date: Callable[[], str] | None = None,
) -> Behaviour:
    """A page of a well-behaved origin, with the validators named."""

    def behave(asked: Asked, sheet: Sheet) -> Reply:
        headers = {"Content-Type": f"{kind}; charset=utf-8", **(extra or {})}
        if etag:
            headers["ETag"] = sheet.etag if etag == "strong" else f"W/{sheet.etag}"
        if dated:
            headers["Last-Modified"] = sheet.date
        if date:
            headers["Date"] = date()
        same = asked.headers.get("if-none-match")
        since = asked.headers.get("if-modified-since")
        if same is not None:
            unchanged = bool(etag) and same.removeprefix("W/") == sheet.etag
        else:
            unchanged = dated and since is not None and parsedate_to_datetime(since).timestamp() >= int(sheet.modified)
        return Reply(304, headers) if unchanged else Reply(200, headers, sheet.body)

    return behave


def without_head(status: int, inner: Behaviour) -> Behaviour:
    """HEAD is refused, with an error page that has a validator of its own."""

    def behave(asked: Asked, sheet: Sheet) -> Reply:
        return Reply(status, {"ETag": '"error-page"'}) if asked.method == "HEAD" else inner(asked, sheet)

    return behave


def bare_head(asked: Asked, sheet: Sheet) -> Reply:
    """Validators only on GET."""
    return Reply(200, {"Content-Type": "text/html"}) if asked.method == "HEAD" else page()(asked, sheet)


def unconditional(etag: str) -> Behaviour:
    """Conditions are ignored: always 200, with validators."""
    return lambda asked, sheet: page(etag)(Asked(asked.method, asked.path, {}), sheet)


def head_unconditional(asked: Asked, sheet: Sheet) -> Reply:
    """HEAD ignores conditions, GET does not; the ETag is weak."""
    return page("weak")(Asked(asked.method, asked.path, {}) if asked.method == "HEAD" else asked, sheet)


def always_304(asked: Asked, sheet: Sheet) -> Reply:
    return (
        Reply(304, {"ETag": asked.headers.get("if-none-match", "")}) if asked.is_conditional else page()(asked, sheet)
    )


def either(asked: Asked, sheet: Sheet) -> Reply:
    """304 when any of the two validators matches."""
    told = page(dated=True)(Asked(asked.method, asked.path, {}), sheet)
    since = asked.headers.get("if-modified-since")
    if asked.headers.get("if-none-match") == sheet.etag or since == sheet.date:
        return Reply(304, told.headers)
    return told


def redirect(to: str, status: int = 302, extra: dict[str, str] | None = None) -> Behaviour:
    return lambda asked, sheet: Reply(status, {"Location": to, **(extra or {})})


def failing(status: int) -> Behaviour:
    return lambda asked, sheet: Reply(status, {"ETag": '"error-page"', "Content-Type": "text/html"}, b"no")


def held(answer: threading.Event) -> Behaviour:
    """A page that is not answered before the test says so."""

    def behave(asked: Asked, sheet: Sheet) -> Reply:
        answer.wait(PATIENCE)
        return page()(asked, sheet)

    return behave


def endless(size: int) -> Behaviour:
    """A page of `size` bytes behind a HEAD that says nothing."""

    def behave(asked: Asked, sheet: Sheet) -> Reply:
        told = page()(asked, sheet)
        if asked.method == "HEAD":
            return Reply(405)
        return told if told.status == 304 else Reply(200, told.headers, endless=size)

    return behave


class Origin:
    """Serves `pages` (path → behaviour) with one sheet per path. Use it as a context manager."""

    def __init__(self, *, host: str = "127.0.0.1", port: int = 0, tls: Path | None = None) -> None:
        self.pages: dict[str, Behaviour] = {}
        self.sheets: dict[str, Sheet] = {}
        self.requests: list[Asked] = []
        self.sent = 0
        self.connections = 0
        self.open: set[socket.socket] = set()
        self._host = host
        self._server = _Server((host, port), self)
        self._scheme = "http"
        if tls is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(tls / "server.pem", tls / "server.key")
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
            self._scheme = "https"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self) -> Origin:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Gone for good: connections that are still kept end too."""
        self._server.shutdown()
        self._server.server_close()
        for connection in list(self.open):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    @property
    def port(self) -> int:
        return self._server.server_port

    def add(self, path: str, behaviour: Behaviour | None = None) -> str:
        """Put a page there (or let it behave otherwise from now on); its URL."""
        self.pages[path] = behaviour or page()
        self.sheets.setdefault(path, Sheet())
        return self.url(path)

    def url(self, path: str) -> str:
        return f"{self._scheme}://{self._host}:{self.port}{path}"

    def asked(self, path: str = "", method: str = "") -> list[Asked]:
        return [each for each in self.requests if (not path or each.path == path) and method in ("", each.method)]


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address: tuple[str, int], origin: Origin) -> None:
        super().__init__(address, _Handler)
        self.origin = origin

    def handle_error(self, request: object, client_address: object) -> None:
        pass  # a prober that hangs up in the middle of a body is what some tests are about


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def setup(self) -> None:
        super().setup()
        origin = cast(_Server, self.server).origin
        origin.connections += 1
        origin.open.add(self.connection)

    def finish(self) -> None:
        super().finish()
        cast(_Server, self.server).origin.open.discard(self.connection)

    def log_message(self, format: str, *args: object) -> None:
        pass

    def _any(self) -> None:
        origin = cast(_Server, self.server).origin
        path = self.path.partition("?")[0]
        asked = Asked(self.command, path, {name.lower(): value for name, value in self.headers.items()})
        origin.requests.append(asked)
        behaviour = origin.pages.get(path, failing(404))
        reply = behaviour(asked, origin.sheets.setdefault(path, Sheet()))
        self.send_response_only(reply.status)
        for name, value in ({"Date": formatdate(usegmt=True)} | reply.headers).items():
            self.send_header(name, value)
        if reply.endless:
            self.send_header("Connection", "close")
        elif reply.status != 304:
            self.send_header("Content-Length", str(len(reply.body)))
        self.end_headers()
        if self.command == "HEAD" or reply.status == 304:
            return
        for _ in range(reply.endless // 65_536):
            self.wfile.write(b"x" * 65_536)
            origin.sent += 65_536
        self.wfile.write(reply.body)

    do_GET = do_HEAD = _any


def make_authority(folder: Path) -> Path:
    """A certificate authority and a certificate for 127.0.0.1, by the openssl command; the authority's file."""
    folder.mkdir(parents=True, exist_ok=True)
    key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    (folder / "names").write_text("subjectAltName=IP:127.0.0.1\nbasicConstraints=CA:FALSE\n")
    authority = (
        *("req", "-x509", *key, "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=a test's own"),
        *("-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign"),
    )
    request = ("req", *key, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=127.0.0.1")
    signed = (
        *("x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial"),
        *("-out", "server.pem", "-days", "2", "-extfile", "names"),
    )
    for words in (authority, request, signed):
        subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)
    return folder / "ca.pem"
