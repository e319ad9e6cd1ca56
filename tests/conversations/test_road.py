"""Hook JSON in, answer out: each event once, with its effects, before the answer (EVT-4 to EVT-7, EVT-11)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from holdfast.events.answer import Context, Part, client_body
from holdfast.events.steps import Step
from holdfast.store.interface import Tx
from tests.contract.site import Site
from tests.support.contributions import (
    GUARD,
    answered,
    breaks,
    breaks_in_writing,
    dawdles,
    effects,
    guards,
    guards_but_cannot_write,
    program,
    remembers,
)
from tests.support.payloads import load, names
from tests.support.roads import OWNER, house, run

BASH = load("PreToolUse-Bash")


@pytest.mark.requirement("EVT-7")
def test_an_event_is_kept_once_by_whichever_doors_it_comes(site: Site) -> None:
    async def story() -> None:
        async with house(site, program(Step(remembers))) as here:
            for source in ("http", "http", "command", "spool", "transcript"):
                travelled = await here.go(BASH, source=source)
                assert travelled.kept
                assert travelled.repeated is (here.counted("PreToolUse").get("fired") != 1)
                assert "remembered" in answered(travelled)["additionalContext"]
            (entry,) = await here.journal()
            assert (entry["source"], entry["tool_use_id"], entry["payload"]) == ("http", BASH["tool_use_id"], BASH)
            assert await effects(here) == {"remembers": 1}
            assert here.counted("PreToolUse") == {"fired": 5, "answered": 5, "injected": 5, "repeated": 4}

    run(story())


@pytest.mark.requirement("EVT-7")
def test_a_retry_of_an_event_without_a_subject_keeps_its_id(site: Site) -> None:
    async def story() -> None:
        async with house(site) as here:
            payload = load("Notification-idle_prompt")
            arrival = "01890000-0000-7000-8000-000000000001"
            for _ in range(2):
                await here.go(payload, source="command", arrival_id=arrival)
            await here.go(payload, source="spool", arrival_id=arrival, happened_at=5)
            await here.go(payload)
            assert len(await here.journal()) == 2

    run(story())


@pytest.mark.requirement("EVT-7")
def test_two_of_the_same_at_once_are_one(site: Site) -> None:
    async def story() -> None:
        async with house(site, program(Step(remembers))) as here:
            travelled = await asyncio.gather(*(here.go(BASH) for _ in range(20)))
            assert [one.repeated for one in travelled].count(False) == 1
            assert len(await here.journal()) == 1
            assert await effects(here) == {"remembers": 1}
            assert len(await here.windows(BASH["session_id"])) == 1

    run(story())


@pytest.mark.requirement("EVT-7")
def test_two_hundred_different_ones_at_once_are_all_kept(site: Site) -> None:
    async def story() -> None:
        async with house(site, program(Step(remembers))) as here:
            payloads = [BASH | {"tool_use_id": f"toolu_{n}", "session_id": f"s{n % 20}"} for n in range(200)]
            travelled = await asyncio.gather(*(here.go(payload) for payload in payloads))
            assert all(one.kept and not one.repeated for one in travelled)
            assert {entry["tool_use_id"] for entry in await here.journal()} == {p["tool_use_id"] for p in payloads}
            assert await effects(here) == {"remembers": 200}
            for n in range(20):
                assert len(await here.windows(f"s{n}")) == 1

    run(story())


@pytest.mark.requirement("EVT-1")
def test_every_recorded_event_is_kept_and_none_is_altered_by_scrubbing(site: Site) -> None:
    async def story() -> None:
        async with house(site) as here:
            for name in names():
                assert (await here.go(load(name), arrival_id=None)).kept, name
            entries = await here.journal()
            assert [entry["scrubbed"] for entry in entries] == [None] * 101
            kept = [entry["payload"] for entry in entries]
            for name in names():
                payload = load(name)
                assert any(is_copy(one, payload) for one in kept), name

    run(story())


def is_copy(kept: Any, payload: Any) -> bool:
    """The same, but for a whole file that was left out."""
    if isinstance(payload, dict) and isinstance(kept, dict):
        return kept.keys() == payload.keys() and all(
            key == "originalFile" or is_copy(kept[key], payload[key]) for key in payload
        )
    return bool(kept == payload)


@pytest.mark.requirement("EVT-5")
def test_late_and_broken_contributions_leave_the_answer_to_the_rest(site: Site) -> None:
    async def story() -> None:
        steps = (Step(breaks), Step(remembers), Step(dawdles, seconds=0.01), Step(breaks))
        async with house(site, program(*steps)) as here:
            travelled = await here.go(BASH)
            assert "remembered" in answered(travelled)["additionalContext"]
            assert here.counted("PreToolUse") == {"fired": 1, "answered": 1, "injected": 1, "dropped": 1, "failed": 2}
            assert await effects(here) == {"remembers": 1}

    run(story())


@pytest.mark.requirement("EVT-7")
def test_a_broken_effect_is_undone_alone_and_the_event_the_others_and_a_refusal_stay(site: Site) -> None:
    async def story() -> None:
        steps = (Step(remembers), Step(breaks_in_writing), GUARD, Step(guards_but_cannot_write, may_deny=True))
        async with house(site, program(*steps)) as here:
            travelled = await here.go(BASH | {"tool_input": {"command": "rm -rf ~"}})
            said = answered(travelled)
            assert (said["permissionDecision"], said["permissionDecisionReason"]) == ("deny", "that would destroy work")
            assert "remembered" in said["additionalContext"]
            assert "never told" not in said["additionalContext"]
            assert travelled.kept
            assert len(await here.journal()) == 1
            assert await effects(here) == {"remembers": 1, "guards": 1}
            assert here.counted("PreToolUse")["failed"] == 2

    run(story())


@pytest.mark.requirement("EVT-6")
def test_a_guard_that_cannot_write_its_refusal_still_refuses(site: Site) -> None:
    async def story() -> None:
        async with house(site, program(Step(guards_but_cannot_write, may_deny=True))) as here:
            assert answered(await here.go(BASH))["permissionDecision"] == "deny"
            assert len(await here.journal()) == 1

    run(story())


@pytest.mark.requirement("EVT-4")
def test_a_refusal_keeps_what_the_others_had_to_say(site: Site) -> None:
    async def story() -> None:
        async with house(site, program(Step(remembers), GUARD, Step(guards))) as here:
            said = answered(await here.go(BASH | {"tool_input": {"command": "rm -rf ~"}}))
            assert said["permissionDecision"] == "deny"
            assert "remembered" in said["additionalContext"]
            assert here.counted("PreToolUse")["denied"] == 1
            other = BASH | {"tool_use_id": "toolu_harmless"}
            assert "permissionDecision" not in answered(await here.go(other))

    run(story())


@pytest.mark.requirement("EVT-7")
def test_a_claim_that_is_lost_at_the_commit_changes_the_answer(site: Site) -> None:
    async def story() -> None:
        async def claims(event: Any, scene: Any) -> Part | None:
            def record(tx: Tx) -> Part | None:
                won = tx.run("session.fact_set", name="claim", value="mine")
                return None if won else Part(message="somebody was faster")

            return Part(contexts=(Context("only once", "m"),), record=record)

        async with house(site, program(Step(claims))) as here:
            both = await asyncio.gather(*(here.go(BASH | {"tool_use_id": f"t{n}"}) for n in range(2)))
            assert sorted(bool(one.answer.context) for one in both) == [False, True]
            assert [one.answer.message for one in both if one.answer.message] == ["somebody was faster"]

    run(story())


@pytest.mark.requirement("EVT-11")
def test_the_notice_of_a_background_task_is_kept_and_known_for_what_it_is(site: Site) -> None:
    async def story() -> None:
        seen: list[bool] = []

        async def looks(event: Any, scene: Any) -> Part | None:
            seen.append(event.is_notification)
            return None

        async with house(site, program(Step(looks), event="UserPromptSubmit")) as here:
            await here.go(load("UserPromptSubmit-task-notification"))
            await here.go(load("UserPromptSubmit"))
            assert seen == [True, False]
            assert len(await here.journal("UserPromptSubmit")) == 2

    run(story())


@pytest.mark.requirement("EVT-1")
def test_an_event_nobody_knows_is_kept_and_answered_with_nothing(site: Site) -> None:
    async def story() -> None:
        async with house(site) as here:
            payload = {"hook_event_name": "Teleport", "session_id": "s", "where": {"x": 1}}
            travelled = await here.go(payload)
            assert client_body(travelled.event, travelled.answer) == b"{}"
            (entry,) = await here.journal("Teleport")
            assert (entry["owner"], entry["conversation"], entry["payload"]) == (OWNER, "s", payload)

    run(story())
