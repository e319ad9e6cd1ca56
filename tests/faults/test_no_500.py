"""No door fails: whatever is asked gets an answer or a sentence, and the log shows no traceback (SEC-5)."""

from __future__ import annotations

import json
import os
import resource
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.support.daemon import DaemonHome, until
from tests.support.payloads import load

BASH = load("PostToolUse-Bash")
DOORS = (
    *(
        "/api/tools/search",
        "/api/tools/remember",
        "/api/tools/get",
        "/api/tools/citations_import",
        "/api/tools/nothing",
    ),
    *("/api/import", "/api/import/claude", "/api/import/claude-mem", "/api/backup", "/api/reindex", "/rpc", "/mcp"),
    *("/sessions/s/init", "/api/sessions/observations", "/api/sessions/summarize", "/api/sessions/complete"),
    *("/api/processing", "/hooks/PreToolUse", "/api/tools/%ff%00", "/sessions/%ff%00%0a/init"),
)
BODIES = {
    "bad UTF-8": b'{"path": "/\xff\xfe", "query": "\xff", "text": "\xff", "lines": ["\xff"], "ids": ["\xff"]}',
    "bad UTF-8 alone": b"\xff",
    "a lone surrogate": rb'{"path": "\ud800", "query": "\ud800", "text": "\ud800"}',
    "nothing": b"",
    "null": b"null",
    "a list": b"[[[]]]",
    "not JSON": b"{path",
    "deep": b"[" * 100_000,
    "deep object": b'{"path":' * 50_000,
    "a NUL": rb'{"path": "/a\u0000b", "query": "\u0000", "text": "\u0000", "id": "\u0000", "ids": ["\u0000"]}',
    "an overlong path": json.dumps({"path": "/" + "a" * 300 + "/b" * 5_000, "directory": "/" + "a" * 300}).encode(),
    "huge numbers": b'{"path": 1e999, "limit": 99999999999999999999999999, "after": -99999999999999999999}',
    "wrong types": b'{"path": {}, "query": [], "text": 5, "lines": {"a": 1}, "ids": "x", "id": null}',
}


@pytest.fixture
def daemon(shared_daemon: DaemonHome) -> DaemonHome:
    return shared_daemon


def failed(daemon: DaemonHome, asked: list[tuple[str, str, bytes | None]]) -> list[tuple[str, str, int]]:
    """Of these requests those that were answered with a failure of the daemon."""
    accept = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    answers = [(method, path[:60], daemon.request(method, path, body, accept)[0]) for method, path, body in asked]
    return [answer for answer in answers if answer[2] >= 500]


@pytest.mark.requirement("SEC-5")
def test_no_body_at_any_door_is_a_failure(daemon: DaemonHome) -> None:
    worker = daemon.facts["worker_pid"]
    assert failed(daemon, [("POST", path, body) for path in DOORS for body in BODIES.values()]) == []
    assert "Traceback" not in daemon.log()
    assert daemon.facts["worker_pid"] == worker


@pytest.mark.requirement("SEC-5")
def test_no_question_is_a_failure(daemon: DaemonHome) -> None:
    daemon.post("PostToolUse", BASH)
    numbers = ("-99999999999999999999", "99999999999999999999", "-1", "0", "x", "", "1e5", "٣", "9" * 5_000, "%00")
    asked = [f"/api/journal?{name}={number}" for name in ("since", "limit", "after") for number in numbers]
    asked += [
        f"/api/journal?{name}={text}" for name in ("session", "event") for text in ("%ff", "%00", "'", "a" * 9_000)
    ]
    asked += [f"/api/context/inject?project={text}" for text in ("%ff", "%00", "/", "a" * 9_000, "")]
    asked += [f"/api/export?project={text}&citations={text}" for text in ("%ff", "%00", "nothing")]
    asked += ["/" + "a" * 9_000, "/api/" + "../" * 500, "/%00", "/api/status/", "//", "/api/tools/" + "x" * 9_000]
    methods = ("GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH")
    every = ("/api/status", "/api/health", "/api/tools", "/metrics", "/rpc", "/mcp", "/hooks/Stop", "/hooks/", "/")
    questions: list[tuple[str, str, bytes | None]] = [("GET", path.replace("٣", "%D9%A3"), None) for path in asked]
    # GET /mcp is a stream that stays open, as the protocol has it.
    questions += [(how, path, b"{}") for how in methods for path in every if (how, path) != ("GET", "/mcp")]
    assert failed(daemon, questions) == []
    assert "Traceback" not in daemon.log()


@pytest.mark.requirement("SEC-11")
@pytest.mark.parametrize("path", ["", "/", ".", "~", "~/.claude", "..", "relative", "/tmp/../etc", "HOME", "//", "/."])
def test_an_import_takes_nothing_but_what_was_named(daemon: DaemonHome, path: str) -> None:
    body = json.dumps({"path": str(daemon.home.root) if path == "HOME" else path}).encode()
    status, answer = daemon.request("POST", "/api/import/claude", body)
    assert status == 400
    assert "nothing was" in answer["error"]
    assert daemon.get("/api/import/claude")[1]["files"] == 0


@pytest.mark.requirement("SEC-11")
def test_of_a_named_folder_only_transcripts_are_taken(daemon: DaemonHome, tmp_path: Path) -> None:
    line = json.dumps({"type": "user", "sessionId": "s-1", "message": {"role": "user", "content": "x"}}) + "\n"
    project = tmp_path / "claude" / "projects" / "-w"
    (project / "s-1" / "subagents").mkdir(parents=True)
    (project / "s-1.jsonl").write_text(line)
    (project / "s-1" / "subagents" / "agent-a.jsonl").write_text(line)
    (project / "data.jsonl").write_text('{"id": 5, "text": "somebody\'s data"}\n')
    (project / "a" / "b" / "c" / "d").mkdir(parents=True)
    (project / "a" / "b" / "c" / "d" / "deep.jsonl").write_text(line)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "s-2.jsonl").write_text(line)
    (project / "link.jsonl").symlink_to(elsewhere / "s-2.jsonl")
    (project / "folder").symlink_to(elsewhere)
    (tmp_path / "claude" / "stray.jsonl").write_text(line)
    os.mkfifo(project / "pipe.jsonl")
    status, told = daemon.request("POST", "/api/import/claude", json.dumps({"path": str(tmp_path / "claude")}).encode())
    assert (status, told["files"]) == (200, 2)
    status, told = daemon.request("POST", "/api/import/claude", json.dumps({"path": f"{elsewhere}/s-2.jsonl"}).encode())
    assert (status, told["files"]) == (200, 3)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "projects").symlink_to(elsewhere)
    status, told = daemon.request("POST", "/api/import/claude", json.dumps({"path": str(tmp_path / "other")}).encode())
    assert status == 400
    assert str(elsewhere) in told["error"]


@pytest.mark.requirement("SEC-11")
def test_forgetting_follows_no_link_out_of_the_home(home: DaemonHome, tmp_path: Path) -> None:
    home.start()
    word = "xylophone-orange"
    home.post("UserPromptSubmit", load("UserPromptSubmit", prompt=f"about the {word}"))
    notes, copy = tmp_path / "notes.txt", tmp_path / "theirs.jsonl"
    for file in (notes, copy):
        file.write_text(f"mine: {word}\n")
    (home.home.logs / "notes.log").symlink_to(notes)
    (home.home.backups / "theirs.jsonl").symlink_to(copy)
    (home.home.spool / "1-x.json").symlink_to(notes)
    os.mkfifo(home.home.spool / "2-x.json")
    status, told = home.request("POST", "/api/tools/forget", json.dumps({"text": word}).encode())
    assert status == 200, told
    assert notes.read_text() == copy.read_text() == f"mine: {word}\n"
    assert home.journal(event="UserPromptSubmit") == []


@pytest.mark.requirement("EVT-8")
def test_odd_things_in_the_spool_hold_nothing_up(home: DaemonHome) -> None:
    home.start()
    folder = home.home.spool
    good = {"version": 1, "happened_at": 1_790_000_000_000_000, "payload": BASH}

    def put(name: str, **content: Any) -> None:
        (folder / name).write_text(json.dumps(good | content))

    os.mkfifo(folder / "00-a.json")
    (folder / "01-a.json").mkdir()
    (folder / "02-a.json").symlink_to("/dev/zero")
    (folder / "03-a.json").symlink_to(folder / "03-a.json")
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(folder / "04-a.json"))
    (folder / "05-a.json").write_bytes(b"\xff\xfe")
    put(
        "06-a.json",
        id="018f0000-0000-7000-8000-000000000001",
        event="\ud800\udfff",
        payload=BASH | {"tool_use_id": "one"},
    )
    put("07-a.json", id="018f0000-0000-7000-8000-000000000002", event="x" * 9_000, payload={"tool_use_id": "\ud800"})
    put("08-a.json", id="018f0000-0000-7000-8000-000000000003", event="Stop\n", payload={"\ud800": "\x00"})
    put(
        "09-a.json",
        id="018f0000-0000-7000-8000-000000000004",
        event="PostToolUse",
        payload=BASH | {"tool_use_id": "two"},
    )
    put("10-a.json", id="\ud800", event="PostToolUse")
    put("11-a.json", id="018f0000-0000-7000-8000-000000000005", event="PostToolUse", happened_at=2**70)
    until(lambda: not list(folder.glob("*.json")), "the spool is empty")
    assert {"one", "two"} <= {entry["tool_use_id"] for entry in home.journal()}
    assert len(list((folder / "bad").iterdir())) == 8
    assert home.status()["queue"]["bad_spool"] == 8
    assert home.get("/metrics")[0] == 200
    assert "Traceback" not in home.log()


@pytest.mark.requirement("SEC-5")
def test_large_bodies_are_taken_within_little_memory(home: DaemonHome) -> None:
    """300 MB of addresses, of which the interpreter and its libraries take a third."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (300 * 1024 * 1024, before[1]))
    try:
        home.launch()
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
    until(home.answers, "the daemon answers")
    worker = home.facts["worker_pid"]
    large: list[Any] = [
        {"stdout": "x" * 8_000_000},
        {"items": [f"word {number}" for number in range(600_000)]},
        {"stdout": "é\n" * 1_500_000},
        {"deep": [[{"a": "b" * 50}] * 100] * 800},
    ]
    cases = [BASH | {"tool_use_id": f"toolu_{n}", "tool_response": large[n % len(large)]} for n in range(12)]
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda case: home.post("PostToolUse", case), cases))
    assert answers == [(200, {})] * 12
    assert {entry["tool_use_id"] for entry in home.journal()} == {f"toolu_{n}" for n in range(12)}
    assert home.facts["worker_pid"] == worker
