"""pause, resume: recording stops and goes on, with the daemon or without it, and nothing of a pause comes back."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.support.daemon import until
from tests.support.shell import Shell

SECRET_WORK = "The takeover of Tulip Ltd is planned for May."


def event(shell: Shell, name: str, **own: Any) -> dict[str, Any]:
    transcript = shell.folder.parent / "claude-config" / "projects" / "p" / "s-1.jsonl"
    common = {"session_id": "s-1", "cwd": str(shell.folder), "transcript_path": str(transcript)}
    return common | {"hook_event_name": name} | own


def transcript_of(shell: Shell, *prompts: str) -> Path:
    """A transcript in which the client has written these prompts, one after the other, now."""
    path = Path(event(shell, "")["transcript_path"])
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        for number, prompt in enumerate(prompts):
            line = {
                "type": "user",
                "sessionId": "s-1",
                "cwd": str(shell.folder),
                "timestamp": datetime.now(UTC).isoformat().replace("+00:00", "Z"),
                "promptId": f"prompt-{number}-{len(prompt)}",
                "uuid": f"u-{number}",
                "version": "2.1.325",
                "message": {"role": "user", "content": prompt},
            }
            file.write(json.dumps(line) + "\n")
    return path


def everything(shell: Shell) -> bytes:
    """All bytes that the home holds."""
    return b"".join(path.read_bytes() for path in shell.daemon.home.root.rglob("*") if path.is_file())


@pytest.mark.requirement("MEM-30")
def test_nothing_of_a_pause_comes_back_after_a_crash(running: Shell) -> None:
    daemon = running.daemon
    transcript_of(running, "Begin.")
    daemon.hook(event(running, "SessionStart", source="startup"))
    daemon.hook(event(running, "UserPromptSubmit", prompt="Begin.", prompt_id="prompt-0-6"))
    assert "paused" in running.ok("pause", "--project")
    daemon.kill()
    daemon.home.stopped.touch()  # no hook starts it: the command client is alone
    transcript_of(running, SECRET_WORK)
    asked = event(running, "UserPromptSubmit", prompt=SECRET_WORK, prompt_id="prompt-x")
    assert daemon.hook(asked).stdout == b"{}"
    assert not list(daemon.home.spool.glob("*.json"))
    told = json.loads(running.run("status", "--json").stdout)
    assert told["recording"]["here"] is False
    daemon.home.stopped.unlink()
    daemon.start()  # it compares the transcripts of open sessions
    until(lambda: daemon.status()["queue"]["jobs"] == 0, "the transcripts are compared")
    assert "recording paused in this project" in running.ok("status")
    assert "ended" in running.ok("resume")
    daemon.hook(event(running, "UserPromptSubmit", prompt="Go on.", prompt_id="prompt-y"))
    daemon.hook(event(running, "SessionEnd", reason="other"))
    until(lambda: daemon.status()["queue"]["jobs"] == 0, "the transcripts are compared again")
    running.ok("import", "claude", str(running.folder.parent / "claude-config"))
    prompts = [entry["payload"]["prompt"] for entry in daemon.journal(event="UserPromptSubmit")]
    assert "Go on." in prompts
    daemon.stop()
    assert SECRET_WORK.encode() not in everything(running)


@pytest.mark.requirement("MEM-30")
def test_pauses_are_set_and_ended_without_a_daemon(shell: Shell) -> None:
    other = shell.folder.parent / "other"
    other.mkdir()
    assert shell.json("pause", "--project", str(other))["root"] == str(other)
    shell.ok("pause", "--session", "s-9", "--for", "2h")
    assert "does not run inside a session" in shell.run("pause", "--session").stderr
    assert "no length of time" in shell.run("pause", "--for", "soon").stderr
    assert shell.json("resume")["recording"] is True
    assert shell.json("pause", "--for", "30m")["until"]
    told = json.loads(shell.run("status", "--json").stdout)["recording"]
    assert (told["here"], len(told["pauses"])) == (False, 3)
    assert shell.json("resume", "--all")["recording"] is True
    assert json.loads(shell.run("status", "--json").stdout)["recording"]["pauses"] == []
    (shell.folder / ".holdfast.toml").write_text("capture = false\n")
    left = shell.run("resume")
    assert left.returncode == 1
    assert "capture = false" in left.stdout


@pytest.mark.requirement("MEM-30")
def test_a_session_is_paused_by_the_beginning_of_its_id(running: Shell) -> None:
    """`journal` and `seen` show eight characters: a pause for them has to hold."""
    named = "2f1c9c0e-8a57-4b6e-9d0e-1c2b3a4d5e6f"
    said = running.ok("pause", "--session", "2f1c9c0e")
    assert "`holdfast resume --session 2f1c9c0e` goes on recording" in said
    running.daemon.hook(event(running, "UserPromptSubmit", prompt=SECRET_WORK) | {"session_id": named})
    assert running.daemon.journal(session=named) == []
    too_short = running.run("pause", "--session", "2f1c")
    assert too_short.returncode == 2
    assert "too short" in too_short.stderr
    assert "1 pause holds elsewhere; `holdfast resume --all` ends it." in running.ok("resume")
    assert "1 pause ended." in running.ok("resume", "--session", "2f1c9c0e")
    running.daemon.hook(event(running, "UserPromptSubmit", prompt="Go on.") | {"session_id": named})
    assert [entry["payload"]["prompt"] for entry in running.daemon.journal(session=named)] == ["Go on."]


@pytest.mark.requirement("MEM-25")
def test_a_project_switches_off_and_never_on(shell: Shell) -> None:
    (shell.folder / ".git").mkdir()
    project = shell.folder / ".holdfast.toml"
    shell.daemon.home.config.write_text("[memory]\nrecall = false\n")
    project.write_text("[memory]\nbrief = false\nrecall = true\n")
    found = {one["key"]: one for one in shell.json("config", "show")}
    assert (found["memory.brief"]["value"], found["memory.brief"]["origin"]) == (False, str(project))
    assert (found["memory.recall"]["value"], found["memory.recall"]["origin"]) == (
        False,
        str(shell.daemon.home.config),
    )
    assert "a project may switch it off, never on" in shell.run("config", "check").stdout
    shell.extra = {"HOLDFAST_MEMORY_BRIEF": "yes"}
    assert {one["key"]: one["value"] for one in shell.json("config", "show")}["memory.brief"] is False
