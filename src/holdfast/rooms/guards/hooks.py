"""What this room contributes: a decision before a tool runs, the ledger of what a conversation made, and what rules say
at other events.

The decision sees the call as it came. What is written of it (a refusal) is the scrubbed form.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import msgspec

from holdfast.events.answer import CONTEXT_EVENTS, Context, Part, refuse
from holdfast.events.changes import SHELL_TOOLS, changed_by
from holdfast.events.event import (
    Event,
    PostToolUse,
    PostToolUseFailure,
    PreToolUse,
    SessionStart,
    Stop,
    SubagentStop,
    ToolEvent,
)
from holdfast.events.progress import ProgressBoard
from holdfast.events.scene import Scene
from holdfast.ids import ConversationId
from holdfast.judging import tool_calls
from holdfast.rooms.guards import state, tables
from holdfast.rooms.guards.answering import answers, faults, modes, words
from holdfast.rooms.guards.answering.faults import unanswered
from holdfast.rooms.guards.decisions import Decided, decided
from holdfast.rooms.guards.model import Verdict
from holdfast.rooms.guards.service import CallRead, Guards, ToolCall
from holdfast.store.interface import Tx

log = logging.getLogger(__name__)

__all__ = ["guard", "note_made", "remember_ledger", "remind", "sign", "unanswered"]


def guard(event: PreToolUse, scene: Scene) -> Awaitable[Part | None] | None:
    """Refuse, ask, or keep what a call would destroy. A call that no rule can match costs no task."""
    service = scene.services.get(Guards)
    if service.settings.mode == "off":
        return None
    if service.is_passed(event.tool_name, event.arguments, scene.place.worktree_path, event.session_id):
        return None
    call = _call(event, scene)
    if not scene.is_live:
        return _afterwards(event, scene, service, call)
    known = service.look(call)
    if known is not None and known.is_allowed:
        service.ledger.expect(event.session_id, event.tool_use_id or "", known.plan)
        return None
    return _guard(event, scene, service, call, known)


async def _guard(
    event: PreToolUse, scene: Scene, service: Guards, call: ToolCall, known: CallRead | None
) -> Part | None:
    acting = service.settings.mode == "on"
    short = scene.entry_id[-8:]
    judged = await faults.judged(service, call, known, keep_as=short if acting else "", now=scene.now())
    verdict, kept = modes.enforced(judged.verdict, call), judged.kept
    refused = verdict.decision in ("ask", "deny") and acting
    spent = faults.attempted(lambda: service.codes.spend(call.digest)) if refused else ""
    if kept is not None and verdict.decision == "deny" and not spent:
        await service.drop(kept)
        kept = None
    if verdict.decision != "deny" or not acting or spent:
        service.ledger.expect(event.session_id, event.tool_use_id or "", judged.plan)
    if verdict.decision == "allow" and kept is None:
        return None
    made = decided(verdict, kept.id if kept else "", "" if acting else "dry-run: ")
    if spent:
        made = replace(made, decision="allow", reason=f"a person allowed it once ({spent})")
        verdict = Verdict(rule=verdict.rule)
    record = await _record(event, scene, service, made)
    if not acting:
        return Part(record=record)
    part = replace(answers.answer(verdict, kept), record=record)
    if not refused or spent:
        return part
    message = faults.attempted(lambda: words.override(short, service.codes.issue(short, call.digest)))
    return replace(part, message=message or None)


async def _record(event: PreToolUse, scene: Scene, service: Guards, made: Decided) -> Callable[[Tx], None] | None:
    """Takes a decision down. What cannot be recorded is decided all the same."""
    try:
        service.records.note(event.tool_use_id or "", made)
        seen = await scene.kept() if scene.kept else event
    except Exception:
        log.exception("a decision of %s could not be recorded", made.rule)
        return None

    def record(tx: Tx) -> None:
        service.records.add(tx, made, seen, scene)

    return record


async def _afterwards(event: PreToolUse, scene: Scene, service: Guards, call: ToolCall) -> Part | None:
    """The call came by the spool or the transcript: what was decided when it ran is taken down.

    Nothing was decided when the daemon was away. Then it is said what would have been."""
    made = service.records.was_decided(event.tool_use_id or "") or _decided_alone(event)
    if made is None:
        if scene.source == "import" or event.tool_name not in SHELL_TOOLS | tool_calls.WRITES.keys():
            return None
        judged = await service.judge(replace(call, cwd=""))
        if judged.verdict.decision not in ("ask", "deny"):
            return None
        made = decided(judged.verdict, prefix="unguarded: ")

    def record(tx: Tx) -> None:
        if made.decision.startswith("unguarded"):
            service.records.note("", made)  # here, because an event that was seen before is not recorded again
        service.records.add(tx, made, event, scene)

    return Part(record=record)


def _decided_alone(event: PreToolUse) -> Decided | None:
    """What the hook decided in its own process, as the spooled event tells (`alone.py`)."""
    told = event.rest.get("holdfast_decided")
    if not isinstance(told, dict) or told.get("decision") not in ("ask", "deny", "warn", "allow"):
        return None
    return Decided(*(str(told.get(name) or "") for name in ("decision", "rule", "reason", "kept_id")))


def sign(event: SessionStart, scene: Scene) -> Part | None:
    """Tell the user whether guards are on, and were."""
    return Part(sign=state.sign(scene.services.get(Guards)))


def note_made(event: PostToolUse | PostToolUseFailure, scene: Scene) -> Awaitable[None] | None:
    """What a conversation made, moved and copied: the ledger learns what happened to the call's plan."""
    service = scene.services.get(Guards)
    if scene.is_live and not service.ledger.knows(event.session_id):
        return _remember_and_note(event, scene, service)
    _note_made(event, service)
    return None


async def _remember_and_note(event: PostToolUse | PostToolUseFailure, scene: Scene, service: Guards) -> None:
    await _remember(event.session_id, scene, service)
    _note_made(event, service)


def _note_made(event: PostToolUse | PostToolUseFailure, service: Guards) -> None:
    ledger = service.ledger
    ledger.settle(event.session_id, event.tool_use_id or "", (event.duration_ms or 0) / 1000)
    if isinstance(event, PostToolUse):
        made, changed = _written(event.tool_name, event.arguments, event.tool_response)
        if made:
            ledger.made(event.session_id, made)
        if changed:
            ledger.changed(event.session_id, changed)


def remember_ledger(event: Event, scene: Scene) -> Awaitable[None] | None:
    """A conversation goes on after a restart: its ledger is made anew from the journal."""
    service = scene.services.get(Guards)
    if scene.is_live and not service.ledger.knows(event.session_id):
        return _remember(event.session_id, scene, service)
    return None


async def _remember(conversation: ConversationId, scene: Scene, service: Guards) -> None:
    rows = await scene.read(lambda reader: tables.tool_events(reader, conversation, scene.owner))
    made: list[str] = []
    changed: list[str] = []
    for row in rows:
        try:
            told = msgspec.json.decode(str(row["payload"]))
        except msgspec.MsgspecError:
            continue
        if isinstance(told, dict) and isinstance(told.get("tool_input"), dict):
            new, old = _written(str(told.get("tool_name")), told["tool_input"], told.get("tool_response"))
            made += new
            changed += old
    service.ledger.made(conversation, made)
    service.ledger.changed(conversation, changed)


def _written(tool: str, arguments: dict[str, Any], response: Any) -> tuple[list[str], list[str]]:
    """Files that a call made anew, and those that it wrote into, as the client says."""
    if tool == "Bash":
        told = changed_by(response)
        return [file.path for file in told if file.created], [file.path for file in told if not file.created]
    path = arguments.get("file_path")
    if tool not in ("Write", "Edit", "MultiEdit") or not isinstance(path, str):
        return [], []
    is_new = tool == "Write" and isinstance(response, dict) and response.get("type") == "create"
    return ([path], []) if is_new else ([], [path])


def remind(event: Event, scene: Scene) -> Part | None:
    """What rules say at an event that is no call of a tool: context, or (at Stop and at a prompt) a refusal."""
    service = scene.services.get(Guards)
    mode = service.settings.mode
    if mode == "off" or not scene.is_live or not service.has_reminders(scene.place.worktree_path):
        return None
    call = _call(event, scene)
    verdict = service.at_event(replace(call.moment(), event=event.hook_event_name), call)
    if verdict.decision == "allow":
        return None
    made = decided(verdict, prefix="" if mode == "on" else "dry-run: ")
    service.records.note("", made)

    def record(tx: Tx) -> None:
        service.records.add(tx, made, event, scene)

    return replace(_said_at(event, verdict) if mode == "on" else Part(), record=record)


def _said_at(event: Event, verdict: Verdict) -> Part:
    said = words.refusal(verdict)
    if isinstance(event, Stop | SubagentStop):
        if verdict.decision == "deny" and not event.stop_hook_active:
            return Part(decision=refuse(verdict.rule, said))
        return Part(message=said)  # a context there would make the turn go on
    if verdict.decision == "deny" and event.hook_event_name in ("UserPromptSubmit", "PreCompact"):
        return Part(decision=refuse(verdict.rule, said))
    if event.hook_event_name not in CONTEXT_EVENTS:
        return Part(message=said)
    return Part(contexts=(Context(said, answers.ORIGIN),))


def _call(event: Event, scene: Scene) -> ToolCall:
    tool = event if isinstance(event, ToolEvent) else None
    agent_id = event.agent_id or ""
    return ToolCall(
        tool.tool_name if tool else "",
        tool.arguments if tool else {},
        event.cwd or "",
        scene.place.worktree_path,
        event.session_id,
        (tool.tool_use_id or "") if tool else "",
        tuple(each for each in (event.agent_type or "", agent_id) if each) or ("main",),
        scene.services.get(ProgressBoard).of(event.session_id, agent_id),
        f"{scene.place.window_number}",
        event.permission_mode or "",
    )
