"""Programs that the fleet runs: the client that lists its sessions, and what tells a person. All are bounded."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import subprocess
import time
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from msgspec.structs import replace

from holdfast.ids import ConversationId
from holdfast.rooms.fleet.model import Agent, WaitsFor
from holdfast.rooms.fleet.programs import client_list, notifying
from holdfast.rooms.fleet.programs.client_list import ClientList, config_folder, parsed
from holdfast.rooms.fleet.programs.notifying import Notifier
from holdfast.rooms.fleet.service import Fleet, as_it_is
from holdfast.rooms.fleet.settings import Settings
from holdfast.rooms.room import Ground

SESSION = {"sessionId": "s1", "pid": 7, "cwd": "/p", "status": "waiting", "waitingFor": "input", "startedAt": 5}


def program(path: Path, body: str) -> str:
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return str(path)


def listed(program: str, folder: str = "/config") -> list[str]:
    async def run() -> list[str]:
        client = ClientList(program, lambda: 10**16)
        found = await asyncio.gather(*(client.sessions([folder]) for _ in range(3)))
        assert found[0] == found[1] == found[2]
        return [each.conversation for each in found[0][1]]

    return asyncio.run(run())


@pytest.mark.requirement("FLT-5")
def test_an_agent_whose_process_is_gone_ended_with_its_last_event() -> None:
    """Nobody saw it end: "0s ago", whenever one looks, is not so, and it neither works nor calls for a person."""
    process = subprocess.Popen(["true"])
    process.wait()
    fleet = Fleet(cast(Ground, SimpleNamespace(now=lambda: 10**15, folder=Path())), Settings())
    asks = (WaitsFor("notice", "a question", 5),)
    killed = Agent(
        conversation=ConversationId("killed"), status="working", in_turn=True, since=3, last_at=5, pid=process.pid
    )
    lives = Agent(
        conversation=ConversationId("lives"), status="working", in_turn=True, since=3, last_at=5, pid=os.getpid()
    )
    for each in (killed, lives):
        fleet.roster.agents[each.conversation, ""] = replace(each, asks=asks, status="attention", needs="a question")
    assert [agent.conversation for agent in fleet.needing()] == ["lives"]
    assert fleet.counts() == {"attention": 1}
    gone = as_it_is(killed)
    assert (gone.ended_at, gone.since, gone.message) == (5, 5, "its process is gone")
    assert as_it_is(lives) == lives


@pytest.mark.requirement("FLT-5")
def test_the_clients_list_is_asked_once_and_an_odd_client_tells_nothing(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(client_list, "SECONDS", 0.5)
    told = tmp_path / "asked"
    answer = f"echo \"$CLAUDE_CONFIG_DIR $ANTHROPIC_API_KEY\" >> {told}; echo '{json.dumps([SESSION, {}, 3])}'"
    monkeypatch.setenv("ANTHROPIC_API_KEY", "placeholder")

    def client(version: str, words: str) -> str:
        return program(
            tmp_path / "claude", f'if [ "$1" = --version ]; then echo "{version} (Claude Code)"; exit; fi; {words}'
        )

    assert listed(client("2.1.325", answer)) == ["s1"]
    assert told.read_text() == "/config \n", "once, for the folder of its sessions, without the environment"
    assert listed(client("2.1.197", answer)) == [], "older ones tell no status"
    for odd in ("exit 1", "echo nonsense", "echo '{}'", "sleep 60", "sleep 60 & echo '[]'"):
        began = time.monotonic()
        assert listed(client("2.1.325", odd)) == [], odd
        assert time.monotonic() - began < 30
    assert listed(client("2.1.325", answer), folder="") == []
    assert listed("") == listed(str(tmp_path / "nothing")) == []
    assert parsed(json.dumps([SESSION | {"pid": "x", "cwd": None, "startedAt": -1}]).encode())[0].pid == 0
    assert config_folder("/h/.claude/projects/-p/s1.jsonl") == "/h/.claude"
    assert [config_folder(path) for path in ("", "/t/s1.jsonl", "s1.jsonl", "/a/b/c/s1.jsonl")] == [""] * 4


AGENT = Agent(conversation=ConversationId("s1"), status="attention", needs='permission: $(touch x); "`y`" -rf')


@pytest.mark.requirement("FLT-1")
def test_a_person_is_told_in_the_chosen_ways_and_not_too_often(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(notifying, "SECONDS", 0.5)
    heard = tmp_path / "heard"
    command = program(
        tmp_path / "page", f'cat >> {heard}; printf "%s|" "$FLEET_NEEDS" "$FLEET_PROJECT" "$#" >> {heard}'
    )
    notifier = Notifier(Settings(notify=("desktop", "bell", "command"), command=(command,), quiet_seconds=60))
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    program(tmp_path / "notify-send", f'printf "%s|" "$@" >> {tmp_path}/shown')
    now = 10**15
    assert notifier.may_tell(AGENT, now)
    asyncio.run(notifier.tell(AGENT, "shop", now))
    first, rest = heard.read_text().split("\n")
    assert json.loads(first) == {
        "status": "attention",
        "needs": AGENT.needs,
        "project": "shop",
        "agent": "s1",
        "session": "s1",
    }
    assert rest == f"{AGENT.needs}|shop|0|"
    assert (tmp_path / "shown").read_text() == f"--app-name=holdfast|--|shop: needs you|{AGENT.needs}|"
    assert not (tmp_path / "x").exists()
    assert [notifier.may_tell(AGENT, now + seconds * 10**6) for seconds in (59, 60)] == [False, True]
    began = time.monotonic()
    asyncio.run(notifying.run([program(tmp_path / "hangs", "sleep 60")], {}))
    assert time.monotonic() - began < 30
    broken = Notifier(Settings(notify=("command", "command"), command=("/no/such/program",)))
    asyncio.run(broken.tell(AGENT, "shop", now))  # it is logged, and nobody is hurt
    hours = [("22:00-07:00", "23:30", True), ("22:00-07:00", "06:59", True), ("22:00-07:00", "07:00", False)]
    hours += [("09:00-12:00", "11:59", True), ("09:00-12:00", "12:00", False), ("", "12:00", False)]
    for quiet, at, expected in hours:
        assert notifying.is_quiet(quiet, datetime.fromisoformat(f"2026-11-17T{at}")) is expected, (quiet, at)
    assert notifying.desktop_command(notifying.fields_of(AGENT, "-x"), "darwin")[-2:] == ["-x: needs you", AGENT.needs]


@pytest.mark.requirement("FLT-1")
def test_a_bell_rings_in_the_agents_own_terminal() -> None:
    pid, terminal = pty.fork()
    if not pid:
        os.execvp("sleep", ["sleep", "60"])
    try:
        place = asyncio.run(notifying.terminal_of(pid))
        assert place.startswith("/dev/")
        notifying.ring(place)
        assert os.read(terminal, 10) == b"\a"
    finally:
        os.kill(pid, 9)
        os.waitpid(pid, 0)
        os.close(terminal)
    assert asyncio.run(notifying.terminal_of(0)) == asyncio.run(notifying.terminal_of(pid)) == ""
