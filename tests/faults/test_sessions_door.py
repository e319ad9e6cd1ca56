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
def test_a_new_project_has_an_empty_context(daemon: DaemonHome) -> None:
    """Scripts put what they are answered before the model; an error does not belong there."""
    assert daemon.get("/api/context/inject?project=nowhere") == (200, "")


@pytest.mark.requirement("MEM-14")
def test_a_name_and_its_folder_are_one_project(daemon: DaemonHome) -> None:
    """As the scripts of that worker speak: the prompt with the project's name, a tool with the folder, the end with
    neither."""
    folder = daemon.home.root / "seedproj"
    folder.mkdir()
    ask(daemon, "/sessions/rest-3/init", {"project": "seedproj", "userPrompt": "Why does the importer skip headers?"})
    told = {"claudeSessionId": "rest-3"}
    used = {
        "tool_name": "Edit",
        "tool_input": {"file_path": f"{folder}/importer.py", "old_string": "a", "new_string": "b"},
    }
    ask(daemon, "/api/sessions/observations", told | used | {"tool_response": "ok", "cwd": str(folder)})
    said = {"last_assistant_message": "The importer skipped headers because the BOM was read as part of the first one."}
    ask(daemon, "/api/sessions/summarize", told | said | {"last_user_message": "Why does the importer skip headers?"})
    ask(daemon, "/api/sessions/complete", told | {"reason": "exit"})
    until(lambda: daemon.get("/api/processing")[1]["queueDepth"] == 0, "the queue is empty")
    status, text = daemon.get("/api/context/inject?project=seedproj")
    assert status == 200
    assert "BOM" in text
    ask(daemon, "/sessions/rest-4/init", {"project": "seedproj", "userPrompt": "And the footers?"})
    named = [each for each in ask(daemon, "/api/tools/project_list", {})[1] if "seedproj" in each["place"]]
    assert [(each["name"], each["place"], each["sessions"]) for each in named] == [("seedproj", str(folder), 2)]
