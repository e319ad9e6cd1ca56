"""A user's guard rules under the real client: each trigger by the events that the client itself sends (WRK-6)."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.client.bed.api import Api
from tests.client.bed.claude import Claude
from tests.client.bed.request import Kind, Request
from tests.client.bed.script import Say, Turn, Usage, Use
from tests.client.held import install
from tests.support.daemon import DaemonHome, until
from tests.support.patient import PatientHome

SKILL = """---
name: build
description: Build something
phases: [Setup, Plan, Build]
---
Build it step by step.
"""
RULES = """
[[rule]]
id = "mine.pulse"
heartbeat = 3
efforts = "build"
tools = "Read"
action = "deny"
reason = "write to the log of the effort first"

[[rule]]
id = "mine.setup"
phases = "Setup"
tools = "Write"
action = "deny"
reason = "in Setup nothing is written"

[[rule]]
id = "mine.full"
context_use = 90
once = true
action = "warn"
reason = "the window is nearly full"

[[rule]]
id = "mine.helper"
agents = "general-purpose"
tools = "Bash"
action = "deny"
reason = "a helper runs nothing"

[[rule]]
id = "mine.start"
events = "SessionStart"
action = "warn"
reason = "the release is frozen"
"""
FULL = Usage(input_tokens=5, cache_read_input_tokens=912_000)


def bash(command: str) -> Use:
    return Use("Bash", {"command": command, "description": "Run it"})


def told(request: Request) -> str:
    return "\n".join(each.text for each in request.texts())


@pytest.fixture
def home() -> Iterator[DaemonHome]:
    """A heartbeat is counted by a step of an event: on a busy machine it must not be left out because it is late."""
    made = PatientHome()
    yield made
    made.remove()


@pytest.fixture
def held(claude: Claude, home: DaemonHome) -> DaemonHome:
    rules = home.home.root / "guards" / "mine.toml"
    rules.parent.mkdir()
    rules.write_text(RULES)
    home.start()
    install(claude, home)
    claude.env["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    skill = claude.project / ".claude" / "skills" / "build" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text(SKILL)
    (claude.project / "a.py").write_text("x = 1\n")
    return home


@pytest.mark.requirement("WRK-6")
def test_heartbeat_effort_phase_context_use_agent_and_life_cycle(claude: Claude, api: Api, held: DaemonHome) -> None:
    write = Use("Write", {"file_path": str(claude.project / "new.py"), "content": "y = 2\n"})
    looks = [bash(f"echo {number}") for number in range(3)]
    late, log, read = (
        Use("Read", {"file_path": str(claude.project / "a.py")}),
        bash('holdfast effort log "looked at it"'),
        Use("Read", {"file_path": str(claude.project / "a.py")}),
    )
    helper = {"description": "count", "prompt": "Count the beans.", "subagent_type": "general-purpose"}
    inner, agent = bash("touch inside"), Use("Agent", helper | {"run_in_background": False})
    full, again, after, last = (bash(f"echo {name}") for name in ("full", "again", "after", "last"))

    def is_measured(request: Request) -> Turn:
        """The daemon reads how full the window is beside the events, from what the transcript has by then."""
        until(lambda: any(each["percent"] >= 90 for each in held.status()["continuity"]["context"]), "it is measured")
        return Turn([after], usage=FULL)

    api.script(
        write,
        *looks,
        late,
        log,
        read,
        agent,
        Turn([full], usage=FULL),
        Turn([again], usage=FULL),
        is_measured,
        Turn([last], usage=FULL),
        Say("Done."),
    )
    api.agent("Count the beans", inner, Say("Seven."))
    done = claude.run("/build the parser")
    requests = [each for each in api.of(Kind.MAIN) if each.session == done.session]
    assert "The release is frozen" in told(requests[0])
    assert "In Setup nothing is written" in api.result(write).text
    assert not (claude.project / "new.py").exists()
    assert not any(api.result(each).is_error for each in looks)
    assert "Write to the log of the effort first" in api.result(late).text
    assert not api.result(log).is_error, api.result(log).text
    assert not api.result(read).is_error, "the log lifts it"
    assert "A helper runs nothing" in api.result(inner).text
    assert not (claude.project / "inside").exists()
    assert told(requests[-1]).count("The window is nearly full") == 1, "once in a window"
    listed = {each["id"]: each["decided"] for each in held.request("POST", "/api/tools/guard_list", b"{}")[1]}
    counted = {name: number for name, number in listed.items() if name.startswith("mine.")}
    assert counted == {
        "mine.pulse": 1, "mine.setup": 1, "mine.full": 1, "mine.helper": 1, "mine.start": 1,
    }  # fmt: skip
