"""A field of an unexpected type, all along the road: the event's steps run, it is kept once, nothing raises."""

from __future__ import annotations

import logging
import random
from typing import Any

import pytest

from holdfast.events.answer import Part
from holdfast.events.event import EVENTS
from holdfast.events.steps import OnEvent, Step
from holdfast.ids import now_us
from holdfast.rooms.citations.web.address import Policy
from holdfast.rooms.citations.web.probe import Prober
from tests.contract.site import Site
from tests.conversations.talk import Talk, converse
from tests.support.contributions import effect, effects
from tests.support.payloads import load, names
from tests.support.roads import house, run
from tests.support.wrong_types import base, nested, wrong

USES = ("PreToolUse", "PostToolUse", "PostToolUseFailure")


async def counts_its_type(event: Any, scene: Any) -> Part:
    return Part(record=effect(type(event).__name__))


@pytest.mark.requirement("EVT-7")
def test_every_event_with_every_wrong_field_is_kept_once_and_its_steps_run(site: Site) -> None:
    async def story() -> None:
        async with house(site, {name: OnEvent((Step(counts_its_type),)) for name in EVENTS}) as here:
            expected = {}
            for name in sorted(EVENTS):
                # One value for each field here; all of them in tests/unit/events/test_misfits.py.
                cases = dict(random.Random(name).sample(list(wrong(name)), 40))
                for field, value in cases.items():
                    assert (await here.go(base(name) | {field: value, "session_id": f"{name} {field}"})).kept
                expected[name] = len(cases)
                assert here.counted(name)["misfit"] >= len(cases) - ("session_id" in cases)
                assert "failed" not in here.counted(name)
            assert await effects(here) == expected

    run(story())


@pytest.mark.requirement("EVT-7")
@pytest.mark.parametrize("name", USES)
def test_a_tool_use_keeps_its_id_whatever_else_is_wrong_with_it(site: Site, name: str) -> None:
    async def story() -> None:
        async with house(site) as here:
            cases = [(field, value) for field, value in wrong(name) if field not in ("tool_use_id", "session_id")]
            for number, (field, value) in enumerate(cases):
                payload = base(name) | {field: value, "tool_use_id": f"toolu_{number}"}
                assert not (await here.go(payload)).repeated
                assert (await here.go(payload)).repeated, (field, value)
            kept = [entry["tool_use_id"] for entry in await here.journal()]
            assert sorted(kept) == sorted(f"toolu_{number}" for number in range(len(cases)))

    run(story())


@pytest.mark.requirement("EVT-6")
def test_no_value_at_any_depth_makes_a_step_of_ours_raise(site: Site, caplog: pytest.LogCaptureFixture) -> None:
    cases = [case for name in names() for case in nested(load(name))]
    chosen = random.Random(7).sample(cases, 1_000)

    async def resolve(host: str, port: int) -> list[str]:
        raise OSError("no network in this test")

    async def story(talk: Talk) -> None:
        for case in chosen:
            await talk.tell(case)
        await talk.settle()
        assert not [name for name, counts in talk.meter.counts().items() if counts.get("failed")]

    with caplog.at_level(logging.WARNING):
        converse(site, story, prober=Prober(Policy.of([]), now_us, resolver=resolve))
    assert [record.getMessage() for record in caplog.records if record.exc_info] == []
