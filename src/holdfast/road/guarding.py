"""The steps that may deny: which of them an event concerns, and what may be said of what they saw.

They judge the payload as it came (EVT-18): a `<private>` tag or a secret hides no command from a guard. That payload
stays in memory. A step that writes takes `scene.kept()`, and what it says is cleaned here.
"""

from __future__ import annotations

from dataclasses import replace

from holdfast.events.answer import Part
from holdfast.events.event import Event, JsonObject
from holdfast.events.parse import parse
from holdfast.events.steps import Program, Step
from holdfast.road.clean import ScrubsValues
from holdfast.road.own import is_own_tool
from holdfast.scrub.private import without_private


def guards_of(program: Program, fields: JsonObject, name: str | None) -> tuple[list[Step], Event | None]:
    """The steps that may deny this event, and the event as it came; None when there are none."""
    given = fields.get("hook_event_name")
    on_event = program.get(given if isinstance(given, str) else name or "") or program.get(name or "")
    if on_event is None or not any(step.may_deny for step in on_event.steps):
        return [], None
    tool = fields.get("tool_name")
    steps = [step for step in on_event.steps if step.may_deny and step.fits(tool if isinstance(tool, str) else None)]
    event = parse(fields, name) if steps else None
    if event is None or is_own_tool(event) or program.get(event.hook_event_name) is not on_event:
        return [], None
    return steps, event


def spoken(part: Part, scrubber: ScrubsValues) -> Part:
    """`part` without secrets and private spans. An updated input goes to the client only, as it is."""

    def said(text: str) -> str:
        return str(scrubber.value(without_private(text))[0])

    decision = replace(part.decision, reason=said(part.decision.reason)) if part.decision else None
    contexts = tuple(replace(context, text=said(context.text)) for context in part.contexts)
    return replace(part, decision=decision, contexts=contexts, message=said(part.message) if part.message else None)
