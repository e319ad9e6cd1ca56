"""What is answered when judging a call failed: a rule that matched stands; our own fault lets only plain calls pass."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace

from holdfast.events.answer import Part, ask, refuse
from holdfast.events.event import PreToolUse
from holdfast.events.scene import Scene
from holdfast.judging import rules
from holdfast.judging.suspicious import is_suspicious
from holdfast.rooms.guards.answering import modes, words
from holdfast.rooms.guards.model import Verdict
from holdfast.rooms.guards.service import CallRead, Guards, Judged, ToolCall

log = logging.getLogger(__name__)

NOT_JUDGED = Verdict(
    "ask", "guards.fault", "holdfast could not judge this call (its log says why)", "run it in smaller parts"
)

_SAID = words.refusal(NOT_JUDGED)


async def judged(service: Guards, call: ToolCall, known: CallRead | None, *, keep_as: str, now: int) -> Judged:
    """The verdict of the service. Where judging failed: that of the rules that matched, without any facts; a question
    where they would have let the call pass because its bytes are kept."""
    try:
        return await service.judge(call, keep_as=keep_as, now=now, known=known)
    except Exception:
        log.exception("judging a call of %s failed", call.tool)
        return _without_facts(call, known)


def _without_facts(call: ToolCall, known: CallRead | None) -> Judged:
    worst = rules.strictest(known.found) if known else None
    if worst is None:
        return Judged(NOT_JUDGED if is_suspicious(call.arguments) else Verdict())
    verdict = Verdict(worst.decision, worst.rule, worst.reason, worst.instead)
    if verdict.decision == "allow":
        reason = f"{worst.reason}; what it removes could not be kept"
        verdict = replace(verdict, decision="ask", reason=reason)
    return Judged(verdict)


def unanswered(event: PreToolUse, scene: Scene) -> Part | None:
    """The guard itself failed or was too late: ask where the call may destroy something."""
    service = scene.services.get(Guards)
    if service.settings.mode != "on" or not scene.is_live or not is_suspicious(event.arguments):
        return None
    call = ToolCall(event.tool_name, event.arguments, event.cwd, mode=event.permission_mode or "")
    decide = refuse if modes.enforced(NOT_JUDGED, call).decision == "deny" else ask
    return Part(decision=decide(NOT_JUDGED.rule, _SAID))


def attempted(work: Callable[[], str]) -> str:
    """What the work gives; '' where it failed. For what goes with a decision and must not undo it."""
    try:
        return work()
    except Exception:
        log.exception("a code for a person could not be read or written; the decision is given without it")
        return ""
