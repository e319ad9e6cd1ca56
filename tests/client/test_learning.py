"""The learning loop under the real client: the words reach the model at the right moment, and not otherwise.

Every conversation starts with the MCP call of the model; no row is written by hand.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.client.bed.api import Api
from tests.client.bed.claude import Claude, Result
from tests.client.bed.request import Kind
from tests.client.bed.script import Say, Use
from tests.client.held import install, settled
from tests.support.daemon import DaemonHome

ENTRY = {
    "goal": "Repair the flaky cache test",
    "hypothesis": "The test times out",
    "action": "Raise the timeout",
    "prediction": "Test will pass after the timeout fix",
    "domain": "testing",
    "strategy": "trial-and-error",
}
FAILING = "echo '1 failed, 2 passed in 0.1s'; exit 1 # pytest test_cache.py"


def tool(name: str, **arguments: Any) -> Use:
    return Use(f"mcp__holdfast__{name}", arguments)


def bash(command: str) -> Use:
    return Use("Bash", {"command": command, "description": "Run it"})


@pytest.fixture
def held(claude: Claude, daemon: DaemonHome) -> DaemonHome:
    """holdfast for this client, hooks and tools; and a fake pytest that fails until a file is there."""
    install(claude, daemon)
    holdfast = Path(sys.executable).with_name("holdfast")
    server = {"type": "stdio", "command": str(holdfast), "args": ["--home", str(daemon.home.root), "mcp"]}
    (claude.home / "mcp.json").write_text(json.dumps({"mcpServers": {"holdfast": server}}))
    fake = claude.project / "pytest"
    fake.write_text(
        "#!/bin/sh\n"
        "if [ -e fixed ]; then echo '3 passed in 0.1s'; exit 0; fi\n"
        "echo 'FAILED test_cache.py::test_evict - AssertionError: assert 3 == 4'\n"
        "echo '1 failed, 2 passed in 0.1s'; exit 1\n"
    )
    fake.chmod(0o755)
    return daemon


def run(claude: Claude, prompt: str) -> Result:
    return claude.run(prompt, "--mcp-config", str(claude.home / "mcp.json"))


def given(api: Api, session: str) -> list[tuple[int, str, str]]:
    """(main request in which it first stood, hook, text) of what the learning loop gave in a session."""
    found: dict[str, tuple[int, str, str]] = {}
    asked = [request for request in api.of(Kind.MAIN) if request.session == session]
    for number, request in enumerate(asked):
        for said in request.texts():
            for hook, text in re.findall(
                r"(\w+)(?::\w+)? hook additional context: "
                r".*?<holdfast-context from=\"learning\"[^>]*>\n(.*?)\n</holdfast",
                said.text,
                re.DOTALL,
            ):
                found.setdefault(text, (number, hook, text))
    return sorted(found.values())


@pytest.mark.requirement("LRN-19")
@pytest.mark.requirement("LRN-4")
@pytest.mark.requirement("LRN-6")
@pytest.mark.requirement("LRN-7")
def test_the_example_session_whole(claude: Claude, api: Api, held: DaemonHome) -> None:
    """A failure is warned of; an entry is started, reminded of after ten calls, updated, falsified by a failing test,
    resolved, and found by the next session."""
    looks = [bash(f"ls -{'1' * number}") for number in range(1, 11)]
    start = tool("start_ghap", **ENTRY)
    update = tool("update_ghap", hypothesis="Rows of another test are left in the cache")
    resolve = tool(
        "resolve_ghap",
        outcome="falsified",
        surprise="It fails without any delay",
        root_cause="test-isolation",
        lesson="Flaky tests are often isolation issues, not timing issues",
    )
    steps = [bash("./pytest test_cache.py"), start, *looks, update, bash("./pytest test_cache.py"), resolve]
    api.script(*steps, Say("The test shares its cache with another one."))
    done = run(claude, "Fix the flaky cache test")
    settled(held, done.session, "SessionEnd")
    assert not api.result(start).is_error, api.result(start)
    told = given(api, done.session)
    # A step's hooks are seen with its result, in the request after it.
    assert [(number, hook) for number, hook, _ in told] == [
        (1, "PostToolUseFailure"),
        (12, "PreToolUse"),
        (14, "PostToolUseFailure"),
    ]
    warned, reminded, compared = (text for _, _, text in told)
    assert "Test failed: " in warned
    assert "start_ghap(goal=" in warned
    assert f"Hypothesis: {ENTRY['hypothesis']}" in reminded
    assert "10 tool calls" in reminded
    assert "This falsifies your hypothesis." in compared
    assert ENTRY["prediction"] in compared
    assert json.loads(api.result(resolve).text)["tier"] == "gold"

    api.script(Say("Isolation."))
    later = run(claude, "The flaky cache test is back. Is it timing or isolation again?")
    said = "\n".join(
        text.text for request in api.of(Kind.MAIN) if request.session == later.session for text in request.texts()
    )
    assert "Flaky tests are often isolation issues, not timing issues" in said
    assert given(api, later.session) == [], "nothing is left over"


@pytest.mark.requirement("LRN-3")
@pytest.mark.requirement("LRN-8")
@pytest.mark.requirement("LRN-11")
def test_an_entry_is_offered_to_the_next_session_adopted_and_settled_by_a_run(
    claude: Claude, api: Api, held: DaemonHome
) -> None:
    start = tool("start_ghap", **ENTRY | {"prediction": "test passes: test_cache.py"})
    api.script(start, Say("Later."))
    first = run(claude, "Look at the cache test")
    settled(held, first.session, "SessionEnd")
    entry = json.loads(api.result(start).text)["id"]
    adopt = tool("adopt_ghap", id=entry)
    api.script(adopt, bash("touch fixed"), bash("./pytest test_cache.py"), Say("It passes."))
    second = run(claude, "Go on")
    settled(held, second.session, "SessionEnd")
    assert not api.result(adopt).is_error, api.result(adopt)
    told = given(api, second.session)
    assert [(number, hook) for number, hook, _ in told] == [(0, "SessionStart"), (3, "PostToolUse")]
    assert f"Goal: {ENTRY['goal']}" in told[0][2]
    assert entry in told[0][2]
    assert f"{entry} is resolved as confirmed (gold, captured automatically)" in told[1][2]
    api.script(Say("Hello."))
    third = run(claude, "Hello")
    assert given(api, third.session) == []
