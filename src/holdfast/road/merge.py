"""Merging: many parts, one answer. Pure.

Deny over ask over allow, the first of its kind wins; contexts are fenced and joined in order under the event's token
budget and the client's cap; what did not fit is counted.
"""

from __future__ import annotations

from collections.abc import Iterable

from holdfast.events.answer import CONTEXT_CAP, CONTEXT_EVENTS, Answer, Context, Decision, Part
from holdfast.events.fence import fence, inert
from holdfast.events.said_once import items_of, without_told_items
from holdfast.events.tokens import client_length, count_tokens

_STRENGTH = {"deny": 3, "ask": 2, "allow": 1}
_JOINT = "\n"


def merge(event: str, parts: Iterable[Part], *, tokens: int, nonce: str) -> Answer:
    """The one answer to `event`. A part may hold a decision only if its step may; the road saw to that."""
    parts = list(parts)
    if not parts:
        return Answer()
    contexts = [context for part in parts for context in part.contexts if context.text]
    is_compact = event == "PreCompact"
    room_for_text = tokens if event in CONTEXT_EVENTS or is_compact else 0
    text, dropped = _join(contexts, tokens=room_for_text, nonce=nonce, fenced=not is_compact)
    messages = [part.message for part in parts if part.message]
    return Answer(
        context="" if is_compact else text,
        instructions=text if is_compact else "",
        decision=strongest(part.decision for part in parts),
        updated_input=next((part.updated_input for part in parts if part.updated_input is not None), None),
        message="\n".join(messages) or None,
        dropped=dropped,
    )


def strongest(decisions: Iterable[Decision | None]) -> Decision | None:
    """Deny over ask over allow; among equals the first."""
    chosen: Decision | None = None
    for decision in decisions:
        if decision and (chosen is None or _STRENGTH[decision.kind] > _STRENGTH[chosen.kind]):
            chosen = decision
    return chosen


def _join(contexts: list[Context], *, tokens: int, nonce: str, fenced: bool) -> tuple[str, int]:
    """As many whole contexts, in order, as fit; and how many did not. What one of them said, none repeats."""
    kept: list[str] = []
    told: set[str] = set()
    spent_tokens, spent_characters, dropped = 0, 0, 0
    for context in contexts:
        said = without_told_items(context.text, told) if told else context.text
        if not said.strip():
            continue
        if len(contexts) > 1:
            told |= items_of(said)
        text = fence(said, origin=context.origin, nonce=nonce) if fenced else inert(said)
        joint = _JOINT if kept else ""
        cost, length = count_tokens(joint + text), client_length(joint + text)
        if spent_tokens + cost > tokens or spent_characters + length > CONTEXT_CAP:
            dropped += 1
            continue
        kept.append(text)
        spent_tokens += cost
        spent_characters += length
    return _JOINT.join(kept), dropped
