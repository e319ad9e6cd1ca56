"""Judges a call in the hook's own process, when no daemon answers in time. Judging needs no store."""

from __future__ import annotations

from dataclasses import replace

from holdfast.events.answer import Part
from holdfast.events.event import PreToolUse
from holdfast.rooms.guards.answering import answers, faults, modes, words
from holdfast.rooms.guards.decisions import Decided, decided
from holdfast.rooms.guards.service import Guards, ToolCall
from holdfast.rooms.guards.settings import Settings
from holdfast.rooms.room import Ground


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
        event.tool_name, event.arguments, event.cwd, root, event.session_id, event.tool_use_id or "", agents,
        mode=event.permission_mode or "",
    )  # fmt: skip
    judged = await faults.judged(service, call, None, keep_as=arrival_id[-8:], now=ground.now())
    verdict, kept = modes.enforced(judged.verdict, call), judged.kept
    if kept is not None and verdict.decision == "deny":
        await service.drop(kept)
        kept = None
    if verdict.decision == "allow" and kept is None:
        return None
    noted = _noted(decided(verdict, kept.id if kept else ""))
    message = words.WITHOUT_DAEMON if verdict.decision in ("ask", "deny") else None
    return replace(answers.answer(verdict, kept), message=message, noted=noted)


def _noted(made: Decided) -> tuple[tuple[str, str], ...]:
    return (("decision", made.decision), ("rule", made.rule), ("reason", made.reason), ("kept_id", made.kept_id))
