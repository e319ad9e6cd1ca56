"""Forgetting, with a real daemon: what was forgotten is in no file of the home any more, and does not come back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from holdfast import spool
from holdfast.ids import new_id, now_us
from tests.support.daemon import DaemonHome, until

MARKER = "zanzibarquartz"
SESSION = "5f0c8a52-11aa-4c0e-9a3d-000000000001"
OTHER = "5f0c8a52-11aa-4c0e-9a3d-000000000002"


def common(session: str, cwd: Path, **more: Any) -> dict[str, Any]:
    return {"session_id": session, "cwd": str(cwd), "transcript_path": "", "permission_mode": "default", **more}


def work(daemon: DaemonHome, session: str, word: str, cwd: Path) -> None:
    """A small session in which a word stands in the prompt, a command, its output, an edit and the last message."""
    prompt = new_id()
    base = common(session, cwd, prompt_id=prompt)
    daemon.hook(common(session, cwd) | {"hook_event_name": "SessionStart", "source": "startup"})
    told: list[tuple[str, dict[str, Any]]] = [("UserPromptSubmit", {"prompt": f"Why does the {word} importer fail?"})]
    for number in range(3):
        use = {
            "tool_name": "Bash",
            "tool_input": {"command": f"pytest tests/test_{word}_{number}.py", "description": f"run {word}"},
            "tool_use_id": f"toolu_{session[-4:]}{number}{word}",
        }
        response = {"stdout": f"3 passed in 1.2s {word}\n" * 40, "stderr": "", "interrupted": False}
        told += [("PreToolUse", use), ("PostToolUse", use | {"tool_response": response, "duration_ms": 12})]
        told += [("PostToolBatch", {"tool_calls": [use | {"tool_response": response["stdout"]}]})]
    told += [("MessageDisplay", {"message_id": new_id(), "index": 0, "final": True, "delta": f"About {word}."})]
    told += [("Stop", {"stop_hook_active": False, "last_assistant_message": f"The cause was {word} because of x."})]
    for event, fields in told:
        status, _ = daemon.post(event, base | {"hook_event_name": event} | fields)
        assert status == 200
    daemon.post("SessionEnd", base | {"hook_event_name": "SessionEnd", "reason": "other"})
    settle(daemon)


def settle(daemon: DaemonHome) -> None:
    until(lambda: daemon.status()["queue"]["jobs"] == 0, "the jobs are done")


def tool(daemon: DaemonHome, name: str, **arguments: Any) -> Any:
    status, value = daemon.request("POST", f"/api/tools/{name}", json.dumps(arguments).encode())
    assert status == 200, value
    return value


def files_with(home: Path, word: str) -> list[str]:
    """Every file of the home in which a word stands, in any case, wherever in the file."""
    return [
        str(file.relative_to(home))
        for file in sorted(home.rglob("*"))
        if file.is_file() and word.encode() in file.read_bytes().lower()
    ]


@pytest.mark.requirement("MEM-11")
@pytest.mark.requirement("SEC-1")
def test_a_forgotten_text_is_in_no_file_of_the_home(daemon: DaemonHome, tmp_path: Path) -> None:
    work(daemon, SESSION, MARKER, tmp_path)
    work(daemon, OTHER, "harmless", tmp_path)
    tool(daemon, "remember", text=f"The {MARKER} importer needs a lock.", by="user")
    assert tool(daemon, "search", query=f"{MARKER} importer", project="all")
    backup = daemon.home.backups / "holdfast-before.db"
    daemon.request("POST", "/api/backup", json.dumps({"path": str(backup)}).encode())
    waiting = spool.Spooled(new_id(), "Notification", now_us(), common(OTHER, tmp_path, message=f"{MARKER} waits"))
    spool.put(daemon.home.spool / "bad", waiting)
    with (daemon.home.logs / "daemon.log").open("a") as log:
        log.write(f"2026-11-15 WARNING something about {MARKER.upper()}\nanother line\n")
    before = files_with(daemon.home.root, MARKER)
    assert "holdfast.db" in before or "holdfast.db-wal" in before
    assert f"backups/{backup.name}" in before

    plan = tool(daemon, "forget", text=MARKER, preview=True)
    assert plan["counts"]["memory"] == 1
    assert plan["counts"]["prompt"] == 1
    assert plan["counts"]["observation"] == 3
    receipt = tool(daemon, "forget", text=MARKER.upper())
    assert receipt["backups_removed"] == [backup.name]
    assert receipt["backup_made"].startswith("auto-")
    assert receipt["spooled"] == 1
    assert receipt["log_lines"] >= 1
    assert "another line" in daemon.log()
    assert tool(daemon, "search", query=f"{MARKER} importer", text=MARKER, project="all") == []
    assert files_with(daemon.home.root, MARKER) == []
    daemon.stop()
    assert files_with(daemon.home.root, MARKER) == []
    daemon.start()
    settle(daemon)
    assert files_with(daemon.home.root, MARKER) == []
    assert tool(daemon, "search", query="harmless importer", project="all")
    assert {entry["session_id"] for entry in daemon.journal(event="PostToolUse")} == {OTHER}


@pytest.mark.requirement("MEM-11")
def test_one_thing_a_session_and_a_file_can_be_forgotten(daemon: DaemonHome, tmp_path: Path) -> None:
    work(daemon, SESSION, MARKER, tmp_path)
    [first, *_] = tool(daemon, "search", query=f"{MARKER} pytest", project="all", kind="test", limit=50)
    uses = len(daemon.journal(event="PostToolUse"))
    receipt = tool(daemon, "forget", ids=[first["id"]])
    assert receipt["counts"]["observation"] == 1
    assert receipt["counts"]["entries"] >= 3  # before, after, and the batch
    assert len(daemon.journal(event="PostToolUse")) == uses - 1
    status, told = daemon.request("POST", "/api/tools/forget", json.dumps({"ids": [first["id"]]}).encode())
    assert status == 422
    assert "Nothing is kept" in told["error"]

    edited = common(OTHER, tmp_path, prompt_id=new_id())
    change = {"file_path": str(tmp_path / "secret_plan.py"), "old_string": "a", "new_string": "b"}
    use = {"tool_name": "Edit", "tool_input": change, "tool_use_id": "toolu_edit1"}
    daemon.post("PreToolUse", edited | {"hook_event_name": "PreToolUse"} | use)
    daemon.post("PostToolUse", edited | {"hook_event_name": "PostToolUse", "tool_response": {}} | use)
    settle(daemon)
    receipt = tool(daemon, "forget", file=["secret_plan.py", str(tmp_path / "secret_plan.py")])
    assert receipt["counts"]["observation"] == 1
    assert files_with(daemon.home.root, "secret_plan.py") == []

    receipt = tool(daemon, "forget", session=SESSION)
    assert daemon.journal(session=SESSION) == []
    assert files_with(daemon.home.root, MARKER) == []


@pytest.mark.requirement("MEM-11")
def test_what_was_forgotten_does_not_come_back_from_the_spool(daemon: DaemonHome, tmp_path: Path) -> None:
    base = common(SESSION, tmp_path, prompt_id=new_id(), hook_event_name="UserPromptSubmit")
    prompt = base | {"prompt": f"Tell me about {MARKER}, please."}
    daemon.post("UserPromptSubmit", prompt)
    settle(daemon)
    assert tool(daemon, "forget", text=MARKER)["counts"]["prompt"] == 1
    # The same event again, as the command client would have left it when it believed itself alone.
    spool.put(daemon.home.spool, spool.Spooled(new_id(), "UserPromptSubmit", now_us(), prompt))
    until(lambda: not spool.waiting(daemon.home.spool), "the spool is drained")
    settle(daemon)
    assert daemon.journal(event="UserPromptSubmit") == []
    assert tool(daemon, "search", text=MARKER, project="all") == []


@pytest.mark.requirement("MEM-11")
def test_agents_are_not_offered_to_forget(daemon: DaemonHome) -> None:
    from holdfast.program import HOUSE_TOOLS

    [forget] = [tool for tool in HOUSE_TOOLS if tool.name == "forget"]
    assert forget.changes
    assert not forget.for_agents


@pytest.mark.requirement("MEM-11")
def test_forgetting_takes_one_way_of_choosing(daemon: DaemonHome) -> None:
    for wrong in ({}, {"text": "ab"}, {"text": "abcd", "session": "x"}, {"before": "nonsense"}):
        status, told = daemon.request("POST", "/api/tools/forget", json.dumps(wrong).encode())
        assert status == 400, told
