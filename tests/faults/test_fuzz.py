"""A fuzz run over every door: no failure of the daemon, no traceback in its log, no growth, within a minute.

The same examples each time, so that a red run can be repeated. For a long run with new ones:
`pytest tests/faults/test_fuzz.py --hypothesis-profile=long`.
"""

from __future__ import annotations

import json
import os
import re
import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.events.event import EVENTS
from holdfast.program import ROOMS
from tests.support.daemon import DaemonHome, until
from tests.support.payloads import load, names
from tests.support.wrong_types import VALUES

GROWN_MOST = 96 * 1024 * 1024
PLACE = Path(tempfile.gettempdir()) / "holdfast fuzz: nothing is here"

# Texts with what breaks programs: controls, surrogates, bidirectional marks, quotes, long runs.
TEXT = st.one_of(
    st.text(max_size=40),
    st.text(alphabet="\x00\ud800\udfff\u202e\ufeff\U000e0041'\"\\/.%<>{}[] \n", max_size=30),
    st.sampled_from(["", "a" * 5_000, "<private>", "%00", "../..", "-1", "NaN", "x' OR 1=1 --", '"', "*", "NEAR(a b)"]),
)
JSON = st.recursive(
    st.one_of(st.sampled_from(VALUES), st.none(), st.booleans(), st.integers(), st.floats(), TEXT),
    lambda inside: st.one_of(st.lists(inside, max_size=4), st.dictionaries(TEXT, inside, max_size=4)),
    max_leaves=12,
)
# No path that exists: an import or a backup would take or make it.
PATHS = st.one_of(
    st.sampled_from(
        ["", "/", ".", "~", "..", "relative", "/dev/null", str(PLACE), f"{PLACE}/x/y", "/" + "a" * 400, "\0"]
    ),
    st.integers(),
    st.none(),
)
RECORDED = [load(name) for name in names() if "WebFetch" not in name]
TOOLS = ("search", "timeline", "get", "why", "remember", "edit", "supersede", "costs", "citations_list", "forget")
ARGUMENTS = (
    *("query", "project", "kind", "since", "until", "file", "session", "text", "limit", "around", "before", "after"),
    *("ids", "id", "title", "tags", "by", "old", "reason", "new", "preview", "path", "directory", "nonsense"),
)
QUERIES = ("since", "limit", "after", "session", "event", "project", "citations", "nonsense")


def encoded(value: Any) -> bytes:
    return json.dumps(value).encode()


@st.composite
def broken(draw: st.DrawFn, bodies: st.SearchStrategy[bytes]) -> bytes:
    """A body as it is, or cut, or with bytes put in that are no UTF-8."""
    body = draw(bodies)
    how = draw(st.integers(0, 5))
    at = draw(st.integers(0, max(0, len(body) - 1)))
    if how == 0:
        return body[:at]
    return body[:at] + b"\xff\x00" + body[at:] if how == 1 else body


def arguments() -> st.SearchStrategy[dict[str, Any]]:
    free = st.dictionaries(st.sampled_from(ARGUMENTS), JSON, max_size=5)
    return st.builds(lambda given, path: given | {k: path for k in ("path", "directory") if k in given}, free, PATHS)


def events() -> st.SearchStrategy[dict[str, Any]]:
    return st.builds(lambda base, odd: base | odd, st.sampled_from(RECORDED), fields_of_events())


def fields_of_events() -> st.SearchStrategy[dict[str, Any]]:
    known = sorted({name for payload in RECORDED for name in payload} - {"cwd", "transcript_path"})
    return st.dictionaries(st.sampled_from(known), JSON, max_size=4)


class Door:
    """A daemon that is asked, and judged by what it answers."""

    def __init__(self, home: DaemonHome) -> None:
        self.home = home
        self.worker = home.facts["worker_pid"]
        self.asked = 0

    def ask(self, method: str, path: str, body: bytes | None) -> None:
        self.asked += 1
        headers = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
        status, answer = self.home.request(method, path, body, headers)
        assert status < 500, (method, path, body, answer)

    def memory(self) -> int:
        for line in Path(f"/proc/{self.worker}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
        raise AssertionError("no VmRSS")

    def is_well(self) -> None:
        assert self.home.facts["worker_pid"] == self.worker, "the worker ended"
        assert self.home.post("PostToolUse", load("PostToolUse-Bash")) == (200, {})
        assert self.home.get("/api/status")[0] == 200
        assert self.home.get("/metrics")[0] == 200
        assert "Traceback" not in self.home.log(), self.home.log()[-4_000:]


def quoted(text: str) -> str:
    from urllib.parse import quote

    return quote(text.encode("utf-8", "surrogatepass"))


def hooks(door: Door) -> Callable[[], None]:
    @given(st.one_of(st.sampled_from(sorted(EVENTS)), TEXT.map(quoted)), broken(st.one_of(events(), JSON).map(encoded)))
    def run(name: str, body: bytes) -> None:
        door.ask("POST", f"/hooks/{name}", body)

    return run


def tools(door: Door) -> Callable[[], None]:
    @given(st.one_of(st.sampled_from(TOOLS), TEXT.map(quoted)), broken(st.one_of(arguments(), JSON).map(encoded)))
    def run(name: str, body: bytes) -> None:
        door.ask("POST", f"/api/tools/{name}", body)

    return run


def rest(door: Door) -> Callable[[], None]:
    own = [(re.sub(r"{[^}]*}", "x", each.path), each.methods) for room in ROOMS for each in room.endpoints]
    pages: tuple[str, ...] = (
        "/api/journal",
        "/api/export",
        "/api/tools",
        "/api/health",
        "/api/status",
        "/api/pane",
        "/metrics",
        "/x",
    )
    pages = (*pages, "/api/import/claude", "/api/reindex", *(path for path, methods in own if "GET" in methods))
    posted: tuple[str, ...] = ("/api/import", "/api/import/claude", "/api/import/claude-mem", "/api/backup")
    posted = (*posted, *(path for path, methods in own if "POST" in methods))
    bodies = st.builds(lambda path, more: more | {"path": path}, PATHS, st.dictionaries(TEXT, JSON, max_size=3))
    lines = st.lists(st.one_of(TEXT, JSON.map(json.dumps)), max_size=4).map(lambda given: {"lines": given})

    @given(
        st.sampled_from(pages), st.dictionaries(st.sampled_from(QUERIES), TEXT, max_size=3), st.sampled_from(posted),
        broken(st.one_of(bodies, lines).map(encoded)),
    )  # fmt: skip
    def run(page: str, query: dict[str, str], path: str, body: bytes) -> None:
        door.ask("GET", page + "?" + "&".join(f"{name}={quoted(text)}" for name, text in query.items()), None)
        door.ask("POST", path, body)

    return run


def rpc(door: Door) -> Callable[[], None]:
    call = st.fixed_dictionaries(
        {"jsonrpc": st.sampled_from(["2.0", "1.0"]), "method": st.one_of(st.sampled_from(TOOLS), TEXT)},
        optional={"id": JSON, "params": st.one_of(arguments(), JSON)},
    )

    @given(broken(st.one_of(call, st.lists(call, max_size=3), JSON).map(encoded)))
    def run(body: bytes) -> None:
        door.ask("POST", "/rpc", body)

    return run


def mcp(door: Door) -> Callable[[], None]:
    called = st.builds(lambda name, given: {"name": name, "arguments": given}, st.sampled_from(TOOLS), arguments())
    message = st.fixed_dictionaries(
        {"jsonrpc": st.just("2.0"), "method": st.sampled_from(["tools/call", "tools/list", "initialize", "ping", "x"])},
        optional={"id": st.one_of(st.integers(), TEXT), "params": st.one_of(called, JSON)},
    )

    @given(broken(st.one_of(message, JSON).map(encoded)))
    def run(body: bytes) -> None:
        door.ask("POST", "/mcp", body)

    return run


def sessions(door: Door) -> Callable[[], None]:
    paths = ("observations", "summarize", "complete")
    fields = ("claudeSessionId", "tool_name", "tool_input", "tool_response", "cwd", "reason", "userPrompt", "project")
    bodies = st.dictionaries(st.sampled_from(fields), JSON, max_size=6)

    @given(st.sampled_from(paths), TEXT.map(quoted), broken(bodies.map(encoded)))
    def run(path: str, session: str, body: bytes) -> None:
        door.ask("POST", f"/api/sessions/{path}", body)
        door.ask("POST", f"/sessions/{session or 's'}/init", body)

    return run


def command(door: Door) -> Callable[[], None]:
    @settings(max_examples=15)
    @given(broken(st.one_of(events(), JSON).map(encoded)))
    def run(body: bytes) -> None:
        done = door.home.hook(body)
        assert (done.returncode, done.stderr) == (0, b"")

    return run


def spooled(door: Door) -> Callable[[], None]:
    folder = door.home.home.spool
    item = st.fixed_dictionaries(
        {"version": JSON, "id": st.one_of(TEXT, JSON), "event": st.one_of(TEXT, JSON), "happened_at": JSON},
        optional={"payload": st.one_of(events(), JSON)},
    )

    @settings(max_examples=60)
    @given(st.integers(0, 10**6), broken(st.one_of(item, JSON).map(encoded)), st.integers(0, 12))
    def run(number: int, body: bytes, kind: int) -> None:
        path = folder / f"{number:020d}-fuzz{time.monotonic_ns()}.json"
        match kind:
            case 0:
                os.mkfifo(path)
            case 1:
                path.mkdir()
            case 2:
                path.symlink_to("/dev/zero")
            case 3:
                with socket.socket(socket.AF_UNIX) as bound:
                    bound.bind(str(path))
            case _:
                unfinished = path.with_name(f".{path.name}.tmp")
                unfinished.write_bytes(body)
                unfinished.rename(path)

    return run


DOORS = (hooks, tools, rest, rpc, mcp, sessions, command, spooled)


@pytest.fixture(scope="module")
def door() -> Iterator[Door]:
    home = DaemonHome()
    try:
        home.start()
        made = Door(home)
        for warm_up in ("/api/tools/search", "/mcp"):  # what is loaded by the first who asks is not growth
            made.ask("POST", warm_up, encoded({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "query": "x"}))
        yield made
    finally:
        home.remove()


@pytest.mark.requirement("SEC-5")
@pytest.mark.requirement("EVT-6")
@pytest.mark.parametrize("kind", DOORS, ids=lambda kind: kind.__name__)
def test_whatever_comes_by_this_door_is_answered(door: Door, kind: Callable[[Door], Callable[[], None]]) -> None:
    before = door.memory()
    kind(door)()
    if kind is spooled:
        waits = partial(door.home.home.spool.glob, "*.json")
        until(lambda: not list(waits()), "the spool is drained")
    door.is_well()
    assert door.memory() - before < GROWN_MOST
