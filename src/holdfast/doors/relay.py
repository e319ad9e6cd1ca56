"""`holdfast mcp`: MCP by stdio, as a thin relay to the daemon's `/mcp`. Standard library only, so it starts at once.

One line in is one request to the daemon, its answer one line out. Where the client stands (its project's folder) goes
along as a header. A daemon that is away is started; a request that cannot be delivered gets an error, not silence.
"""

from __future__ import annotations

import http.client
import json
import os
import socket
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, BinaryIO

from holdfast import alone
from holdfast.paths import Home

_PATIENCE = 10.0
_TIMEOUT = 120.0
_VERSION_KEY = "io.modelcontextprotocol/protocolVersion"


class Relay:
    """Carries messages between the two streams and the daemon."""

    def __init__(self, home: Home, output: BinaryIO, cwd: str) -> None:
        self._home = home
        self._output = output
        self._cwd = cwd
        self._version: str | None = None
        self._lock = threading.Lock()

    def run(self, source: BinaryIO) -> None:
        """Until the client closes its end. Requests run beside each other; the handshake goes first."""
        with ThreadPoolExecutor(8) as pool:
            for line in source:
                if not line.strip():
                    continue
                message = _parsed(line)
                if message.get("method") in ("initialize", "server/discover"):
                    self._carry(line, message)
                else:
                    pool.submit(self._carry, line, message)

    def _carry(self, line: bytes, message: dict[str, Any]) -> None:
        try:
            body = self._post(line.strip(), message)
        except (OSError, http.client.HTTPException) as error:
            body = _failure(message, f"The holdfast daemon does not answer ({error}). Try `holdfast doctor`.")
        if not body:
            return
        if message.get("method") == "initialize":
            result = _parsed(body).get("result")
            self._version = result.get("protocolVersion") if isinstance(result, dict) else None
        with self._lock:
            self._output.write(body.replace(b"\n", b" ") + b"\n")
            self._output.flush()

    def _post(self, line: bytes, message: dict[str, Any]) -> bytes:
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "X-Holdfast-Cwd": self._cwd.encode("utf-8", "replace").decode("latin-1"),
        } | _modern_headers(message)
        if "MCP-Protocol-Version" not in headers and self._version:
            headers["MCP-Protocol-Version"] = self._version
        connection = self._connect()
        try:
            connection.request("POST", "/mcp", line, headers)
            answer = connection.getresponse()
            body = answer.read()
        finally:
            connection.close()
        if not body and answer.status >= 400:
            return _failure(message, f"The daemon answered {answer.status}.")
        return body

    def _connect(self) -> _UnixConnection:
        until = time.monotonic() + _PATIENCE
        started = False
        while True:
            connection = _UnixConnection(self._home.socket)
            try:
                connection.connect()
                return connection
            except OSError:
                if time.monotonic() > until:
                    raise
                if not started:
                    alone.start(self._home)
                    started = True
                time.sleep(0.05)


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: Path) -> None:
        super().__init__("localhost", timeout=_TIMEOUT)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._path))


def _modern_headers(message: dict[str, Any]) -> dict[str, str]:
    """What a request of the protocol without sessions says inside itself, HTTP wants in headers too."""
    params = message.get("params")
    meta = params.get("_meta") if isinstance(params, dict) else None
    version = meta.get(_VERSION_KEY) if isinstance(meta, dict) else None
    if not isinstance(version, str) or not isinstance(params, dict):
        return {}
    headers = {"MCP-Protocol-Version": version, "Mcp-Method": str(message.get("method", ""))}
    name = params.get("name") or params.get("uri")
    return headers | ({"Mcp-Name": name} if isinstance(name, str) else {})


def _parsed(line: bytes) -> dict[str, Any]:
    try:
        message = json.loads(line)
    except ValueError:
        return {}
    return message if isinstance(message, dict) else {}


def _failure(message: dict[str, Any], sentence: str) -> bytes:
    if "id" not in message:
        return b""
    error = {"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32000, "message": sentence}}
    return json.dumps(error).encode()


def main(home: Home) -> None:
    """Serve the client that started us."""
    cwd = os.environ.get("CLAUDE_PROJECT_DIR") or os.getcwd()
    Relay(home, sys.stdout.buffer, cwd).run(sys.stdin.buffer)
