"""A store that fails: nothing is lost, nothing is twice, a refusal stands, and the session goes on (EVT-6 to EVT-8)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from holdfast import spool
from holdfast.errors import StoreError, StoreFull
from holdfast.events.steps import Step
from tests.contract.site import Site
from tests.support.contributions import GUARD, answered, effects, program, remembers
from tests.support.payloads import load
from tests.support.roads import Refusing, house, run

BASH = load("PreToolUse-Bash")


@pytest.mark.requirement("EVT-8")
@pytest.mark.parametrize("error", [StoreFull("full"), StoreError("damaged")])
def test_what_the_store_refuses_waits_in_the_spool_and_is_taken_in_order_once(site: Site, error: StoreError) -> None:
    async def story() -> None:
        async with house(site, program(Step(remembers))) as here:
            await here.go(BASH)
            store = Refusing(here, error)
            sent = [BASH | {"tool_use_id": f"toolu_{n}"} for n in range(5)]
            for payload in sent:
                travelled = await here.go(payload)
                assert (travelled.kept, travelled.broken, answered(travelled)) == (False, False, {})
            assert len(spool.waiting(here.spool)) == 5
            assert here.road.last_fault is not None
            assert here.road.last_fault[1] == f"PreToolUse: {error} It is in the spool."
            assert await here.drain.run() == 0
            assert len(spool.waiting(here.spool)) == 5
            store.error = None
            await here.go(sent[2])
            assert await here.drain.run() == 5
            assert await here.drain.run() == 0
            assert spool.waiting(here.spool) == []
            entries = await here.journal()
            assert [entry["tool_use_id"] for entry in entries if entry["source"] == "spool"] == [
                *("toolu_0", "toolu_1", "toolu_3", "toolu_4")
            ]
            assert len(entries) == 6
            assert await effects(here) == {"remembers": 6}

    run(story())


@pytest.mark.requirement("EVT-6")
@pytest.mark.parametrize("error", [StoreFull("full"), RuntimeError("a bug")])
def test_a_guard_refuses_also_when_nothing_can_be_kept(site: Site, error: Exception) -> None:
    async def story() -> None:
        async with house(site, program(Step(remembers), GUARD)) as here:
            await here.go(BASH)
            Refusing(here, error)
            destroys = BASH | {"tool_use_id": "toolu_x", "tool_input": {"command": "rm -rf ~"}}
            said = answered(await here.go(destroys))
            assert said["permissionDecision"] == "deny"
            assert "additionalContext" not in said
            assert here.counted("PreToolUse")["denied"] == 1
            assert len(spool.waiting(here.spool)) == 1

    run(story())


@pytest.mark.requirement("EVT-8")
def test_a_file_that_cannot_be_taken_does_not_hold_up_those_behind_it(site: Site) -> None:
    async def story() -> None:
        async with house(site) as here:
            for at in range(1, 5):
                spool.put(here.spool, spool.Spooled(f"id{at}", "Stop", at, load("Stop", prompt_id=f"p{at}")))
            second, third = spool.waiting(here.spool)[1:3]
            second.write_bytes(b"not ours")
            third.write_text(
                json.dumps(json.loads(third.read_text()) | {"payload": {"cwd": "/a", "agent_id": "poison"}})
            )

            place = here.road.windows.place

            async def trips(event: Any, *rest: Any) -> Any:
                if event.agent_id == "poison":
                    raise LookupError("a bug that this event alone meets")
                return await place(event, *rest)

            here.road.windows.place = trips  # type: ignore[method-assign, assignment]
            assert await here.drain.run() == 2
            assert [entry["prompt_id"] for entry in await here.journal()] == ["p1", "p4"]
            assert spool.waiting(here.spool) == []
            assert [path.name for path in spool.bad(here.spool)] == [second.name, third.name]

    run(story())


@pytest.mark.requirement("EVT-6")
def test_what_cannot_be_scrubbed_is_not_kept_anywhere_and_the_session_goes_on(site: Site) -> None:
    class Broken:
        def value(self, value: object, breathe: object = None, /) -> tuple[object, tuple[str, ...]]:
            raise ValueError("a rule is broken")

        quickly = value

    async def story() -> None:
        async with house(site, scrubber=Broken()) as here:
            travelled = await here.go(BASH, name="PreToolUse")
            assert (travelled.event, travelled.kept, answered(travelled)) == ("PreToolUse", False, {})
            assert await here.journal() == []
            assert spool.waiting(here.spool) == []
            assert here.counted("PreToolUse") == {"fired": 1, "failed": 1, "answered": 1}

    run(story())


@pytest.mark.requirement("SEC-5")
@pytest.mark.parametrize("name", ["session_id", "agent_id", "prompt_id", "tool_use_id", "cwd", "transcript_path"])
def test_an_endless_id_is_a_cut_id_on_both_databases(site: Site, name: str) -> None:
    async def story() -> None:
        async with house(site) as here:
            endless = "".join(chr(0x4E00 + n * 7919 % 20_000) for n in range(20_000))  # a database cannot compress it
            for end in "12":
                assert (await here.go(BASH | {name: endless + end})).kept
            entries = await here.journal()
            assert len({entry["payload"][name] for entry in entries}) == len(entries)

    run(story())


@pytest.mark.requirement("SEC-5")
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b'{"session_id": "s", "tool_use_id": "t',
        b'{"a": ' * 50_000,
        b'{"hook_event_name": "PreToolUse", "session_id": 7, "cwd": ["x"], "tool_input": "\\u0000\\ud800"}',
        b'{"hook_event_name": "Stop", "cwd": "a\\u0000b", "session_id": "\\ud800"}',
        b'{"n": 123456789012345678901234567890123456789, "f": 1e999}',
        json.dumps({"hook_event_name": "x" * 100_000, "session_id": "s"}).encode(),
        json.dumps(BASH | {f"k{n}": "v" * 100 for n in range(20_000)}).encode(),
    ],
    ids=range(9),
)
def test_whatever_is_sent_leaves_a_bounded_entry(site: Site, body: bytes) -> None:
    async def story() -> None:
        async with house(site, program(Step(remembers))) as here:
            travelled = await here.go(body, name="PreToolUse")
            assert travelled.kept
            (entry,) = await here.journal()
            assert len(json.dumps(entry)) < 300_000
            assert len(entry["event"]) <= 64

    run(story())
