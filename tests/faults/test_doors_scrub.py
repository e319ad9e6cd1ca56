"""Whatever door words come by: secrets and private spans reach neither a file of the home nor an answer.

Every tool, endpoint, event and import is asked, as the registries list them. What was planted is then looked for in the
store, its log of changes, the index, the spool, the rooms' folders, the daemon's log and an export.
"""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import pytest

from holdfast.program import ROOMS
from holdfast.rooms.gather import gather
from tests.contract.test_claude_mem import newer
from tests.faults.test_import import transcript
from tests.support.daemon import DaemonHome, until
from tests.support.patience import PATIENCE
from tests.support.payloads import load, names
from tests.support.planting import SECRET, STAYS, TRACES, WORDS, Known, calls_of, planted_in, traces_in

JSON = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
SESSION = "5eed0000-0000-4000-8000-000000000001"
_ATTEMPT = {"domain": "debugging", "strategy": "trial-and-error", "session_id": SESSION}
GIVEN: dict[str, dict[str, Any]] = {
    "session_end": {"session_id": SESSION},
    "start_ghap": _ATTEMPT,
    "update_ghap": _ATTEMPT,
    "resolve_ghap": {
        "outcome": "falsified",
        "session_id": SESSION,
        "root_cause": {"category": "test-isolation", "description": WORDS},
    },
    "context_threshold": {"percent": 70, "session_id": SESSION},
    "abandon_ghap": {"session_id": SESSION},
    "adopt_ghap": {"session_id": SESSION},
}
"""Arguments that a closed list or a state asks for."""
LAST = ("forget", "citations_forget")


@pytest.fixture(scope="module")
def daemon() -> Iterator[DaemonHome]:
    home = DaemonHome()
    home.start()
    yield home
    home.remove()


def asked(daemon: DaemonHome, path: str, body: Any, headers: dict[str, str] | None = None) -> tuple[int, Any]:
    return daemon.request("POST", path, json.dumps(body).encode(), JSON | (headers or {}))


def nothing_is_left(daemon: DaemonHome, answers: list[Any]) -> None:
    told = [answer for answer in answers for trace in TRACES if trace in json.dumps(answer).lower().encode()]
    assert not told, "\n".join(str(each)[:600] for each in told)
    assert not (left := traces_in(daemon.home.root)), "\n".join(left)


def rest(name: str, arguments: dict[str, Any]) -> tuple[str, Any]:
    return f"/api/tools/{name}", arguments


def lines(name: str, arguments: dict[str, Any]) -> tuple[str, Any]:
    return f"/api/tools/{name}/lines?width=80", arguments


def rpc(name: str, arguments: dict[str, Any]) -> tuple[str, Any]:
    return "/rpc", {"jsonrpc": "2.0", "id": 1, "method": name, "params": arguments}


def mcp(name: str, arguments: dict[str, Any]) -> tuple[str, Any]:
    return "/mcp", rpc("tools/call", {"name": name, "arguments": arguments})[1]


DOORS: tuple[Callable[[str, dict[str, Any]], tuple[str, Any]], ...] = (rest, lines, rpc, mcp)


@pytest.mark.requirement("SEC-1", "MEM-2")
def test_every_tool_is_scrubbed_at_every_door(daemon: DaemonHome) -> None:
    daemon.post("SessionStart", load("SessionStart-startup") | {"session_id": SESSION, "cwd": str(daemon.home.root)})
    daemon.post("UserPromptSubmit", load("UserPromptSubmit") | {"session_id": SESSION, "cwd": str(daemon.home.root)})
    listed = daemon.get("/api/tools")[1]
    known, reached, done, answers = Known(), set[str](), set[str](), list[Any]()
    usual = [tool for tool in listed if tool["name"] not in LAST]
    # What one tool answers with, another takes: who was refused at first is asked again.
    for tools in (usual, usual, [tool for tool in listed if tool["name"] in LAST]):
        for tool in [each for each in tools if each["name"] not in done]:
            name = tool["name"]
            for arguments in calls_of(tool["arguments"], known, GIVEN.get(name, {})):
                status, answer = asked(daemon, *rest(name, arguments))
                assert status < 500, (name, arguments, answer)
                known.learn(answer)
                if status == 200 or not str(answer.get("error", "")).startswith(f"{name}: "):
                    reached.add(name)  # the tool itself has read it, and may have refused it
                if status == 200 and tool["changes"]:
                    answers.append(
                        (name, answer)
                    )  # a refusal may quote its caller; what was kept is shown as it is kept
                if status == 200 and name not in done:
                    done.add(name)
                    answers += [(name, asked(daemon, *door(name, arguments))[1]) for door in DOORS if tool["changes"]]
    unheard = {tool["name"] for tool in listed if tool["changes"]} - reached
    assert not unheard, f"no call reached {unheard}: say in GIVEN what it needs"
    assert {"remember", "edit", "supersede", "session_end", "dehydrate", "start_ghap", "resolve_ghap", "forget"} <= done
    nothing_is_left(daemon, answers)
    assert STAYS.lower().encode() in (daemon.home.root / "holdfast.db").read_bytes().lower()


@pytest.mark.requirement("SEC-1", "MEM-2", "MEM-14")
def test_every_endpoint_and_method_of_a_room_is_scrubbed(daemon: DaemonHome) -> None:
    known = Known()
    for room in ROOMS:
        for endpoint in room.endpoints:
            schema = msgspec.json.schema(endpoint.body)
            shape = schema["$defs"][endpoint.body.__name__]
            given: dict[str, Any] = {"percent": 71} if "percent" in shape["properties"] else {}
            given |= {name: SESSION for name in ("session_id", "claudeSessionId") if name in shape["properties"]}
            for arguments in (*calls_of(shape, known, given), {"prompts": [WORDS], "kept": WORDS, "trigger": "manual"}):
                for named in (SESSION, quote(WORDS)):
                    path = re.sub(r"{[^}]*}", named, endpoint.path)
                    for method in endpoint.methods:
                        body = json.dumps(arguments).encode()
                        status, answer = daemon.request(method, f"{path}?project={quote(WORDS)}", body, JSON)
                        assert status < 500, (path, arguments, answer)
    for name, declared in gather(ROOMS).methods.items():
        schema = msgspec.json.schema(declared.params)
        for arguments in calls_of(schema["$defs"][declared.params.__name__], known, {}):
            status, answer = asked(daemon, *rpc(name, arguments))
            assert status == 200, (name, arguments, answer)
            known.learn(answer)
    for path in (f"/api/journal?session={quote(WORDS)}", f"/api/export?project={quote(WORDS)}", f"/{quote(WORDS)}"):
        assert daemon.get(path)[0] < 500
    asked(daemon, "/api/backup", {"path": f"/nowhere/{WORDS}"})
    at_rest(daemon)
    nothing_is_left(daemon, [])


def at_rest(daemon: DaemonHome) -> None:
    """Wait until nothing is under way."""
    until(lambda: not any(daemon.status()["queue"][name] for name in ("jobs", "spool", "memory")), "all work is done")


_STAYS_AS_IT_IS = ("session_id", "hook_event_name", "transcript_path", "cwd", "tool_name", "source", "permission_mode")


def events() -> Iterator[tuple[str, dict[str, Any]]]:
    """Each recorded event with the planted words in its texts; then in every field, whatever it means."""
    for name in names():
        text = re.sub(r"https?://[^/\"]+", "http://127.0.0.1:9", json.dumps(load(name)))
        payload: dict[str, Any] = json.loads(text)
        event = str(payload["hook_event_name"])
        yield event, planted_in(payload, _STAYS_AS_IT_IS)
        yield event, planted_in(payload)


@pytest.mark.requirement("SEC-1", "MEM-2")
def test_every_event_is_scrubbed_by_http_by_command_in_the_spool_and_from_the_transcript(
    daemon: DaemonHome, tmp_path: Path
) -> None:
    for event, payload in events():
        status, answer = daemon.post(event, payload)
        assert status == 200, (event, answer)
    by_command = [load(name) for name in ("SessionStart-startup", "UserPromptSubmit", "PreCompact-auto", "Setup-init")]
    for payload in by_command:
        assert daemon.hook(planted_in(payload)).returncode == 0
    session = "5eed0000-0000-4000-8000-000000000002"
    common = {"session_id": session, "cwd": str(tmp_path), "transcript_path": str(tmp_path / "t.jsonl")}
    daemon.post("SessionStart", load("SessionStart-startup") | common)
    at_rest(daemon)
    assert asked(daemon, "/api/tools/search", {"query": STAYS, "project": "all"})[1], "what may be kept is found"
    daemon.stop()
    (daemon.home.root / "stopped").touch()  # a command client starts no daemon: it spools
    for payload in by_command:
        assert daemon.hook(planted_in(payload, _STAYS_AS_IT_IS) | {"session_id": session}).returncode == 0
    nothing_is_left(daemon, [])
    (tmp_path / "t.jsonl").write_text(planted_transcript(session))
    (daemon.home.root / "stopped").unlink(missing_ok=True)
    daemon.start()
    daemon.post("UserPromptSubmit", load("UserPromptSubmit") | common | {"prompt": WORDS})
    until(lambda: "transcript" in sources(daemon, session), "the transcript was read")
    at_rest(daemon)
    nothing_is_left(daemon, [])


@pytest.mark.requirement("SEC-1", "MEM-2", "MEM-13")
def test_every_import_is_scrubbed_and_so_are_verbs_and_an_export(daemon: DaemonHome, tmp_path: Path) -> None:
    for name, declared in gather(ROOMS).imports.items():
        source = GIVES.get(name, anything)(tmp_path / name)
        body: dict[str, Any] | None = {"path": str(source)}
        while body is not None:
            status, told = asked(daemon, f"/api/import/{name}", body)
            assert status < 500, (name, told)
            assert status == 200 or name not in GIVES, (name, told)
            body = told.get("next") and {"path": str(source)} | told["next"]
        assert declared.name == name
    folder = tmp_path / "client" / "projects" / "-w"
    folder.mkdir(parents=True)
    taken = "5eed0000-0000-4000-8000-000000000003"
    (folder / f"{taken}.jsonl").write_text(planted_transcript(taken))
    asked(daemon, "/api/import/claude", {"path": str(tmp_path / "client")})
    until(lambda: "import" in sources(daemon, taken), "the transcript was taken in")
    for words in VERBS:
        done = verb(daemon, *words)
        assert done.returncode in (0, 1, 2), (words, done.stderr)
    at_rest(daemon)
    nothing_is_left(daemon, [])
    exported = [json.loads(line) for line in daemon.get("/api/export")[1].splitlines()]
    other = DaemonHome()
    try:
        other.start()
        told = [json.dumps(planted_in_words(line)) for line in exported]
        status, new = asked(other, "/api/import", {"lines": told})
        assert (status, bool(new["new"])) == (200, True), new
        at_rest(other)
        nothing_is_left(other, [])
        assert STAYS in other.get("/api/export")[1]
    finally:
        other.remove()


def planted_transcript(session: str) -> str:
    lines = [json.loads(line) for line in transcript(session, int(time.time()) - 3, 1).splitlines()]
    leave = ("type", "role", "id", "tool_use_id", "name", "stop_reason")
    told = [line | {"message": planted_in(line["message"], leave)} for line in lines]
    return "".join(json.dumps(line) + "\n" for line in told)


def sources(daemon: DaemonHome, session: str) -> set[str]:
    return {str(entry["source"]) for entry in daemon.journal(session=session)}


VERBS = (
    ("remember", WORDS, "--title", WORDS, "--tag", WORDS),
    ("checkpoint", "save", WORDS),
    ("dehydrate", WORDS),
    ("search", WORDS),
    ("seen", WORDS),
    ("forget", "--text", "no such words at all", "--yes"),
    ("call", "remember", json.dumps({"text": WORDS})),
    ("statusline",),
    ("hook",),
)


def verb(daemon: DaemonHome, *words: str) -> subprocess.CompletedProcess[bytes]:
    given = planted_in(load("UserPromptSubmit")) if words == ("hook",) else planted_in(load("statusline-after-turn"))
    return subprocess.run(
        [sys.executable, "-I", "-m", "holdfast", *words],
        input=json.dumps(given).encode(), env=daemon.environment, capture_output=True, check=False, timeout=PATIENCE,
        cwd=daemon.home.root,
    )  # fmt: skip


def planted_in_words(value: Any) -> Any:
    """A record of an export with the planted words in what looks like somebody's words."""
    if isinstance(value, str):
        return f"{value} {WORDS}" if " " in value and not value.startswith(("{", "[")) else value
    if isinstance(value, dict):
        return {name: planted_in_words(each) for name, each in value.items()}
    return [planted_in_words(each) for each in value] if isinstance(value, list) else value


def claude_mem(path: Path) -> Path:
    made = newer(path)
    with sqlite3.connect(made) as store:
        tables = [row[0] for row in store.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            for column in store.execute(f"PRAGMA table_info({table})").fetchall():
                if column[2] == "TEXT":
                    store.execute(f"UPDATE {table} SET {column[1]} = {column[1]} || ?", (f" {WORDS}",))
    store.close()
    return made


def sdd_cache(path: Path) -> Path:
    path.mkdir()
    told = {"url": f"http://127.0.0.1:9/{SECRET}", "fetched_at": time.time() - 60, "etag": f'"{SECRET}"'}
    (path / "a.json").write_text(json.dumps(told | dict.fromkeys(("prompt", "content", "last_modified"), WORDS)))
    return path


def anything(path: Path) -> Path:
    """For an import that this page does not know yet: a file of lines."""
    path.write_text(json.dumps({"text": WORDS, "content": WORDS}) + "\n")
    return path


GIVES: dict[str, Callable[[Path], Path]] = {"claude-mem": claude_mem, "sdd-cache": sdd_cache}
"""What the imports of other tools read."""
