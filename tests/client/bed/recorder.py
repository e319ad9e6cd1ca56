"""A stand-in for the daemon in the bed's own tests: it records hook payloads and answers as scripted.

Also the settings that register events with it, by http or by command. It decides nothing.
"""

import json
import shlex
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Literal, NamedTuple, cast

from tests.support.patience import PATIENCE

# The 33 events of client 2.1.325.
EVENTS = (
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "Notification",
    "UserPromptSubmit",
    "UserPromptExpansion",
    "SessionStart",
    "SessionEnd",
    "Stop",
    "StopFailure",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "PostCompact",
    "PreModelSwitch",
    "PostModelSwitch",
    "PermissionRequest",
    "PermissionDenied",
    "Setup",
    "TeammateIdle",
    "TaskCreated",
    "TaskCompleted",
    "Elicitation",
    "ElicitationResult",
    "ConfigChange",
    "WorktreeCreate",
    "WorktreeRemove",
    "InstructionsLoaded",
    "CwdChanged",
    "FileChanged",
    "DirectoryAdded",
    "MessageDisplay",
)
# Registering WorktreeCreate replaces the client's own worktrees, so no test gets it unasked.
HARMLESS: tuple[str, ...] = tuple(event for event in EVENTS if event != "WorktreeCreate")
# The client skips http hooks of these without a word.
_ONLY_BY_COMMAND = ("SessionStart", "Setup")

Payload = dict[str, Any]


class Recorded(NamedTuple):
    """One hook call: the event of its path, the payload, and when it came on the monotonic clock."""

    event: str
    payload: Payload
    arrived: float


@dataclass(frozen=True)
class Reply:
    """How the recorder answers an event. `die` drops the connection without an answer."""

    body: Mapping[str, Any] | str | None = None
    status: int = 200
    delay: float = 0.0
    die: bool = False


class Recorder:
    """Records every POST to /hooks/{Event}. Use it as a context manager."""

    def __init__(self) -> None:
        self.calls: list[Recorded] = []
        self._replies: dict[str, Reply | Callable[[Payload], Reply]] = {}
        self._changed = threading.Condition()
        self._closing = threading.Event()
        self._server = _Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self) -> "Recorder":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/hooks"

    def reply(self, event: str, reply: Reply | Callable[[Payload], Reply]) -> None:
        """The answer to every call of an event; a function sees the payload first."""
        self._replies[event] = reply

    def context(self, event: str, text: str) -> None:
        """Answers an event with additionalContext."""
        output = {"hookEventName": event, "additionalContext": text}
        self.reply(event, Reply({"hookSpecificOutput": output}))

    def deny(self, reason: str) -> None:
        """Answers every PreToolUse with a denial."""
        output = {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": reason,
        }
        self.reply("PreToolUse", Reply({"hookSpecificOutput": output}))

    def of(self, event: str) -> list[Payload]:
        with self._changed:
            return [call.payload for call in self.calls if call.event == event]

    def events(self) -> list[str]:
        with self._changed:
            return [call.event for call in self.calls]

    def wait_for(self, event: str, count: int = 1, timeout: float = PATIENCE) -> Payload:
        """The payload of the count-th call of an event, waiting until it comes."""
        with self._changed:
            if not self._changed.wait_for(lambda: self.events().count(event) >= count, timeout):
                raise AssertionError(f"{event} did not come {count} times in {timeout} s; came: {self.events()}.")
            return self.of(event)[count - 1]

    def settings(
        self,
        events: Iterable[str] = HARMLESS,
        kind: Literal["http", "command"] = "http",
        timeout: int | None = None,
    ) -> dict[str, Any]:
        """Settings that send these events here; those the client never sends by http go by command."""
        hooks: dict[str, Any] = {}
        for event in events:
            url = f"{self.url}/{event}"
            by_http = kind == "http" and event not in _ONLY_BY_COMMAND
            hook: dict[str, Any] = (
                {"type": "http", "url": url} if by_http else {"type": "command", "command": _command(url)}
            )
            if timeout is not None:
                hook["timeout"] = timeout
            hooks[event] = [{"hooks": [hook]}]
        return {"hooks": hooks}

    def record(self, event: str, payload: Payload) -> Reply:
        with self._changed:
            self.calls.append(Recorded(event, payload, time.monotonic()))
            self._changed.notify_all()
        reply = self._replies.get(event, Reply())
        chosen = reply(payload) if callable(reply) else reply
        self._closing.wait(chosen.delay)
        return chosen


_FORWARD = (
    "import sys,urllib.request as u;"
    "o=u.build_opener(u.ProxyHandler({}));"
    "print(o.open(u.Request(sys.argv[1],sys.stdin.buffer.read())).read().decode(),end='')"
)


def _command(url: str) -> str:
    return shlex.join([sys.executable, "-I", "-S", "-c", _FORWARD, url])


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, recorder: Recorder) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.recorder = recorder

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is part of the tests; anything else is shown."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_POST(self) -> None:
        payload = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)))
        reply = cast(_Server, self.server).recorder.record(self.path.rpartition("/")[2], payload)
        if reply.die:
            self.close_connection = True
            return
        body = reply.body if isinstance(reply.body, str) else json.dumps(reply.body) if reply.body else ""
        self.send_response(reply.status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body.encode())))
        self.end_headers()
        self.wfile.write(body.encode())
