"""Whatever door words come by: secrets and private spans reach neither the store's files nor an answer."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support.daemon import DaemonHome, until

SECRET = "gh" + "p_" + "Zq7Lm2Xw9Rt4Vb8Nc1Kd6Hs3Pf5Jg0Ya2Ue"
WORDS = f"Deploys use {SECRET} for now. <private>The salary is 5.</private> Ask ops."
HIDDEN = (SECRET, "salary")


@pytest.fixture
def daemon(shared_daemon: DaemonHome) -> DaemonHome:
    return shared_daemon


def rest(daemon: DaemonHome, tool: str, arguments: dict[str, Any]) -> Any:
    return posted(daemon, f"/api/tools/{tool}", arguments)


def rpc(daemon: DaemonHome, tool: str, arguments: dict[str, Any]) -> Any:
    return posted(daemon, "/rpc", {"jsonrpc": "2.0", "id": 1, "method": tool, "params": arguments})["result"]


def mcp(daemon: DaemonHome, tool: str, arguments: dict[str, Any]) -> Any:
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    result = posted(daemon, "/mcp", call)["result"]
    assert not result["isError"], result
    return json.loads(result["content"][0]["text"])


def posted(daemon: DaemonHome, path: str, body: dict[str, Any]) -> Any:
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    status, answer = daemon.request("POST", path, json.dumps(body).encode(), headers)
    assert status == 200, answer
    return answer


def on_disk(daemon: DaemonHome) -> bytes:
    """All that is written in the home: the database, its log of changes, the spool, the daemon's log."""
    return b"\n".join(path.read_bytes() for path in sorted(daemon.home.root.rglob("*")) if path.is_file())


@pytest.mark.requirement("SEC-1")
@pytest.mark.requirement("MEM-2")
@pytest.mark.parametrize("door", [rest, rpc, mcp], ids=lambda door: str(door.__name__))
def test_the_tools_of_every_door_are_scrubbed(daemon: DaemonHome, door: Any) -> None:
    told = [kept := door(daemon, "remember", {"text": WORDS, "title": f"About {SECRET}", "tags": [SECRET]})]
    told.append(door(daemon, "edit", {"id": kept["id"], "title": WORDS, "text": WORDS, "tags": [WORDS]}))
    told.append(door(daemon, "supersede", {"old": kept["id"], "reason": WORDS}))
    written = on_disk(daemon)
    for hidden in HIDDEN:
        assert hidden not in json.dumps(told)
        assert hidden.encode() not in written
    assert b"Ask ops." in written


@pytest.mark.requirement("SEC-1")
@pytest.mark.requirement("MEM-14")
def test_the_sessions_door_is_scrubbed(daemon: DaemonHome) -> None:
    told = {"claudeSessionId": "s1", "cwd": "/tmp"}
    posted(daemon, "/sessions/s1/init", {"userPrompt": WORDS, "cwd": "/tmp"})
    use = {"tool_name": "Bash", "tool_input": {"command": WORDS}, "tool_response": {"stdout": WORDS}}
    posted(daemon, "/api/sessions/observations", told | use)
    posted(daemon, "/api/sessions/summarize", told | {"last_assistant_message": WORDS})
    posted(daemon, "/api/sessions/complete", told)
    until(lambda: len(daemon.journal(session="s1")) == 4, "all is in the journal")
    until(lambda: rest(daemon, "search", {"query": "deploys", "kind": "summary", "project": "all"}), "it is summed up")
    for hidden in HIDDEN:
        assert hidden.encode() not in on_disk(daemon)
