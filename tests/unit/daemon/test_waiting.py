"""Waiting for the store: how long between two tries, what ends it, and what is put aside meanwhile."""

from __future__ import annotations

import asyncio
import json
from itertools import islice
from pathlib import Path

import pytest

from holdfast import spool
from holdfast.daemon import waiting
from holdfast.daemon.waiting import patiently, pauses
from holdfast.errors import StoreAway, StoreError
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
