"""`holdfast mcp`: MCP by stdio, as a thin relay to the daemon's `/mcp`. Standard library only, so it starts at once.

One line in is one request to the daemon, its answer one line out. Where the client stands (its project's folder) goes
along as a header. A daemon that is away is started; a request that cannot be delivered gets an error, not silence.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, BinaryIO

from holdfast import __version__, revive
from holdfast.doors.cli.client import whereabouts
from holdfast.doors.http_client import HttpConnection
from holdfast.paths import Home

_PATIENCE = 10.0
_TIMEOUT = 120.0
_NO_SUCH_METHOD = -32601
_BY = "HOLDFAST_MCP_BY"
"""Who started the relay: the plugin says so in its `.mcp.json`."""
_VERSION_KEY = "io.modelcontextprotocol/protocolVersion"


class Relay:
    """Carries messages between the two streams and the daemon."""

    def __init__(self, home: Home, output: BinaryIO, folder: str) -> None:
        self._home = home
        self._output = output
        self._whereabouts = whereabouts(folder)
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
        except OSError as error:
            body = _failure(message, f"The holdfast daemon does not answer ({error}). Try `holdfast doctor`.")
        except Exception as error:  # in a thread of the pool nobody would hear of it, and the client would wait
            body = _failure(message, f"This could not be passed on to the holdfast daemon ({error}).")
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
        }
        headers |= self._whereabouts | _modern_headers(message)
        if "MCP-Protocol-Version" not in headers and self._version:
            headers["MCP-Protocol-Version"] = self._version
        connection = self._connect()
        try:
            connection.request("POST", "/mcp", line, headers)
            answer = connection.answer()
            body = answer.read()
        finally:
            connection.close()
        if not body and answer.status >= 400:
            return _failure(message, f"The daemon answered {answer.status}.")
        return body

    def _connect(self) -> HttpConnection:
        until = time.monotonic() + _PATIENCE
        started = False
        while True:
            connection = HttpConnection(str(self._home.socket), _TIMEOUT)
            try:
                connection.connect()
                return connection
            except OSError:
                if time.monotonic() > until or self._home.stopped.exists():
                    raise
                if not started:
                    revive.start(str(self._home.root))
                    started = True
                time.sleep(0.05)


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
    except (ValueError, RecursionError):
        return {}
    return message if isinstance(message, dict) else {}


def _failure(message: dict[str, Any], sentence: str, code: int = -32000) -> bytes:
    if "id" not in message:
        return b""
    error = {"jsonrpc": "2.0", "id": message["id"], "error": {"code": code, "message": sentence}}
    return json.dumps(error).encode()


class Silent:
    """An MCP server without tools. The plugin's server is this where the same tools are registered with the client by
    `holdfast up`: else the model would have each of them under two names."""

    def __init__(self, output: BinaryIO) -> None:
        self._output = output

    def run(self, source: BinaryIO) -> None:
        for message in map(_parsed, source):
            if "id" not in message:
                continue
            if message.get("method") != "initialize":
                body = _failure(message, "The tools of holdfast are served beside the plugin.", _NO_SUCH_METHOD)
            else:
                params = message.get("params")
                wanted = params.get("protocolVersion") if isinstance(params, dict) else None
                about = {"name": "holdfast", "version": __version__}
                result = {"protocolVersion": wanted, "capabilities": {}, "serverInfo": about}
                body = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode()
            self._output.write(body + b"\n")
            self._output.flush()


def tools_are_registered(home: Home) -> bool:
    """Did `holdfast up` register the tools with the client? The manifest knows."""
    try:
        record = json.loads(home.manifest.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(record, dict) and bool(record.get("server"))


def main(home: Home) -> None:
    """Serve the client that started us."""
    if os.environ.get(_BY) == "plugin" and tools_are_registered(home):
        Silent(sys.stdout.buffer).run(sys.stdin.buffer)
    else:
        Relay(home, sys.stdout.buffer, os.environ.get("CLAUDE_PROJECT_DIR", "")).run(sys.stdin.buffer)
