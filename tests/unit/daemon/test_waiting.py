"""Waiting for the store: how long between two tries, what ends it, and what is put aside meanwhile."""

from __future__ import annotations

import asyncio
import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from holdfast import spool
from holdfast.daemon import waiting
from holdfast.daemon.waiting import patiently, pauses
from holdfast.errors import StoreAway, StoreError
from holdfast.events.answer import NOTHING, Answer, refuse
from holdfast.road.edge import read_payload
from holdfast.road.memory_spool import MemorySpool
from holdfast.road.spooling import SpoolsEvents
from holdfast.scrub import default_scrubber

SECRET = "gh" + "p_" + "Zq7Lm2Xw9Rt4Vb8Nc1Kd6Hs3Pf5Jg0Ya2Ue"


@pytest.mark.requirement("EVT-8")
def test_the_pauses_grow_and_are_bounded() -> None:
    assert list(islice(pauses(), 9)) == [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0, 30.0]


class Tried:
    """A beginning with these outcomes, one after another."""

    def __init__(self, *outcomes: StoreError | str) -> None:
        self._outcomes = list(outcomes)
        self.away: list[str] = []

    async def begin(self) -> str:
        outcome = self._outcomes.pop(0)
        if isinstance(outcome, StoreError):
            raise outcome
        return outcome

    def still(self, away: StoreError) -> None:
        self.away.append(str(away))

    def run(self) -> str:
        return asyncio.run(patiently(self.begin, self.still))


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "FIRST_PAUSE", 0.0)


@pytest.mark.requirement("EVT-8")
@pytest.mark.usefixtures("at_once")
def test_it_begins_when_the_store_is_there() -> None:
    tried = Tried(StoreAway("refused"), StoreAway("starting up"), "composition")
    assert tried.run() == "composition"
    assert tried.away == ["refused", "starting up"]


@pytest.mark.requirement("OPS-5")
@pytest.mark.usefixtures("at_once")
def test_what_does_not_go_away_by_itself_ends_the_waiting() -> None:
    tried = Tried(StoreAway("refused"), StoreError("a newer holdfast"), "composition")
    with pytest.raises(StoreError, match="a newer holdfast"):
        tried.run()
    assert tried.away == ["refused"]


@pytest.mark.requirement("SEC-1")
def test_what_is_put_aside_is_scrubbed_and_keeps_its_id(tmp_path: Path) -> None:
    aside = SpoolsEvents(default_scrubber(), MemorySpool(tmp_path).put)
    payload = read_payload(
        json.dumps({"hook_event_name": "Stop", "last_assistant_message": f"it is {SECRET}"}).encode()
    )
    travelled = asyncio.run(aside.travel(payload, name="Stop", source="command", arrival_id="an-id"))
    assert (travelled.event, travelled.kept) == ("Stop", False)
    (path,) = spool.waiting(tmp_path)
    item = spool.take(path)
    assert (item.id, item.event) == ("an-id", "Stop")
    assert SECRET not in path.read_text()


@pytest.mark.requirement("WRK-15")
def test_a_tool_is_decided_about_and_the_user_told_while_there_is_no_store(tmp_path: Path) -> None:
    def decide(payload: dict[str, Any], entry_id: str) -> tuple[Answer, dict[str, str]]:
        command = payload["tool_input"]["command"]
        if "rm" not in command:
            return NOTHING, {}
        return Answer(decision=refuse("files.delete", "no")), {"decision": "deny", "reason": f"it is {command}"}

    aside = SpoolsEvents(default_scrubber(), MemorySpool(tmp_path).put, decide=decide)

    def told(name: str, **more: object) -> Answer:
        event = {"hook_event_name": name, "session_id": "s", "cwd": "/", **more}
        payload = read_payload(json.dumps(event).encode())
        return asyncio.run(aside.travel(payload, name=name, source="http", arrival_id=None)).answer

    denied = told("PreToolUse", tool_name="Bash", tool_input={"command": f"rm -rf {SECRET}"})
    assert denied.decision == refuse("files.delete", "no")
    assert told("PreToolUse", tool_name="Bash", tool_input={"command": "ls -l"}) == NOTHING
    assert "waits for its store" in str(told("SessionStart", source="startup").message)
    assert told("Stop") == NOTHING
    kept = [spool.take(path).payload for path in spool.waiting(tmp_path)]
    assert [each["holdfast_decided"]["decision"] for each in kept if "holdfast_decided" in each] == ["deny"]
    assert SECRET not in str(kept)


@pytest.mark.requirement("WRK-15")
def test_a_fault_while_deciding_lets_the_session_go_on(tmp_path: Path) -> None:
    def broken(payload: object, entry_id: str) -> tuple[Answer, dict[str, str]]:
        raise ValueError("injected")

    aside = SpoolsEvents(default_scrubber(), MemorySpool(tmp_path).put, decide=broken)
    payload = read_payload(b'{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}}')
    travelled = asyncio.run(aside.travel(payload, name="PreToolUse", source="http", arrival_id=None))
    assert travelled.answer == NOTHING
    assert len(spool.waiting(tmp_path)) == 1
