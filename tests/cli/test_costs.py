"""costs, and what status says of it: a model's calls through a daemon, with a stand-in for the client."""

from __future__ import annotations

import json
from typing import Any

import pytest

from holdfast.rooms.memory.verbs import spending
from tests.support.daemon import until
from tests.support.shell import Shell

SESSION = "5f0c8a52-11aa-4c0e-9a3d-0000000000c1"
SPENT = {"calls": 0, "usd": 0.0, "input_tokens": 0, "output_tokens": 0}


def allow(shell: Shell, answer: str) -> None:
    """Settings that let a model write summaries; it always answers this."""
    usage = {"input_tokens": 900, "output_tokens": 60}
    result = {"result": answer, "total_cost_usd": 0.0125, "usage": usage, "modelUsage": {"claude-haiku": {}}}
    shell.client.write_text(f"#!/bin/sh\ncat > /dev/null\ncat <<'EOF'\n{json.dumps(result)}\nEOF\n")
    shell.daemon.home.root.mkdir(exist_ok=True)
    settings = f'[summaries]\nmodel = "haiku"\ncommand = {json.dumps(str(shell.client))}\ncalls_per_day = 5\n'
    shell.daemon.home.config.write_text(settings)


def work(shell: Shell) -> None:
    """A session in which something was done."""
    told: dict[str, dict[str, Any]] = {
        "UserPromptSubmit": {"prompt": "Count the bolts of the turbine, please.", "prompt_id": "p1"},
        "PostToolUse": {
            "tool_name": "Bash",
            "tool_input": {"command": "make bolts"},
            "tool_response": {"stdout": "12"},
        },
        "SessionEnd": {"reason": "other"},
    }
    for event, fields in told.items():
        common = {"session_id": SESSION, "cwd": str(shell.folder), "hook_event_name": event, "tool_use_id": "toolu_1"}
        assert shell.daemon.post(event, common | fields)[0] == 200


@pytest.mark.requirement("MEM-5")
def test_what_a_call_has_cost_is_told_by_every_door(shell: Shell) -> None:
    allow(shell, '{"title": "The bolts were counted"}')
    shell.daemon.start()
    assert shell.json("costs") == []
    assert "There is no call of a model." in shell.run("costs").stderr
    assert shell.json("status")["summaries"]["today"] == SPENT
    work(shell)
    until(lambda: shell.daemon.status()["summaries"]["total"]["calls"], "the model was called")

    [call] = shell.json("costs")
    assert (call["session"], call["project"], call["model"]) == (SESSION, "project", "claude-haiku")
    assert (call["input_tokens"], call["output_tokens"], call["usd"], call["error"]) == (900, 60, 0.0125, None)
    assert "The bolts were counted" in shell.ok("show", call["summary"])
    page = shell.ok("costs", "--since", "1h").splitlines()
    assert page[0].split() == ["time", "summary", "project", "session", "model", "in", "out", "US$", "error"]
    assert page[1].split()[2:] == [call["summary"], "project", SESSION[:8], "claude-haiku", "900", "60", "0.0125"]
    asked = {"jsonrpc": "2.0", "id": 1, "method": "costs", "params": {"limit": 1}}
    assert shell.daemon.request("POST", "/rpc", json.dumps(asked).encode())[1]["result"] == [call]
    assert shell.run("costs", "--since", "whenever").returncode == 2

    told = shell.json("status")["summaries"]
    spent = {"calls": 1, "usd": 0.0125, "input_tokens": 900, "output_tokens": 60}
    assert told == {"model": "haiku", "today": spent, "allowed_calls": 5, "allowed_usd": 0.5, "total": spent}
    line = "by haiku, today 1 of 5 calls and $0.0125 of $0.50; in all 1 calls and $0.0125 (`holdfast costs`)"
    assert line in shell.ok("status")


def test_status_is_silent_where_no_model_ever_wrote(running: Shell) -> None:
    assert running.json("status")["summaries"] is None
    assert "summaries" not in running.ok("status")


def test_what_was_spent_is_told_after_the_model_was_switched_off() -> None:
    spent = SPENT | {"calls": 3, "usd": 1.5}
    told = {"model": "", "today": SPENT, "allowed_calls": 20, "allowed_usd": 0.5, "total": spent}
    assert spending(told) == "no model writes them; in all 3 calls and $1.50 (`holdfast costs`)"


@pytest.mark.requirement("MCP-2")
def test_agents_are_not_offered_it() -> None:
    from holdfast.doors.mcp import listed
    from holdfast.program import ROOMS
    from holdfast.rooms.gather import gather

    declared = gather(ROOMS)
    assert "costs" in declared.tools
    assert "costs" not in {tool["name"] for tool in listed(declared.tools, declared.kinds)}
