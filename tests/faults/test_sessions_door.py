"""REST for scripts of an earlier memory worker: its bodies take the same road, and its answers come back."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support.daemon import DaemonHome, until


@pytest.fixture
def daemon(shared_daemon: DaemonHome) -> DaemonHome:
    return shared_daemon


def ask(daemon: DaemonHome, path: str, body: Any) -> tuple[int, Any]:
    return daemon.request("POST", path, json.dumps(body).encode())


@pytest.mark.requirement("MEM-14")
def test_a_session_told_by_rest_is_remembered(daemon: DaemonHome) -> None:
    folder = daemon.home.root / "website"
    folder.mkdir()
    told = {"claudeSessionId": "rest-1", "cwd": str(folder)}
    asked = {"project": "website", "userPrompt": "Fix the login redirect", "promptNumber": 1, "cwd": str(folder)}
    assert ask(daemon, "/sessions/rest-1/init", asked) == (
        200,
        {"status": "initialized", "sessionDbId": "rest-1", "promptNumber": 1},
    )
    used = {"tool_name": "Bash", "tool_input": {"command": "pytest"}, "tool_response": {"stdout": "3 passed in 0.1s"}}
    assert ask(daemon, "/api/sessions/observations", told | used) == (200, {"status": "queued"})
    said = {"last_user_message": "Fix it", "last_assistant_message": "The redirect is fixed."}
    assert ask(daemon, "/api/sessions/summarize", told | said) == (200, {"status": "queued"})
    assert ask(daemon, "/api/sessions/complete", told | {"reason": "exit"}) == (200, {"status": "completed"})
    until(lambda: daemon.get("/api/processing")[1]["queueDepth"] == 0, "the queue is empty")
    assert ask(daemon, "/api/processing", {"isProcessing": False})[1]["isProcessing"] is False
    events = [entry["event"] for entry in daemon.journal(session="rest-1")]
    assert events == ["UserPromptSubmit", "PostToolUse", "Stop", "SessionEnd"]
    status, found = ask(daemon, "/api/tools/search", {"query": "pytest", "project": "all"})
    assert status == 200
    assert any("pytest" in line["snippet"] for line in found)
    status, text = daemon.get("/api/context/inject?project=website")
    assert status == 200
    assert "login redirect" in text
    assert text.startswith('<holdfast-context from="memory"')


@pytest.mark.requirement("MEM-14")
def test_a_turn_without_a_prompt_is_summarised_with_the_last_user_message(daemon: DaemonHome) -> None:
    told = {"claudeSessionId": "rest-2", "cwd": str(daemon.home.root)}
    said = {"last_user_message": "Why does the mail queue stall?", "last_assistant_message": "The lock was stale."}
    ask(daemon, "/api/sessions/summarize", told | said)
    ask(daemon, "/api/sessions/summarize", told | said | {"last_user_message": "And the cron job?"})
    asked = {"userPrompt": "One more thing.", "cwd": str(daemon.home.root)}
    assert ask(daemon, "/sessions/rest-2/init", asked)[1]["promptNumber"] == 3
    prompts = [entry["payload"]["prompt"] for entry in daemon.journal(session="rest-2", event="UserPromptSubmit")]
    assert prompts == ["Why does the mail queue stall?", "And the cron job?", "One more thing."]
    assert daemon.status()["sessions"]["active"] == 1


@pytest.mark.requirement("MEM-14")
@pytest.mark.parametrize(
    ("path", "body", "status", "sentence"),
    [
        ("/api/sessions/observations", {}, 400, "claudeSessionId"),
        ("/api/sessions/observations", {"claudeSessionId": 5, "tool_name": "Bash"}, 400, "Expected `str`"),
        ("/api/sessions/complete", [], 400, "The body is a JSON object of claudeSessionId"),
    ],
)
def test_bodies_that_do_not_fit_are_told_what_does(
    daemon: DaemonHome, path: str, body: Any, status: int, sentence: str
) -> None:
    answered, answer = ask(daemon, path, body)
    assert answered == status
    assert sentence in answer["error"]


@pytest.mark.requirement("MEM-14")
def test_an_unknown_project_has_no_context(daemon: DaemonHome) -> None:
    status, answer = daemon.get("/api/context/inject?project=nowhere")
    assert status == 404
    assert answer["error"].startswith("There is no project named nowhere; nothing was found or changed.")
