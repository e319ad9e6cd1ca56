"""Efforts under the real client: what blocks, what lifts it, what a subagent gets, and what survives a compaction."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.client.bed.api import Api
from tests.client.bed.claude import Claude
from tests.client.bed.request import Kind, Request
from tests.client.bed.script import Say, Turn, Usage, Use
from tests.client.bed.tui import Tui
from tests.client.held import install, settled
from tests.support.daemon import DaemonHome, until
from tests.support.patient import PatientHome

SKILL = """---
name: build
description: Build something
phases: [Setup, Plan, Build]
heartbeat: block
log_template: "- WHAT-AND-WHY"
---
Build it step by step.
"""
POOR = Say("<analysis>x</analysis>\n<summary>POOR-SUMMARY: something was built.</summary>")


def bash(command: str) -> Use:
    return Use("Bash", {"command": command, "description": "Run it"})


def told(request: Request) -> str:
    return "\n".join(each.text for each in request.texts())


def call(daemon: DaemonHome, tool: str, **arguments: Any) -> Any:
    status, result = daemon.request("POST", f"/api/tools/{tool}", json.dumps(arguments).encode())
    assert status == 200, result
    return result


@pytest.fixture
def home() -> Iterator[DaemonHome]:
    """A heartbeat is counted by a step of an event: on a busy machine it must not be left out because it is late."""
    made = PatientHome()
    yield made
    made.remove()


@pytest.fixture
def held(claude: Claude, daemon: DaemonHome) -> DaemonHome:
    """holdfast for this client, its command on PATH, and a project with a skill of its own."""
    install(claude, daemon)
    claude.env["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    skill = claude.project / ".claude" / "skills" / "build" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text(SKILL)
    (claude.project / "lib").mkdir()
    (claude.project / "lib" / "AGENTS.md").write_text("DIRECTIVE: names are nouns.\n")
    (claude.project / "lib" / "CLAUDE.md").write_text("The client loads this itself.\n")
    (claude.project / "lib" / "a.py").write_text("x = 1\n")
    return daemon


@pytest.mark.requirement("WRK-3")
@pytest.mark.requirement("WRK-4")
@pytest.mark.requirement("WRK-5")
@pytest.mark.requirement("WRK-8")
@pytest.mark.requirement("WRK-11")
def test_a_heartbeat_that_logging_lifts_and_a_subagent_of_the_effort(
    claude: Claude, api: Api, held: DaemonHome
) -> None:
    """The slash command starts the effort of the agent that the environment names. The tenth call is refused until the
    agent logs as the refusal says. A subagent has its own window and heartbeat, and is told of the effort."""
    claude.env["AGENT_ID"] = "front"
    looks = [bash(f"ls -{'1' * number}") for number in range(1, 9)]
    read = [Use("Read", {"file_path": str(claude.project / "lib" / "a.py")}) for _ in range(2)]
    refused, log, passed = (
        bash("echo refused"),
        bash('holdfast effort log "looked at the library"'),
        bash("echo passed"),
    )
    helper = {"description": "count", "prompt": "Count the beans.", "subagent_type": "general-purpose"}
    inner = bash("echo inside")
    used = Usage(input_tokens=5, cache_read_input_tokens=912_000)
    agent, last = Use("Agent", helper | {"run_in_background": False}), bash("echo last")
    full = [Turn([each], usage=used) for each in (passed, agent, last)]
    api.script(*read[:1], *looks, refused, log, read[1], *full, Say("ok"))
    api.agent("Count the beans", inner, Say("Seven beans."))
    done = claude.run("/build the parser")
    settled(held, done.session, "SubagentStop", "SessionEnd")
    requests = [request for request in api.of(Kind.MAIN) if request.session == done.session]
    assert "Effort build #1 begins" in told(requests[0])
    assert told(requests[1]).count("DIRECTIVE: names are nouns.") == 1
    assert told(requests[-1]).count("DIRECTIVE: names are nouns.") == 1, "given once"
    assert all(not api.result(look).is_error for look in looks)
    reason = api.result(refused)
    assert reason.is_error
    command = re.search(r'`(holdfast effort log) "what you did"`', reason.text)
    assert command, reason.text
    assert "Logged in 1_BUILD_LOG.md" in api.result(log).text
    assert (api.result(passed), api.result(inner)) == (("passed", False), ("inside", False))
    given = told(api.of(Kind.AGENT)[0])
    assert "You work for it as a subagent of session" in given
    assert "- WHAT-AND-WHY" in given
    [effort] = call(held, "effort_list", project_id="all")
    assert (effort["agent"], effort["skill"], effort["title"]) == ("front", "build", "the parser")
    shown = call(held, "effort_show", id=effort["id"])
    beats = {bool(each["agent_id"]): each["heartbeat"] for each in shown["windows"]}
    assert beats == {True: 1, False: 4}
    assert told(requests[-1]).count("91 % full") == 1, "one room tells of it, once"
    assert "effort dehydrate" in told(requests[-1])
    assert all(each["ended"] for each in shown["windows"])
    assert shown["loaded_files"] == [str((claude.project / "lib" / "a.py").resolve())]

    # The next session of the same agent goes on with it; one of another agent does not.
    api.script(Say("Going on."), Say("Something else."))
    claude.run("Where were we?")
    again = told(api.of(Kind.MAIN)[-1])
    assert "Effort build #1 goes on" in again
    assert "phase Setup · heartbeat 0/10" in again
    claude.env["AGENT_ID"] = "back"
    claude.run("And you?")
    assert "effort build" not in told(api.of(Kind.MAIN)[-1]).lower()


@pytest.mark.requirement("WRK-3")
@pytest.mark.requirement("WRK-9")
@pytest.mark.requirement("WRK-10")
@pytest.mark.requirement("CON-8")
def test_an_effort_survives_compaction_and_clear_beside_a_second_client(
    claude: Claude, api: Api, held: DaemonHome, tui: Tui
) -> None:
    api.summary = POOR
    leave = bash('holdfast effort dehydrate "HAND-OVER: half done" --file lib/a.py')
    options = [{"label": "North", "description": "n"}, {"label": "South", "description": "s"}]
    ask = {"question": "Which way?", "header": "Way", "options": options, "multiSelect": False}
    question = Use("AskUserQuestion", {"questions": [ask]})
    plan = bash('holdfast effort log "PLAN: print numbers first" --artifact plan')
    session = bash('holdfast dehydrate "the printer is half done"')
    api.script(question, bash("holdfast effort phase Plan"), plan, leave, session, Say("Left a note."))
    tui.start()
    tui.submit("/build the printer")
    tui.wait_for("1. North")

    def answered() -> bool:
        """A dialog that has just been drawn takes no key yet."""
        tui.key("Enter")
        return bool(held.journal(event="PostToolUse"))

    until(answered, "the question is answered")
    tui.wait_idle()
    [dialogue] = call(held, "message_list", project_id="all", kind="dialogue")
    assert dialogue["text"] == "Q: Which way? [North | South]\nA: North"
    until(lambda: call(held, "effort_list", project_id="all")[0]["waiting"] == 2, "the hand-over waits")
    api.script(Say("I am another client."))
    claude.run("Hello from beside.")
    beside = told(api.of(Kind.MAIN)[-1])
    assert "Hello from beside." in beside
    assert "Effort build" not in beside, "an effort that is held is not taken up"
    documents = "1_BUILD_LOG.md, 1_BUILD_PLAN.md."
    assert f"Documents of the effort build: {documents}" in beside, "the session's hand-over is for the next session"
    tui.submit("/compact")
    until(lambda: held.journal(event="PostCompact"), "the compaction is over")
    api.script(Say("Going on."), Say("Once more."))
    tui.ask("Go on with it.")
    window = told(next(request for request in api.of(Kind.MAIN) if "POOR-SUMMARY" in told(request)))
    for words in ("HAND-OVER: half done", "x = 1", "phase Plan · heartbeat 0/10", f"Documents: {documents}"):
        assert window.count(words) == 1, words
    assert window.count("Effort build #1 goes on") == 1
    tui.submit("/clear")
    until(lambda: any(e["payload"]["source"] == "clear" for e in held.journal(event="SessionStart")), "cleared")
    tui.ask("Good morning.")
    cleared = told(api.of(Kind.MAIN)[-1])
    assert "Effort build #1 goes on" in cleared
    assert "HAND-OVER" not in cleared, "it was given once"
    assert "phase Plan" in cleared
    tui.submit("/exit")
    tui.wait_ended()
    [effort] = call(held, "effort_list", project_id="all")
    windows = call(held, "effort_show", id=effort["id"])["windows"]
    assert len(windows) == 3, "the start, after the compaction, after /clear"
    assert [bool(each["prev_window_id"]) for each in windows] == [True, True, False]


def plugin(claude: Claude) -> None:
    """A plugin of the user with a skill that starts efforts, installed from a local marketplace."""
    market = claude.home / "market"
    skill = market / "tools" / "skills" / "ship" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text(SKILL.replace("name: build", "name: ship").replace("[Setup, Plan, Build]", "[Pack, Send]"))
    about = {"name": "tools", "version": "1.0.0", "description": "Tools"}
    listed = {"name": "market", "owner": {"name": "me"}, "plugins": [about | {"source": "./tools"}]}
    for folder, name, said in ((market / "tools", "plugin", about), (market, "marketplace", listed)):
        (folder / ".claude-plugin").mkdir()
        (folder / ".claude-plugin" / f"{name}.json").write_text(json.dumps(said))
    for words in (("marketplace", "add", str(market)), ("install", "tools@market")):
        done = claude.command("plugin", *words)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.requirement("WRK-3")
@pytest.mark.requirement("FLT-3")
def test_a_plugins_skill_starts_an_effort_whose_agent_hears_of_its_team(
    claude: Claude, api: Api, held: DaemonHome, tui: Tui
) -> None:
    plugin(claude)
    claude.env["CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS"] = "1"
    mate = {"description": "review", "prompt": "REVIEW IT", "subagent_type": "general-purpose", "name": "bob"}
    task = {"subject": "Check the box", "description": "Look into it", "activeForm": "Checking"}
    api.agent("REVIEW IT", Use("TaskUpdate", {"taskId": "1", "status": "completed"}), Say("It is fine."))
    api.script(Use("TaskCreate", task), Use("Agent", mate), Say("Bob reviews."), Say("Bob is done."))
    tui.start(model="claude-sonnet-4-5")
    tui.submit("/tools:ship the box")
    until(lambda: held.journal(event="TeammateIdle"), "the teammate is idle")
    tui.wait_idle()
    [effort] = call(held, "effort_list", project_id="all")
    assert (effort["skill"], effort["phases"], effort["title"]) == ("tools:ship", ["Pack", "Send"], "the box")
    said = {each["kind"]: each for each in call(held, "message_list", project_id="all")}
    assert {*said} == {"teammate_idle", "task_created", "task_completed"}
    assert (said["teammate_idle"]["sender"], said["teammate_idle"]["recipient"]) == ("bob", "the main agent")
    assert "Check the box" in said["task_completed"]["text"]
    api.script(Say("Good."))
    tui.ask("What is new?")
    heard = told(api.of(Kind.MAIN)[-1])
    assert "Teammate bob" in heard
    assert "was completed by bob" in heard
    assert "phase Pack" in heard
    tui.submit("/exit")
    tui.wait_ended()
