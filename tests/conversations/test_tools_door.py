"""The tools' door of a running daemon, and the verbs of the command line that use it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from holdfast.doors.cli.main import main
from tests.conversations.origin import Origin
from tests.support.daemon import DaemonHome


@pytest.fixture
def daemon(shared_daemon: DaemonHome) -> DaemonHome:
    return shared_daemon


@pytest.mark.parametrize(
    ("name", "body", "status", "said"),
    [
        ("citations_lst", b"{}", 404, "Did you mean citations_list?"),
        ("citations_show", b"{}", 400, "It takes url (required)"),
        ("citations_show", b"[", 400, "It takes url (required)"),
        ("citations_stats", b'{"x": 1}', 400, "It takes no arguments"),
        ("citations_list", b'{"limit": 0}', 400, "limit (default 200)"),
        ("citations_show", b'{"url": "https://e.org/"}', 422, "Nothing is kept of https://e.org/"),
        ("citations_list", b" " * (2 * 1024 * 1024), 400, "longer than"),
    ],
)
def test_what_does_not_fit_gets_a_sentence(daemon: DaemonHome, name: str, body: bytes, status: int, said: str) -> None:
    code, answer = daemon.request("POST", f"/api/tools/{name}", body)
    assert code == status
    assert said in answer["error"]


def test_the_list_of_tools_carries_their_schemas(daemon: DaemonHome) -> None:
    code, tools = daemon.get("/api/tools")
    assert code == 200
    shown = {tool["name"]: tool for tool in tools}["citations_show"]
    assert shown["arguments"]["required"] == ["url"]
    assert shown["changes"] is False


@pytest.mark.requirement("CIT-8")
@pytest.mark.requirement("CIT-10")
def test_the_verbs(home: DaemonHome, origin: Origin, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url = origin.add("/doc")
    entry = {"url": url, "prompt": "why", "etag": '"v1"', "content": "because", "fetched_at": 1_700_000_000}
    (tmp_path / "a.json").write_text(json.dumps(entry))
    home.start(HOLDFAST_CITATIONS_ALLOW_PRIVATE="127.0.0.1", HOLDFAST_CITATIONS_DEBUG="1")

    def run(*words: str) -> tuple[int, str]:
        code = main(["--home", str(home.home.root), *words])
        printed = capsys.readouterr()
        return code, printed.out or printed.err

    assert run("citations", "list")[1].startswith("There is no page. ")
    assert run("import", "sdd-cache", str(tmp_path)) == (0, "Took over 1 page.\n")
    assert url in run("citations", "list")[1]
    assert "because" in run("citations", "show", url)[1]
    fetch = {"tool_name": "WebFetch", "tool_input": {"url": url, "prompt": "why"}, "tool_use_id": "toolu_1"}
    payload = fetch | {"session_id": "s", "cwd": str(tmp_path), "hook_event_name": "PreToolUse"}
    answer = home.post("PreToolUse", payload)[1]["hookSpecificOutput"]
    assert answer["permissionDecision"] == "deny"
    assert "because" in answer["permissionDecisionReason"]
    assert json.loads(run("citations", "stats", "--json")[1])["hits"] == 1
    assert "304 Not Modified" in home.log()
    assert run("citations", "forget", url) == (0, f"Removed 1 readings of {url}.\n")
    assert run("citations", "show", url)[0] == 1
