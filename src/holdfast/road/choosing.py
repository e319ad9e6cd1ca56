"""Which steps of an event are still to be heard, and which run later. Most often they follow from the tool."""

from __future__ import annotations

from dataclasses import dataclass

from holdfast.events.event import Event, ToolEvent
from holdfast.events.steps import OnEvent, Step
from holdfast.road.deadlines import Rests
from holdfast.road.own import is_own_tool

_MOST_TOOLS = 1_024


@dataclass(frozen=True, slots=True)
class StepsToRun:
    """The steps of one event."""

    all: tuple[Step, ...]
    now: tuple[Step, ...]
    """Those that are heard before the answer."""
    later: tuple[Step, ...]
    """Those that run after it."""


class StepChoice:
    """Chooses steps, and remembers its choice by event and tool."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str | None], tuple[OnEvent, StepsToRun]] = {}

    def steps(self, on_event: OnEvent, event: Event, rests: Rests, *, own: bool, live: bool) -> StepsToRun:
        """`own`: it is a call of ours. `live`: it happens now, and those that may deny were heard already."""
        tool = event.tool_name if isinstance(event, ToolEvent) else None
        if own or not live or rests:
            return _divided(_chosen(on_event, tool, event, rests, own=own, live=live))
        key = (event.hook_event_name, tool)
        known = self._known.get(key)
        if known is None or known[0] is not on_event:
            if len(self._known) >= _MOST_TOOLS:
                self._known.clear()
            known = (on_event, _divided(_chosen(on_event, tool, event, rests, own=own, live=live)))
            self._known[key] = known
        return known[1]


def _divided(steps: list[Step]) -> StepsToRun:
    now = tuple(step for step in steps if not step.later)
    return StepsToRun(tuple(steps), now, tuple(step for step in steps if step.later))


def _chosen(on_event: OnEvent, tool: str | None, event: Event, rests: Rests, *, own: bool, live: bool) -> list[Step]:
    """Nothing is captured of our own calls."""
    steps = [step for step in on_event.steps if step.fits(tool) and (own or not step.of_own_calls)]
    if live:
        steps = [step for step in steps if not step.may_deny]
        if rests:
            steps = [step for step in steps if not rests.is_resting(step.name)]
    if own:  # a command line is a command line to a guard
        steps = [step for step in steps if step.of_own_calls or (step.may_deny and not is_own_tool(event))]
    return steps
