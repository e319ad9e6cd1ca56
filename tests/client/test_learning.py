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
from tests.client.bed.script import Say, Turn, Use
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
        "echo \"E       KeyError: 'sid'\"\n"
        "echo 'FAILED test_cache.py::test_evict - KeyError'\n"
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


LEARNED = (
    ("Repair the flaky cache test", "The network is slow", "Raise the timeout",
     "Flaky cache tests are isolation issues: clear the cache fixture between tests"),
    ("Make the cache suite steady in the nightly run", "The machine is overloaded", "Run fewer workers",
     "A flaky cache test shares the cache fixture; isolation of the fixture repairs it"),
    ("Stop the eviction test from failing at random", "A clock is mocked twice", "Freeze the clock once",
     "Clear the cache between flaky tests, isolation was the issue and not timing"),
)  # fmt: skip
OTHERS = (
    {"goal": "Speed up the importer", "hypothesis": "The parser copies rows", "action": "Stream them",
     "prediction": "It takes half the time"},
    {"goal": "Rename the billing service", "hypothesis": "Imports are spread", "action": "Use a codemod",
     "prediction": "The build stays green"},
    {"goal": "Write the release notes", "hypothesis": "Nobody lists changes", "action": "Collect fragments",
     "prediction": "Readers find the page"},
)  # fmt: skip


def said(api: Api, session: str, hook: str) -> str:
    """What a hook's context said in the first request of a session."""
    first = next(request for request in api.of(Kind.MAIN) if request.session == session)
    return "\n".join(text.text for text in first.texts() if f"{hook} hook additional context" in text.text)


@pytest.mark.requirement("LRN-19")
@pytest.mark.requirement("LRN-4")
@pytest.mark.requirement("LRN-6")
@pytest.mark.requirement("LRN-7")
def test_the_example_session_whole(claude: Claude, api: Api, held: DaemonHome) -> None:
    """The session starts with what was learned and done before, its prompt is given a past experience; a failure is
    warned of; an entry is started, reminded of after ten calls, updated, falsified by a failing test, resolved, and
    found by the next session."""
    tried: list[Use] = []
    for goal, hypothesis, action, lesson in LEARNED:
        told_of = {"goal": goal, "hypothesis": hypothesis, "action": action}
        why = {"surprise": "The cache was full before the test", "root_cause": "test-isolation", "lesson": lesson}
        tried += [tool("start_ghap", **ENTRY | told_of), tool("resolve_ghap", outcome="falsified", **why)]
    for other in OTHERS:
        tried += [tool("start_ghap", **ENTRY | other), tool("resolve_ghap", outcome="confirmed")]
    values = tool("list_values", axis="full")
    notes = Use("Write", {"file_path": str(claude.project / "flaky.md"), "content": "Isolation, three times.\n"})
    api.script(*tried, values, notes, Say("Three flaky tests, three times isolation: flaky.md says which."))
    before = run(claude, "Look at the flaky tests of the week")
    settled(held, before.session, "SessionEnd")
    [value] = json.loads(api.result(values).text)["values"]

    looks = [bash(f"ls -{'1' * number}") for number in range(1, 11)]
    start = tool("start_ghap", **ENTRY)
    update = tool("update_ghap", hypothesis="Rows of another test are left in the cache")
    resolve = tool(
        "resolve_ghap",
        outcome="falsified",
        surprise="It fails without any delay",
        root_cause="test-isolation",
        lesson="The eviction test leaves rows behind: give the cache a fixture of its own",
    )
    steps = [bash("./pytest test_cache.py"), start, *looks, update, bash("./pytest test_cache.py"), resolve]
    api.script(*steps, Say("The test shares its cache with another one."))
    done = run(claude, "Fix the flaky cache test")
    settled(held, done.session, "SessionEnd")
    began, asked = said(api, done.session, "SessionStart"), said(api, done.session, "UserPromptSubmit")
    assert f"Learned:\n[{value['id']}] " in began, "the top values"
    assert "flaky.md" in began, "recent work"
    assert "unresolved" not in began, "no orphan"
    assert re.search(r"^\[e[0-9a-f]{8}\] .*isolation", asked, re.MULTILINE), "a similar experience"
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
    assert "What went wrong before in testing:\n- [e" in warned
    assert "start_ghap(goal=" in warned
    assert f"Hypothesis: {ENTRY['hypothesis']}" in reminded
    assert "10 tool calls" in reminded
    assert "This falsifies your hypothesis." in compared
    assert ENTRY["prediction"] in compared
    assert json.loads(api.result(resolve).text)["tier"] == "gold"

    api.script(Say("Isolation."))
    later = run(claude, "The eviction test of the cache fails again. Does it leave rows behind?")
    assert "give the cache a fixture of its own" in said(api, later.session, "UserPromptSubmit") + said(
        api, later.session, "SessionStart"
    )
    assert given(api, later.session) == [], "nothing is left over"


@pytest.mark.requirement("LRN-14")
@pytest.mark.requirement("LRN-16")
@pytest.mark.requirement("LRN-17")
def test_a_lesson_comes_where_it_can_still_help(claude: Claude, api: Api, held: DaemonHome) -> None:
    """A failure is told with its result; a command that fails here at the prompt that names it, and it is held once
    where the user wants that; a file's lesson at the Read before the edit. Each once per session."""
    held.stop()
    held.home.config.write_text(
        "[learning]\nhold = true\n[memory]\nfile_history = false\nbrief = false\nrecall = false\n"
    )
    held.start()
    deploy = claude.project / "deploy.sh"
    deploy.write_text(
        "#!/bin/sh\nif [ -e up ]; then echo done; else echo 'Error: the stock service is down'; exit 1; fi\n"
    )
    deploy.chmod(0o755)
    (claude.project / "cache.py").write_text("rows = []\n")
    (claude.project / "elsewhere").mkdir()
    read = Use("Read", {"file_path": str(claude.project / "cache.py")})
    edit = Use(
        "Edit", {"file_path": str(claude.project / "cache.py"), "old_string": "rows = []", "new_string": "rows = {}"}
    )
    fails, starts, stops = bash("./deploy.sh"), bash("touch up"), bash("mv up elsewhere")
    tests, repair = bash("./pytest test_cache.py"), bash("touch fixed")
    api.script(
        *(fails, starts, bash("./deploy.sh"), tests, read, edit, repair),
        Turn([Say("The dictionary is in place. The tests should pass now."), bash("./pytest test_cache.py")]),
        Say("The root cause was that evicted rows in cache.py were never removed. I fixed it with a dictionary."),
    )
    first = run(claude, "Deploy the stock and repair the cache")
    settled(held, first.session, "SessionEnd")
    figures = held.request("POST", "/api/tools/calibration", b"{}")[1]
    assert (figures["implied"]["came_true"], figures["implied"]["total"]) == (1, 1), "what it said before the run"

    api.script(stops, fails, starts, bash("./deploy.sh"), stops, bash("./deploy.sh"), Say("It is down again."))
    second = run(claude, "Deploy the stock again, please")
    settled(held, second.session, "SessionEnd")
    lessons = [(number, hook, text) for number, hook, text in given(api, second.session) if "[r" in text]
    assert [(number, hook) for number, hook, _ in lessons] == [(2, "PostToolUseFailure")], "with its result"
    assert "This failed before:\n[r" in lessons[0][2]
    assert "ran `touch up`" in lessons[0][2]

    kept = held.request("POST", "/api/tools/list_remedies", b'{"project_id": "all"}')[1]
    assert [(each["command"], each["shown"], each["used"], each["worked"]) for each in kept] == [
        ("pytest test_cache.py", 0, 0, 0),
        ("./deploy.sh", 1, 1, 1),
    ], "it helped again: that is no second remedy"
    tries = [bash("./deploy.sh"), bash("./deploy.sh")]
    changed = Use("Edit", {**edit.input, "old_string": "rows = {}", "new_string": "rows = dict()"})
    api.script(*tries, read, changed, read, Say("Done."))
    third = run(claude, "Run `./deploy.sh` and make the rows of cache.py a plain dictionary call")
    lessons = [(number, hook, text) for number, hook, text in given(api, third.session) if "[r" in text]
    assert [(number, hook) for number, hook, _ in lessons] == [(0, "UserPromptSubmit"), (3, "PreToolUse")]
    at_prompt, at_read = (text for _, _, text in lessons)
    assert at_prompt.startswith("`./deploy.sh` failed here the last time. What helped before:\n[r")
    assert at_read.startswith("What failed with cache.py before:\n[r")
    assert "evicted rows in cache.py were never removed" in at_read
    held_once, ran = (api.result(each) for each in tries)
    assert "This command failed here the last time." in held_once.text
    assert "ran `touch up`" in held_once.text
    assert "the stock service is down" in ran.text, "it ran the second time"


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
    start = tool("start_ghap", **ENTRY)
    api.script(start, bash("./pytest test_cache.py"), Say("It passes."))
    third = run(claude, "Is it steady now?")
    [(number, hook, asked)] = given(api, third.session)
    assert (number, hook) == (2, "PostToolUse"), "nothing is offered, and a match asks to confirm"
    assert "Does this confirm your hypothesis?" in asked
    assert 'resolve_ghap(outcome="confirmed", lesson="…")' in asked
