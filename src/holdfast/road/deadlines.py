"""Deadlines: steps run side by side, each within its own time. Late or broken ones are dropped, never waited for.

This is the one place where a contribution's failure is turned into its absence (EVT-5, EVT-6).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

from holdfast.events.answer import Part
from holdfast.events.entry import Step
from holdfast.events.event import Event
from holdfast.events.scene import Scene

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of the steps: their parts in the program's order, and how many were late or broken."""

    parts: tuple[Part, ...] = ()
    late: int = 0
    failed: int = 0


async def run_steps(steps: Sequence[Step], event: Event, scene: Scene) -> Outcome:
    """Run `steps` at once; give back what came in time."""
    if not steps:
        return Outcome()
    results = await asyncio.gather(*(_run(step, event, scene) for step in steps))
    parts = tuple(part for part in results if isinstance(part, Part))
    return Outcome(parts, late=results.count("late"), failed=results.count("failed"))


async def _run(step: Step, event: Event, scene: Scene) -> Part | str | None:
    try:
        work = asyncio.ensure_future(step.run(event, scene))
        try:
            done, _ = await asyncio.wait({work}, timeout=step.seconds)
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
        part = work.result()
        if part is not None and not isinstance(part, Part):
            raise TypeError(f"a step gives a Part or None, not {type(part).__name__}")
    except Exception:
        log.exception("%s: %s failed and was left out", event.hook_event_name, step.name)
        return "failed"
    if part is not None and part.decision is not None and not step.may_deny:
        log.error("%s: %s may not decide; its decision was left out", event.hook_event_name, step.name)
        part = replace(part, decision=None)
    log.debug("%s: %s gave %s", event.hook_event_name, step.name, part)
    return part
