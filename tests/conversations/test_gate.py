"""No session waits for the store (EVT-14): the first event gives up soon, later ones at once, and nothing is lost."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from holdfast import spool
from holdfast.errors import StoreAway, StoreBusy, StoreFull, StoreSlow
from holdfast.events.answer import Context, Part
from holdfast.events.steps import Step
from holdfast.road.deadlines import Rests
from tests.contract.site import Site
from tests.support.contributions import GUARD, answered, effects, program, remembers
from tests.support.locks import locked
from tests.support.patience import PATIENCE
from tests.support.payloads import load
from tests.support.roads import House, Refusing, house, run

BASH = load("PreToolUse-Bash")
DESTROYS = {"tool_input": {"command": "rm -rf ~"}}


def sent(count: int) -> list[dict[str, Any]]:
    return [BASH | {"tool_use_id": f"toolu_{n}"} for n in range(count)]


class Watched:
    """The road's store from now on: counts what it is asked, and may take its time."""

    def __init__(self, here: House, *, read_seconds: float = 0.0) -> None:
        self._store = here.store
        self.kind, self.url = here.store.kind, here.store.url
        self.read_seconds = read_seconds
        self.asked: list[str] = []
        here.road.store = self  # type: ignore[assignment]

    async def read(self, work: Any) -> Any:
        self.asked.append("read")
        await asyncio.sleep(self.read_seconds)
        return await self._store.read(work)

    async def write(self, work: Any, *, within: float | None = None) -> Any:
        self.asked.append("write")
        return await self._store.write(work, within=within)


@pytest.mark.requirement("EVT-14")
def test_a_locked_store_costs_one_event_its_patience_and_the_others_nothing(site: Site) -> None:
    async def story() -> None:
        async with house(site, program(Step(remembers), GUARD)) as here:
            await here.go(BASH)
            here.road.patience = 0.6
            payloads = sent(20)
            with locked(site.url):
                began = time.monotonic()
                assert not (await here.go(payloads[0])).kept
                assert time.monotonic() - began < 5, "SQLite's own patience, or more"
                assert here.road.gate.cause is not None
                watched = Watched(here)
                for payload in payloads[1:]:
                    assert answered(await here.go(payload)) == {}
                denied = answered(await here.go(BASH | DESTROYS | {"tool_use_id": "toolu_x"}))
                assert denied["permissionDecision"] == "deny"
                assert watched.asked == []
                assert len(spool.waiting(here.spool)) == 21
            await here.reopen()
            assert here.road.gate.cause is None
            entries = await here.journal()
            assert [entry["tool_use_id"] for entry in entries[1:]] == [
                *(payload["tool_use_id"] for payload in payloads),
                "toolu_x",
            ]
            assert spool.waiting(here.spool) == []
            assert (await effects(here))["remembers"] == 22
            assert (await here.go(BASH | {"tool_use_id": "toolu_y"})).kept

    run(story())


@pytest.mark.requirement("EVT-14")
def test_a_new_session_under_a_lock_does_not_wait_either(site: Site) -> None:
    async def story() -> None:
        async with house(site, program(GUARD)) as here:
            here.road.patience = 0.6
            with locked(site.url):
                began = time.monotonic()
                denied = answered(await here.go(BASH | DESTROYS))
                assert denied["permissionDecision"] == "deny"
                await here.go(load("SessionStart-startup", session_id="another"), source="command")
                assert time.monotonic() - began < 5
            await here.reopen()
            assert len(await here.journal()) == 2

    run(story())


@pytest.mark.requirement("EVT-14")
@pytest.mark.parametrize("error", [StoreAway("away"), StoreBusy("busy"), StoreSlow("slow")])
def test_a_gate_stays_closed_until_the_store_takes_what_waits(site: Site, error: StoreAway) -> None:
    async def story() -> None:
        async with house(site) as here:
            await here.go(BASH)
            store = Refusing(here, error)
            for payload in sent(3):
                assert not (await here.go(payload)).kept
            assert here.road.gate.cause == str(error)
            with pytest.raises(StoreAway):
                await here.reopen()
            assert here.road.gate.cause is not None
            store.error = None
            await here.reopen()
            assert here.road.gate.cause is None
            assert len(await here.journal()) == 4

    run(story())


@pytest.mark.requirement("EVT-14")
def test_a_full_disk_does_not_close_the_gate(site: Site) -> None:
    """It is told at once, so there is nothing to wait for; the next event may fit again."""

    async def story() -> None:
        async with house(site) as here:
            await here.go(BASH)
            Refusing(here, StoreFull("full"))
            assert not (await here.go(sent(1)[0])).kept
            assert here.road.gate.cause is None

    run(story())


@pytest.mark.requirement("EVT-14")
def test_the_probe_in_the_background_opens_the_gate_by_itself(site: Site) -> None:
    async def story() -> None:
        async with house(site) as here:
            await here.go(BASH)
            store = Refusing(here, StoreAway("away"))
            gate = here.road.gate
            probe = asyncio.ensure_future(
                gate.run(lambda: here.road.store.write(lambda tx: tx.run("journal.probe")), here.drain.run_or_say)
            )
            for payload in sent(3):
                await here.go(payload)
            await asyncio.sleep(0.5)
            assert gate.cause is not None
            store.error = None
            for _ in range(int(PATIENCE / 0.05)):
                if gate.cause is None:
                    break
                await asyncio.sleep(0.05)
            probe.cancel()
            assert [entry["tool_use_id"] for entry in await here.journal()][1:] == ["toolu_0", "toolu_1", "toolu_2"]

    run(story())


@pytest.mark.requirement("EVT-14")
@pytest.mark.requirement("EVT-18")
def test_guards_are_heard_before_the_store_is_touched(site: Site) -> None:
    async def story() -> None:
        asked_then: list[list[str]] = []

        async def looks(event: Any, scene: Any) -> Part | None:
            asked_then.append(list(watched.asked))
            return None

        async with house(site, program(Step(remembers), Step(looks, may_deny=True))) as here:
            watched = Watched(here)
            await here.go(BASH)
            assert asked_then == [[]]
            assert watched.asked == ["write", "write"], "the place of a new session, and the entry"

    run(story())


async def reads(event: Any, scene: Any) -> Part | None:
    await scene.read(lambda reader: reader.one("journal.count"))
    return Part(contexts=(Context("it was read", "slow"),))


async def reads_too(event: Any, scene: Any) -> Part | None:
    return await reads(event, scene)


@pytest.mark.requirement("EVT-14")
def test_a_slow_read_leaves_the_write_its_share_and_closes_no_gate(site: Site) -> None:
    async def story() -> None:
        steps = (Step(reads, seconds=20), Step(remembers))
        async with house(site, program(*steps)) as here:
            await here.go(BASH)
            here.road.patience = 2.0
            watched = Watched(here, read_seconds=30)
            for payload in sent(3):
                travelled = await here.go(payload)
                assert travelled.kept
                assert "remembered" in answered(travelled)["additionalContext"]
            assert here.road.gate.cause is None
            assert watched.asked.count("read") == 1, "a step that the store was too slow for rests"
            watched.read_seconds = 0.0
            here.road.rests = Rests()
            assert "it was read" in answered(await here.go(BASH | {"tool_use_id": "toolu_z"}))["additionalContext"]

    run(story())


@pytest.mark.requirement("EVT-14")
def test_waits_side_by_side_count_once(site: Site) -> None:
    async def story() -> None:
        steps = tuple(Step(step, seconds=20) for step in (reads, reads_too, reads, reads_too))
        async with house(site, program(*steps)) as here:
            await here.go(BASH)
            here.road.patience = 5.0
            Watched(here, read_seconds=0.9)  # four in a row would be more than the share of reads
            travelled = await here.go(sent(1)[0])
            assert travelled.kept
            assert answered(travelled)["additionalContext"].count("it was read") == 4

    run(story())
