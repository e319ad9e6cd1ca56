"""The scripted Messages API on loopback: it answers the client from a script and keeps all it was asked.

It knows nothing of hooks or settings; what a request is stands in request.py, what an answer is in script.py.
"""

import json
import sys
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, NamedTuple, cast

from tests.client.bed.request import Kind, Request, ToolResult
from tests.client.bed.script import Answer, Fail, Say, Turn, Use, as_turn, message, stream
from tests.support.patience import PATIENCE

Step = Answer | Callable[[Request], Answer]
When = Callable[[Request], bool]

SUMMARY = "<summary>The scripted summary of the conversation so far.</summary>"
_ENDED = "The script has no more steps."


class Place(NamedTuple):
    """Where a text stood before the model: index in `Api.requests`, role, kind of block."""

    request: int
    role: str
    block: str


class Call(NamedTuple):
    """A tool call that was served to the client."""

    id: str
    use: Use
    agent: str | None


class _Script:
    """The steps for one kind of conversation; each conversation that matches walks them from the start."""

    def __init__(self, steps: tuple[Step, ...], when: When) -> None:
        self.steps = steps
        self.when = when
        self.taken: dict[str, int] = {}

    def next(self, conversation: str) -> Step | None:
        at = self.taken.get(conversation, 0)
        if at >= len(self.steps):
            return None
        self.taken[conversation] = at + 1
        return self.steps[at]


class Api:
    """A scripted Messages API. Use it as a context manager; `url` is what ANTHROPIC_BASE_URL wants."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.calls: list[Call] = []
        self.unscripted: list[Request] = []
        self.summary: Answer = Say(SUMMARY)
        self._main: list[Step] = []
        self._scripts: list[_Script] = []
        self._sides: list[tuple[str, Answer]] = []
        self._changed = threading.Condition()
        self._closing = threading.Event()
        self._server = _Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self) -> "Api":
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
        return f"http://127.0.0.1:{self._server.server_port}"

    # Scripting

    def script(self, *steps: Step, when: When | None = None) -> None:
        """Adds steps to the main conversation, over all sessions; with `when`, to those it matches."""
        with self._changed:
            if when is None:
                self._main.extend(steps)
            else:
                self._scripts.append(_Script(steps, when))

    def agent(self, prompt: str, *steps: Step) -> None:
        """The script of every subagent whose prompt contains this text; each such agent walks all of it."""
        self.script(*steps, when=lambda asked: asked.kind is Kind.AGENT and _in(prompt, asked.prompts()))

    def side(self, text: str, answer: Answer) -> None:
        """The answer to side requests (a WebFetch summary, a prompt hook) that contain this text."""
        self._sides.append((text, answer))

    def left(self) -> int:
        """How many steps of the main conversation were not asked for yet."""
        with self._changed:
            return len(self._main)

    # What reached the model

    def of(self, kind: Kind) -> list[Request]:
        with self._changed:
            return [asked for asked in self.requests if asked.kind is kind]

    def where(self, text: str, kind: Kind | None = None) -> list[Place]:
        """Every place where this text stood before the model, oldest first."""
        with self._changed:
            asked = [each for each in self.requests if kind is None or each.kind is kind]
        return [
            Place(each.index, said.role, said.block) for each in asked for said in each.texts() if text in said.text
        ]

    def reached(self, text: str, kind: Kind | None = None) -> bool:
        return bool(self.where(text, kind))

    def tool_results(self) -> dict[str, ToolResult]:
        """What the model was told about each tool call, by tool_use_id."""
        with self._changed:
            asked = list(self.requests)
        return {id: result for each in asked for id, result in each.tool_results().items()}

    def id_of(self, use: Use) -> str:
        """The tool_use_id under which this step was last served."""
        with self._changed:
            served = [call.id for call in self.calls if call.use is use]
        if not served:
            raise AssertionError(f"{use.tool} was never served: the conversation did not get to that step.")
        return served[-1]

    def result(self, use: Use) -> ToolResult:
        """What the model was told about this step's call."""
        results, id = self.tool_results(), self.id_of(use)
        if id not in results:
            raise AssertionError(f"no request carried a result for {use.tool} ({id}).")
        return results[id]

    def wait_for(self, predicate: When, timeout: float = PATIENCE) -> Request:
        """The first request that satisfies the predicate, waiting until it comes."""
        deadline = time.monotonic() + timeout
        with self._changed:
            while True:
                for asked in self.requests:
                    if predicate(asked):
                        return asked
                if not self._changed.wait(max(0.0, deadline - time.monotonic())):
                    kinds = ", ".join(asked.kind.value for asked in self.requests) or "none"
                    raise AssertionError(f"no such request within {timeout} s; requests so far: {kinds}.")

    def busy(self) -> bool:
        """Whether a request waits for its answer."""
        with self._changed:
            return any(asked.answered is None for asked in self.requests)

    # Answering

    def receive(self, method: str, path: str, headers: dict[str, str], raw: bytes) -> Request:
        body = json.loads(raw) if raw else {}
        with self._changed:
            asked = Request(len(self.requests), method, path, headers, body, time.monotonic())
            self.requests.append(asked)
            self._changed.notify_all()
        return asked

    def answer(self, asked: Request) -> Answer | dict[str, Any]:
        """The scripted answer, after its delay; a dict is a plain JSON answer."""
        match asked.kind:
            case Kind.OTHER:
                return {}
            case Kind.COUNT:
                return {"input_tokens": 1000}
            case Kind.COMPACTION:
                chosen = self.summary
            case Kind.SIDE:
                texts = [said.text for said in asked.texts()]
                chosen = next((answer for text, answer in self._sides if _in(text, texts)), Say("A short answer."))
            case Kind.MAIN | Kind.AGENT:
                chosen = self._scripted(asked)
        if isinstance(chosen, Turn):
            self._closing.wait(chosen.delay)
            while chosen.hold and not chosen.hold.wait(0.05) and not self._closing.is_set():
                pass
        return chosen

    def served(self, asked: Request, calls: list[tuple[str, Use]]) -> None:
        with self._changed:
            self.calls.extend(Call(id, use, asked.agent) for id, use in calls)

    def done(self, asked: Request) -> None:
        with self._changed:
            asked.answered = time.monotonic()
            self._changed.notify_all()

    def _scripted(self, asked: Request) -> Answer:
        with self._changed:
            step = self._next(asked)
            if step is None:
                self.unscripted.append(asked)
                return Say(_ENDED)
        return step(asked) if callable(step) else step

    def _next(self, asked: Request) -> Step | None:
        for script in self._scripts:
            if script.when(asked):
                return script.next(asked.agent or asked.session or "")
        if asked.kind is Kind.MAIN and self._main:
            return self._main.pop(0)
        return None


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, api: Api) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.api = api

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away (killed, Esc) is part of the tests; anything else is shown."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Head and body are two writes. Where requests follow each other within 40 ms, the second waits for the client's
    # delayed acknowledgement of the first: 44 ms for every answer, but only in sessions that nothing slows down.
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: object) -> None:
        pass

    def _any(self) -> None:
        api = cast(_Server, self.server).api
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked = api.receive(self.command, self.path, headers, raw)
        try:
            self._send(api, asked, api.answer(asked))
        finally:
            api.done(asked)

    def _send(self, api: Api, asked: Request, answer: Answer | dict[str, Any]) -> None:
        if isinstance(answer, dict):
            self._reply(200, "application/json", json.dumps(answer).encode())
        elif isinstance(answer, Fail):
            self._reply(answer.status, "application/json", answer.body(), retry=answer.retry)
        else:
            whole, calls = message(as_turn(answer), asked.model)
            api.served(asked, calls)
            if asked.body.get("stream"):
                self._reply(200, "text/event-stream", stream(whole))
            else:
                self._reply(200, "application/json", json.dumps(whole).encode())

    def _reply(self, status: int, kind: str, body: bytes, *, retry: bool = True) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        if not retry:
            self.send_header("x-should-retry", "false")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = _any


def _in(text: str, texts: list[str]) -> bool:
    return any(text in each for each in texts)
