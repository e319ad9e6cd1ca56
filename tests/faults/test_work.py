"""Fifty scripts at once: no error, no lost increment, and the store counts what was answered."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import signal
from pathlib import Path

import pytest

from tests.support.daemon import DaemonHome, until
from tests.support.patience import PATIENCE
from tests.support.rpc_load import beat


@pytest.mark.requirement("WRK-2")
@pytest.mark.requirement("WRK-4")
def test_fifty_clients_lose_no_increment_and_a_killed_worker_keeps_the_count(
    daemon: DaemonHome, tmp_path: Path
) -> None:
    told = asyncio.run(beat(daemon, tmp_path, clients=50, sessions=5, calls=12))
    assert told.errors == []
    assert {name: sorted(counts) for name, counts in told.counts.items()} == {
        name: list(range(1, 121)) for name in told.counts
    }
    assert len(daemon.journal(event="PreToolUse")) == 600

    def windows() -> dict[str, int]:
        listed = daemon.request("POST", "/api/tools/effort_list", b'{"project_id": "all"}')[1]
        asked = json.dumps({"id": listed[0]["id"]}).encode()
        shown = daemon.request("POST", "/api/tools/effort_show", asked)[1]
        return {each["session_id"]: each["heartbeat"] for each in shown["windows"] if not each["ended"]}

    expected = dict.fromkeys(told.counts, 120)
    assert windows() == expected
    killed = daemon.facts["worker_pid"]
    os.kill(killed, signal.SIGKILL)
    until(lambda: daemon.facts.get("worker_pid") not in (None, killed) and daemon.answers(), "a new worker answers")
    assert windows() == expected
    call = {"session_id": "load-0", "cwd": str(tmp_path), "tool_name": "Bash", "tool_input": {"command": "ls"}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "hooks.preToolUse", "params": call | {"toolUseId": "after"}}
    assert daemon.request("POST", "/rpc", json.dumps(body).encode())[1]["result"]["heartbeatCount"] == 121
    hooked = call | {"hook_event_name": "PreToolUse", "tool_use_id": "after", "transcript_path": "/t"}
    daemon.post("PreToolUse", hooked)
    assert windows()["load-0"] == 121, "the same call by a hook is the same call"
    assert daemon.hook(hooked | {"tool_use_id": "next"}).stdout == b"{}"
    assert windows()["load-0"] == 122
    by_tcp = http.client.HTTPConnection("127.0.0.1", daemon.facts["port"], timeout=PATIENCE)
    asked = body | {"params": call | {"tool_use_id": "by-tcp"}}
    by_tcp.request("POST", "/rpc", json.dumps(asked), {"Authorization": f"Bearer {daemon.token}"})
    assert json.loads(by_tcp.getresponse().read())["result"]["heartbeatCount"] == 123
    line = daemon.request("POST", "/api/statusline", b'{"session_id": "load-0"}')[1]
    assert "load" in line
    assert "123 calls since the last log" in line
