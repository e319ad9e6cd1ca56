"""A step that is late, broken, cancelled or odd is left out; the others still answer (EVT-5, EVT-6)."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest

from holdfast.events.answer import Context, Decision, Part, refuse
from holdfast.events.event import PreToolUse
from holdfast.events.steps import Step
from holdfast.road.deadlines import StepsRun, run_steps
from tests.support.roads import run, scene

EVENT = PreToolUse(hook_event_name="PreToolUse", tool_name="Bash")
A, B = Part(contexts=(Context("a", "m"),)), Part(contexts=(Context("b", "m"),))
DENY = refuse("rule", "no")


async def gives_a(event: Any, scene: Any) -> Part | None:
    await asyncio.sleep(0.01)
    return A


async def gives_b(event: Any, scene: Any) -> Part | None:
    return B


async def gives_nothing(event: Any, scene: Any) -> Part | None:
    return None


async def is_late(event: Any, scene: Any) -> Part | None:
    await asyncio.sleep(60)
    return A


async def clings(event: Any, scene: Any) -> Part | None:
    """Late, and slow to give up."""
    try:
        await asyncio.sleep(60)
    finally:
        await asyncio.sleep(60)
    return A


async def raises(event: Any, scene: Any) -> Part | None:
    raise ValueError("broken")


async def times_out_by_itself(event: Any, scene: Any) -> Part | None:
    raise TimeoutError("an origin did not answer")


async def cancels_itself(event: Any, scene: Any) -> Part | None:
    raise asyncio.CancelledError


async def gives_a_dict(event: Any, scene: Any) -> Any:
    return {"additionalContext": "x"}


def is_no_coroutine(event: Any, scene: Any) -> Any:
    raise RuntimeError("before there was anything to wait for")


async def refuses(event: Any, scene: Any) -> Part | None:
    return Part(contexts=A.contexts, decision=DENY)


def outcome(*functions: Any, seconds: float = 5.0, may_deny: bool = False) -> StepsRun:
    return run(run_steps([Step(one, seconds=seconds, may_deny=may_deny) for one in functions], EVENT, scene()))


def test_no_steps() -> None:
    assert run(run_steps([], EVENT, scene())) == StepsRun()


@pytest.mark.requirement("EVT-5")
def test_parts_come_in_the_programs_order_not_in_the_order_of_their_speed() -> None:
    assert outcome(gives_a, gives_nothing, gives_b) == StepsRun((A, B))


@pytest.mark.requirement("EVT-5")
@pytest.mark.parametrize("broken", [raises, times_out_by_itself, cancels_itself, gives_a_dict, is_no_coroutine])
def test_a_broken_step_is_left_out_logged_and_counted(broken: Any, caplog: pytest.LogCaptureFixture) -> None:
    assert outcome(gives_a, broken, gives_b) == StepsRun((A, B), failed=1)
    (record,) = caplog.records
    assert record.levelno == logging.ERROR
    assert f"road.{broken.__name__} failed" in record.getMessage()


@pytest.mark.requirement("EVT-5")
@pytest.mark.parametrize("late", [is_late, clings])
def test_a_late_step_is_left_out_and_not_waited_for(late: Any, caplog: pytest.LogCaptureFixture) -> None:
    assert outcome(gives_b, late, late, gives_b, seconds=0.05) == StepsRun((B, B), late=2)
    assert [f"road.{late.__name__} took longer" in record.getMessage() for record in caplog.records] == [True, True]


@pytest.mark.requirement("EVT-5")
def test_a_late_step_is_told_to_give_up() -> None:
    ended: list[str] = []

    async def works(event: Any, scene: Any) -> Part | None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            ended.append("told")
            raise
        return None

    async def story() -> None:
        assert (await run_steps([Step(works, seconds=0.01)], EVENT, scene())).late == 1
        await asyncio.sleep(0)

    run(story())
    assert ended == ["told"]


@pytest.mark.requirement("EVT-6")
@pytest.mark.parametrize(("may_deny", "decision"), [(True, DENY), (False, None)])
def test_only_a_step_that_may_decides(may_deny: bool, decision: Decision | None) -> None:
    assert outcome(refuses, gives_b, may_deny=may_deny).parts == (Part(A.contexts, decision=decision), B)


@pytest.mark.requirement("EVT-5")
def test_when_the_event_itself_is_cancelled_so_are_its_steps() -> None:
    ended: list[str] = []

    async def works(event: Any, scene: Any) -> Part | None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.append("over")
        return None

    async def story() -> None:
        travelling = asyncio.create_task(run_steps([Step(works, seconds=60)] * 2, EVENT, scene()))
        await asyncio.sleep(0.01)
        travelling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await travelling
        await asyncio.sleep(0.01)

    run(story())
    assert ended == ["over", "over"]
