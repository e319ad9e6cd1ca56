"""From a tool event to an observation: titles, kinds, outcomes, trust, files, excerpts."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.events.event import PostToolUse, PostToolUseFailure, ToolEvent
from holdfast.events.parse import parse
from holdfast.rooms.memory.capture.tool_use import observe
from tests.support import payloads
from tests.support.table import each_of
from tests.unit.rooms.memory.made import ROOT, bash, failed, passed, seen

PATCH = [
    {
        "oldStart": 10,
        "oldLines": 3,
        "newStart": 10,
        "newLines": 4,
        "lines": [" def login(request):", "-    go()", "+    clear()", "+    go()"],
    }
]
PYTEST = "FAILED tests/test_auth.py::test_loop - assert 302 == 200\n3 failed, 42 passed in 1.20s"


@pytest.mark.requirement("MEM-4")
@each_of(
    ("event", "title", "kind", "outcome", "trust"),
    [
        (bash("pytest -q", PYTEST + "\n"), "Ran pytest: 3 failed, 42 passed", "test", "passed", "tool"),
        (bash("pytest -q | tail -3", PYTEST), "Ran pytest: 3 failed, 42 passed", "test", "failed", "tool"),
        (
            failed("Bash", {"command": "cd api && uv run pytest"}, f"Exit code 1\n{PYTEST}"),
            "Ran pytest in api: 3 failed, 42 passed",
            "test",
            "failed",
            "tool",
        ),
        (bash("uv run pytest -q", "45 passed in 2.1s"), "Ran pytest: 45 passed", "test", "passed", "tool"),
        (bash("ls -la src"), None, "read", "", "repository"),
        (bash("grep -rn login src | head", "src/a.py:1"), None, "search", "", "repository"),
        (bash("curl -s https://example.com/x", "<html>"), None, "command", "", "web"),
        (bash("sed -i s/a/b/ x.py"), None, "command", "", "tool"),
        (bash("echo hi > notes.txt"), None, "command", "", "tool"),
        (bash("./deploy.sh", "ok", "Deploy to staging"), "Deploy to staging", "command", "passed", "tool"),
        (
            failed("Bash", {"command": "./deploy.sh", "description": "Deploy to staging"}, "Exit code 3\nno route"),
            "Deploy to staging — failed: “no route”",
            "command",
            "failed",
            "tool",
        ),
        (
            passed("Edit", {"file_path": f"{ROOT}/src/auth.py"}, {"structuredPatch": PATCH}),
            "Edited src/auth.py: login()",
            "edit",
            "",
            "agent",
        ),
        (
            passed(
                "Write", {"file_path": f"{ROOT}/src/new.py", "content": "class Cart:\n    pass\n"}, {"type": "create"}
            ),
            "Created src/new.py: Cart",
            "edit",
            "",
            "agent",
        ),
        (
            passed("Write", {"file_path": f"{ROOT}/a.txt", "content": "b"}, {"type": "update", "originalFile": "a"}),
            "Rewrote a.txt",
            "edit",
            "",
            "agent",
        ),
        (
            failed("Edit", {"file_path": f"{ROOT}/a.py"}, "String to replace not found in file."),
            "Could not edit a.py: String to replace not found in file.",
            "edit",
            "failed",
            "tool",
        ),
        (passed("Read", {"file_path": f"{ROOT}/src/a.py"}, {}), "Read src/a.py", "read", "", "repository"),
        (
            passed("Read", {"file_path": "/etc/hosts", "offset": 5, "limit": 20}, {}),
            "Read /etc/hosts from line 5 (20 lines)",
            "read",
            "",
            "repository",
        ),
        (
            passed("Grep", {"pattern": "def login", "path": f"{ROOT}/src"}, ""),
            "Searched for def login in src",
            "search",
            "",
            "repository",
        ),
        (
            passed("WebFetch", {"url": "https://x.org/a", "prompt": "the API"}, {"code": 200, "result": "It says"}),
            "Read https://x.org/a for: the API",
            "web",
            "",
            "web",
        ),
        (
            passed("WebFetch", {"url": "https://x.org/a", "prompt": ""}, {"code": 404, "result": "gone"}),
            "Read https://x.org/a (404)",
            "web",
            "failed",
            "web",
        ),
        (passed("WebSearch", {"query": "tls 1.3"}, "hits"), "Searched the web for tls 1.3", "web", "", "web"),
        (
            passed(
                "Agent",
                {"description": "count beans", "subagent_type": "Explore", "prompt": "…"},
                {"content": [{"type": "text", "text": "Seven."}]},
            ),
            "Delegated to Explore: count beans",
            "agent",
            "",
            "agent",
        ),
        (passed("mcp__db__query", {"sql": "select 1"}, "1"), "Used query of db: select 1", "other", "", "tool"),
        (failed("mcp__db__query", {"sql": "x"}, "syntax error"), None, "other", "failed", "tool"),
    ],
)
def test_what_a_tool_use_comes_to(event: ToolEvent, title: str | None, kind: str, outcome: str, trust: str) -> None:
    draft = seen(event)
    assert (draft.kind, draft.outcome, draft.trust) == (kind, outcome, trust)
    if title is not None:
        assert draft.title == title
    assert draft.title
    assert "\n" not in draft.title
    assert len(draft.title) <= 160


@pytest.mark.requirement("EVT-13")
def test_the_event_says_whether_it_passed_not_a_word_in_the_output() -> None:
    assert seen(bash("python job.py", "3 errors were FAILED before, all fixed")).outcome == ""
    assert seen(failed("Bash", {"command": "python job.py"}, "Exit code 1\nall is well")).outcome == "failed"


@pytest.mark.requirement("MEM-4")
def test_reads_are_light_and_failures_rich() -> None:
    assert seen(passed("Read", {"file_path": f"{ROOT}/a"}, {"file": {"content": "secret sauce"}})).excerpt == ""
    assert seen(bash("cat a.py", "def f(): pass")).excerpt == ""
    draft = seen(failed("Bash", {"command": "pytest"}, "Exit code 1\n" + "noise\n" * 500 + PYTEST))
    assert "test_loop" in draft.excerpt
    assert "3 failed, 42 passed" in draft.excerpt
    assert len(draft.excerpt) <= 800


@pytest.mark.requirement("MEM-4")
@pytest.mark.parametrize(
    ("event", "files"),
    [
        (passed("Edit", {"file_path": f"{ROOT}/src/a.py"}, {}), ("src/a.py",)),
        (passed("Edit", {"file_path": "/elsewhere/a.py"}, {}), ("/elsewhere/a.py",)),
        (passed("NotebookEdit", {"notebook_path": f"{ROOT}/n.ipynb", "new_source": "x"}, {}), ("n.ipynb",)),
        (bash("rm src/old.py && touch src/new.py"), ("src/old.py", "src/new.py")),
        (bash("cd src && echo x > made.py"), ("src/made.py",)),
        (bash("cat src/a.py"), ("src/a.py",)),
        (bash("pytest > /dev/null"), ()),
    ],
)
def test_files_touched(event: ToolEvent, files: tuple[str, ...]) -> None:
    assert seen(event).files == files


def test_an_interrupted_tool_is_no_observation() -> None:
    event = PostToolUseFailure(tool_name="Bash", tool_input={"command": "sleep 9"}, error="", is_interrupt=True)
    assert observe(event, ROOT) is None
    assert observe(PostToolUse(tool_name="Bash", tool_input={"command": "  "}), ROOT) is None


@pytest.mark.requirement("EVT-10")
def test_what_holdfast_said_is_not_taken_for_output() -> None:
    ours = '<holdfast-context from="memory" id="abcd1234">\nold news\n</holdfast-context id="abcd1234">'
    draft = seen(passed("mcp__x__y", {"a": "b"}, f"before {ours} after"))
    assert "old news" not in draft.excerpt
    assert "before" in draft.excerpt


@pytest.mark.requirement("MEM-4")
@each_of("name", [name for name in payloads.names() if name.startswith("PostToolUse")])
def test_every_recorded_tool_use_gets_a_title(name: str) -> None:
    event = parse(payloads.load(name))
    assert isinstance(event, ToolEvent)
    draft = observe(event, ROOT)
    if event.tool_name == "Bash" and event.arguments["command"].split()[0] == "sleep":
        assert draft is None, "nothing was done"
        return
    assert draft is not None
    assert len(draft.title) > 5


@each_of("odd", [None, 7, [], "text", {"file_path": 3}, {"command": ["x"]}, {"edits": [1, {}]}])
@each_of("tool", ["Edit", "Write", "Read", "Bash", "WebFetch", "Agent", "Grep", "Whatever", "mcp__x"])
def test_odd_shapes_do_no_harm(tool: str, odd: Any) -> None:
    for response in (None, 3, [1, "x"], {"structuredPatch": [None, {"lines": [4]}], "content": {"text": 5}}):
        event = PostToolUse(tool_name=tool, tool_input=odd, tool_response=response, cwd="")
        draft = observe(event, "")
        assert draft is None or draft.title
