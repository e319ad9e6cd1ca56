"""Deadlines: steps run side by side, each within its own time. Late or broken ones are dropped, never waited for.

This is the one place where a contribution's failure is turned into its absence (EVT-5, EVT-6), or into what it named to
be said instead.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Iterable, Sequence
from dataclasses import dataclass, replace

from holdfast.errors import StoreError, StoreSlow
from holdfast.events.answer import Part
from holdfast.events.event import Event
from holdfast.events.scene import Scene
from holdfast.events.steps import Step

log = logging.getLogger(__name__)

REST_SECONDS = 10.0
GRACE_SECONDS = 0.3
"""More for a step that may deny: a decision that is lost is worse than one that is late."""


@dataclass(frozen=True, slots=True)
class StepsRun:
    """The outcome of the steps: their parts in the program's order, and how many were late or broken."""

    parts: tuple[Part, ...] = ()
    late: int = 0
    failed: int = 0
    slow: tuple[str, ...] = ()
    """The steps for which the store was too slow to be read."""

    def __add__(self, other: StepsRun) -> StepsRun:
        return StepsRun(
            self.parts + other.parts, self.late + other.late, self.failed + other.failed, self.slow + other.slow
        )

    def with_parts(self, parts: Iterable[Part]) -> StepsRun:
        return replace(self, parts=tuple(parts))


_NO_STEPS = StepsRun()


class Rests:
    """Steps that are left out for a while, because the store was too slow for them: nobody waits for that each time.

    A slow read of one step says nothing about the others (EVT-14).
    """

    def __init__(self) -> None:
        self._until: dict[str, float] = {}

    def note(self, names: Iterable[str]) -> None:
        for name in names:
            log.warning("%s does not run for %.0f s: the store was too slow for it", name, REST_SECONDS)
            self._until[name] = time.monotonic() + REST_SECONDS

    def __bool__(self) -> bool:
        """Did any step rest yet?"""
        return bool(self._until)

    def is_resting(self, name: str) -> bool:
        return self._until.get(name, 0.0) > time.monotonic()


async def run_steps(steps: Sequence[Step], event: Event, scene: Scene) -> StepsRun:
    """Run `steps` at once; give back what came in time."""
    if not steps:
        return _NO_STEPS
    results: list[Part | str | None] = []
    waiting: dict[int, Awaitable[Part | None]] = {}
    for index, step in enumerate(steps):
        begun = _begun(step, event, scene)
        if begun is not None and not isinstance(begun, Part | str):
            waiting[index] = begun
            begun = None
        results.append(begun)
    if len(waiting) == 1:  # a task less
        ((index, work),) = waiting.items()
        results[index] = await _in_time(work, steps[index], event)
    elif waiting:
        came = await asyncio.gather(*(_in_time(work, steps[index], event) for index, work in waiting.items()))
        for index, result in zip(waiting, came, strict=True):
            results[index] = result
    parts = tuple(
        part
        for step, result in zip(steps, results, strict=True)
        if (part := _instead(step, event, scene) if isinstance(result, str) else result) is not None
    )
    slow = tuple(step.name for step, result in zip(steps, results, strict=True) if result == "slow")
    return StepsRun(parts, late=results.count("late") + len(slow), failed=results.count("failed"), slow=slow)


def _begun(step: Step, event: Event, scene: Scene) -> Part | Awaitable[Part | None] | str | None:
    """What the step gives at once, or what is to be waited for."""
    try:
        begun = step.run(event, scene)
        if begun is None:
            return None
        return begun if not isinstance(begun, Part) and isinstance(begun, Awaitable) else _checked(begun, step, event)
    except Exception as error:
        return _fault(error, step, event)


async def _in_time(begun: Awaitable[Part | None], step: Step, event: Event) -> Part | str | None:
    try:
        work = asyncio.ensure_future(begun)
        try:
            done, _ = await asyncio.wait({work}, timeout=step.seconds)
            if not done and step.may_deny:
                # Where the loop itself was held up, the step's own bounds are over as well: it is about to answer.
                done, _ = await asyncio.wait({work}, timeout=GRACE_SECONDS)
        except asyncio.CancelledError:
            work.cancel()
            raise
        if not done:
            # Not waited for: `wait_for` would wait until a step that is slow to give up has given up.
            work.cancel()
            work.add_done_callback(lambda given_up: given_up.cancelled() or given_up.exception())
            log.warning(
                "%s: %s took longer than %.1f s and was left out", event.hook_event_name, step.name, step.seconds
            )
            return "late"
        if work.cancelled():
            raise RuntimeError("the step cancelled itself")
        return _checked(work.result(), step, event)
    except Exception as error:
        return _fault(error, step, event)


def _instead(step: Step, event: Event, scene: Scene) -> Part | None:
    """What is said in place of a step that failed or was late."""
    if step.instead is None:
        return None
    try:
        said = step.instead(event, scene)
        return _checked(said, step, event) if said is None or isinstance(said, Part) else None
    except Exception as error:
        _fault(error, step, event)
        return None


def _fault(error: Exception, step: Step, event: Event) -> str:
    if isinstance(error, StoreError):
        log.warning("%s: %s was left out: %s", event.hook_event_name, step.name, error)
        return "slow" if isinstance(error, StoreSlow) else "failed"
    log.error("%s: %s failed and was left out", event.hook_event_name, step.name, exc_info=error)
    return "failed"


def _checked(part: Part | None, step: Step, event: Event) -> Part | None:
    """The part, without what this step may not give."""
    if part is not None and not isinstance(part, Part):
        raise TypeError(f"a step gives a Part or None, not {type(part).__name__}")
    if part is not None and part.decision is not None and not step.may_deny:
        log.error("%s: %s may not decide; its decision was left out", event.hook_event_name, step.name)
        part = replace(part, decision=None)
    if log.isEnabledFor(logging.DEBUG):
        # What a step that may deny saw was not cleaned, so nothing of what it says is logged here.
        log.debug("%s: %s gave %s", event.hook_event_name, step.name, _rule(part) if step.may_deny else part)
    return part


def _rule(part: Part | None) -> str:
    return f"{part.decision.kind} by {part.decision.rule}" if part and part.decision else "no decision"
