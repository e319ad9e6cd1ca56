"""Bad input to the learning loop at every door: a sentence that says what is allowed, and nothing half written."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from holdfast.rooms.learning.model import AXES, DOMAINS, RESOLUTIONS, ROOT_CAUSES, STRATEGIES
from tests.support.daemon import DaemonHome
from tests.support.patience import PATIENCE

HOLDFAST = Path(sys.executable).with_name("holdfast")
ENTRY = {
    "goal": "Repair the cache test",
    "hypothesis": "It times out",
    "action": "Raise the timeout",
    "prediction": "The test passes",
    "domain": "testing",
    "strategy": "trial-and-error",
}
WHY = {"surprise": "It fails at once", "root_cause": "test-isolation"}
MEGABYTE = "x" * 1_000_000
Answer = tuple[bool, Any]
"""Whether it went well, and the result or the sentence."""


def by_rpc(daemon: DaemonHome, tool: str, arguments: dict[str, Any]) -> Answer:
    asked = {"jsonrpc": "2.0", "id": 1, "method": tool, "params": arguments}
    told = daemon.request("POST", "/rpc", json.dumps(asked).encode())[1]
    return "result" in told, told["result"] if "result" in told else told["error"]["message"]


def by_mcp(daemon: DaemonHome, tool: str, arguments: dict[str, Any]) -> Answer:
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    heads = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    told = daemon.request("POST", "/mcp", json.dumps(asked).encode(), heads)[1]["result"]
    text = told["content"][0]["text"]
    return not told.get("isError"), text if told.get("isError") else json.loads(text)


def by_command(daemon: DaemonHome, tool: str, arguments: dict[str, Any]) -> Answer:
    done = subprocess.run(
        [HOLDFAST, "call", tool, "-"],
        env=daemon.environment,
        input=json.dumps(arguments),
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
        cwd=daemon.home.root,
    )
    assert "Traceback" not in done.stderr
    return not done.returncode, json.loads(done.stdout) if not done.returncode else done.stderr


DOORS: dict[str, Callable[[DaemonHome, str, dict[str, Any]], Answer]] = {
    "rpc": by_rpc,
    "mcp": by_mcp,
    "command": by_command,
}


@pytest.mark.requirement("LRN-2")
@pytest.mark.requirement("MCP-3")
def test_bad_input_is_told_in_a_sentence_and_changes_nothing(shared_daemon: DaemonHome) -> None:
    daemon = shared_daemon
    for name in ("theirs", *DOORS):
        begun = {"session_id": f"lrn-{name}", "cwd": str(daemon.home.root), "source": "startup"}
        assert daemon.post("SessionStart", begun | {"hook_event_name": "SessionStart"})[0] == 200
    _, theirs = by_rpc(daemon, "start_ghap", ENTRY | {"session_id": "lrn-theirs"})
    for name, door in DOORS.items():
        session = {"session_id": f"lrn-{name}"}

        def refused(cases: tuple[tuple[str, dict[str, Any], str], ...], door: Any = door, name: str = name) -> None:
            for tool, arguments, sentence in cases:
                went_well, said = door(daemon, tool, arguments)
                assert not went_well, (name, tool, said)
                assert sentence in said, (name, tool, said[:300])
                assert len(said) < 1_500, "the words are not repeated"

        refused(
            (
                ("start_ghap", {**ENTRY, **session, "domain": "cooking"}, ", ".join(DOMAINS)),
                ("start_ghap", {**ENTRY, **session, "strategy": "luck"}, ", ".join(STRATEGIES)),
                (
                    "start_ghap",
                    {**ENTRY, **session, "goal": MEGABYTE},
                    "characters; at most 10,000 are kept. Nothing was written",
                ),
                ("start_ghap", {**ENTRY, **session, "goal": 3 * MEGABYTE}, ""),  # the door may refuse it first
                ("start_ghap", {**ENTRY, **session, "goal": 7}, "goal"),
                ("start_ghap", {**session, "goal": "x"}, "hypothesis"),
                ("resolve_ghap", {**session, "outcome": "confirmed"}, "No entry is active"),
                ("list_ghap_entries", {"domain": "cooking"}, ", ".join(DOMAINS)),
                ("list_ghap_entries", {"outcome": "maybe"}, "active, confirmed, falsified, abandoned"),
                ("search_experiences", {"query": "x", "axis": "north"}, ", ".join(AXES)),
                ("rate_remedy", {"id": "r00000000", "feedback": "nice"}, "helpful, not helpful, outdated"),
            )
        )
        _, mine = door(daemon, "start_ghap", {**ENTRY, **session})
        falsified = {**session, "outcome": "falsified"}
        refused(
            (
                ("start_ghap", {**ENTRY, **session}, f"An entry is active already: {mine['id']}"),
                (
                    "update_ghap",
                    {**session, "notes": MEGABYTE},
                    "characters; at most 10,000 are kept. Nothing was written",
                ),
                ("update_ghap", {**session, "strategy": "luck"}, ", ".join(STRATEGIES)),
                ("update_ghap", session, "Nothing changes"),
                ("resolve_ghap", {**session, "outcome": "maybe"}, ", ".join(RESOLUTIONS)),
                ("resolve_ghap", falsified, "needs surprise and root_cause"),
                ("resolve_ghap", {**falsified, "surprise": "!"}, "needs root_cause"),
                ("resolve_ghap", {**falsified, **WHY, "root_cause": "fate"}, ", ".join(ROOT_CAUSES)),
                (
                    "resolve_ghap",
                    {**falsified, **WHY, "lesson": MEGABYTE},
                    "at most 10,000 are kept. Nothing was written",
                ),
                ("resolve_ghap", {**session, "outcome": "confirmed", "id": theirs["id"]}, "belongs to another agent"),
                ("adopt_ghap", {**session, "id": theirs["id"]}, "still works on it"),
            )
        )
        assert door(daemon, "get_active_ghap", session)[1]["entry"] == mine, name
        assert door(daemon, "resolve_ghap", {**falsified, **WHY})[0]
        refused((("resolve_ghap", {**falsified, **WHY}, f"{mine['id']}, is resolved already: falsified"),))
        refused((("resolve_ghap", {**falsified, **WHY, "id": mine["id"]}, "is resolved already: falsified"),))
    assert by_rpc(daemon, "get_active_ghap", {"session_id": "lrn-theirs"})[1]["entry"] == theirs
