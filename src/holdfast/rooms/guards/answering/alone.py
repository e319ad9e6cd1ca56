"""Judges a call in the hook's own process, when no daemon answers in time. Judging needs no store."""

from __future__ import annotations

from holdfast.events.answer import Context, Part, ask, refuse
from holdfast.events.event import PreToolUse
from holdfast.rooms.guards.answering import faults, words
from holdfast.rooms.guards.decisions import Decided, decided
from holdfast.rooms.guards.service import Guards, ToolCall
from holdfast.rooms.guards.settings import Settings
from holdfast.rooms.room import Ground

ORIGIN = "guards"


async def answer(ground: Ground, event: PreToolUse, arrival_id: str) -> Part | None:
    """What is said to a call. The daemon takes it down later; a refusal of this kind cannot be allowed once."""
    settings = ground.chosen(Settings)
    if settings.mode != "on":
        return None
    service = Guards(ground, settings)
    root = service.root_of(event.cwd) if event.cwd else ""
    if service.is_passed(event.tool_name, event.arguments, root):
        return None
    agents = tuple(each for each in (event.agent_type or "", event.agent_id or "") if each) or ("main",)
    call = ToolCall(
        event.tool_name, event.arguments, event.cwd, root, event.session_id, event.tool_use_id or "", agents
    )  # fmt: skip
    judged = await faults.judged(service, call, None, keep_as=arrival_id[-8:], now=ground.now())
    verdict, kept = judged.verdict, judged.kept
    if verdict.decision == "allow" and kept is None:
        return None
    noted = _noted(decided(verdict, kept.id if kept else ""))
    if kept is not None:
        return Part(contexts=(Context(words.kept(kept), ORIGIN),), noted=noted)
    said = words.refusal(verdict)
    if verdict.decision == "warn":
        return Part(contexts=(Context(said, ORIGIN),), noted=noted)
    decision = refuse(verdict.rule, said) if verdict.decision == "deny" else ask(verdict.rule, said)
    return Part(decision=decision, message=words.WITHOUT_DAEMON, noted=noted)


def _noted(made: Decided) -> tuple[tuple[str, str], ...]:
    return (("decision", made.decision), ("rule", made.rule), ("reason", made.reason), ("kept_id", made.kept_id))
