"""The fifteen events as scripts tell them by RPC: what each takes, and what it answers.

An event takes the road of the client's hooks (`events/method.py`), so the steps of `hooks/` have run when a method of
this page answers. It only says their results. What cannot be resolved is null, never an error.

`session_id` in a call is the client's session; `sessionId` in an answer to an event is the window, as the scripts of
the source expect it (WRK-2). Everywhere else in this room `session_id` is the client's, and `window_id` the window.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import msgspec
from msgspec import Struct, field

from holdfast.events.caller import Caller
from holdfast.events.method import Method, MethodEvent
from holdfast.events.progress import ProgressBoard
from holdfast.ids import ClientPromptId, ConversationId, WindowId
from holdfast.rooms.work import rules
from holdfast.rooms.work.efforts.live import LiveWindow
from holdfast.rooms.work.model import Effort, SkillConfig
from holdfast.rooms.work.rpc.outcomes import EventResult
from holdfast.rooms.work.service import WorkService
from holdfast.times import clock_time

_WINDOW: Any = field(default=None, name="sessionId")


class Base(Struct, kw_only=True):
    """The fields that every event carries. None of them is required."""

    session_id: str | None = None
    transcript_path: str | None = None
    cwd: str | None = None
    permission_mode: str | None = None
    hook_event_name: str | None = None
    agent_id: str | None = None
    agent_type: str | None = None
    prompt_id: ClientPromptId | None = None


class SessionStarted(Struct, rename="camel", kw_only=True):
    found: bool
    effort_id: str | None = None
    window_id: WindowId | None = _WINDOW
    skill: str | None = None
    phase: str | None = None
    files_to_preload: tuple[str, ...] = ()
    dehydrated_context: str | None = None
    skill_config: SkillConfig | None = None


class ToolAllowed(Struct, rename="camel", kw_only=True):
    allow: bool
    heartbeat_count: int | None = None
    context_usage: float | None = None
    overflow_warning: bool = False
    pending_preloads: tuple[str, ...] = ()
    fired_rules: tuple[str, ...] = ()
    reason: str | None = None


class ToolUsed(Struct, rename="camel", kw_only=True):
    heartbeat_count: int | None = None
    pending_injections: tuple[str, ...] = ()
    dialogue_entry: str | None = None


class Prompted(Struct, rename="camel", kw_only=True):
    session_context: str | None = None
    effort_id: str | None = None
    window_id: WindowId | None = _WINDOW
    task_dir: str | None = None
    skill: str | None = None
    phase: str | None = None
    heartbeat: int | None = None


class Heard(Struct, rename="camel", kw_only=True):
    """The outcome of the other events."""

    effort_id: str | None = None
    window_id: WindowId | None = _WINDOW
    ended: bool = False
    context: str | None = None
    loaded_files: tuple[str, ...] = ()


def _found(asked: Base, caller: Caller) -> tuple[Effort, LiveWindow] | None:
    return caller.services.get(WorkService).live.window_of(ConversationId(asked.session_id or ""), asked.agent_id or "")


def _outcome(caller: Caller, travelled: MethodEvent) -> EventResult:
    return caller.services.get(WorkService).outcomes.take(travelled.entry_id)


async def session_start(asked: Base, caller: Caller, travelled: MethodEvent) -> SessionStarted:
    outcome, found = _outcome(caller, travelled), _found(asked, caller)
    if found is None:
        return SessionStarted(found=False)
    effort, window = found
    return SessionStarted(
        found=True,
        effort_id=effort.id,
        window_id=window.window_id,
        skill=effort.skill,
        phase=effort.phase or None,
        files_to_preload=outcome.preloads,
        dehydrated_context=outcome.handover or None,
        skill_config=effort.config,
    )


async def pre_tool_use(asked: Base, caller: Caller, travelled: MethodEvent) -> ToolAllowed:
    outcome = _outcome(caller, travelled)
    decision, found = travelled.answer.decision, _found(asked, caller)
    refused = decision is not None and decision.kind == "deny"
    board = caller.services.get(ProgressBoard).of(ConversationId(asked.session_id or ""), asked.agent_id or "")
    heartbeat = outcome.heartbeat if outcome.heartbeat is not None else found[1].heartbeat if found else None
    return ToolAllowed(
        allow=not refused,
        heartbeat_count=heartbeat,
        context_usage=board.context_used,
        overflow_warning=outcome.overflow,
        pending_preloads=outcome.preloads,
        fired_rules=(decision.rule,) if decision else (),
        reason=decision.reason if decision else None,
    )


async def post_tool_use(asked: Base, caller: Caller, travelled: MethodEvent) -> ToolUsed:
    outcome, found = _outcome(caller, travelled), _found(asked, caller)
    return ToolUsed(
        heartbeat_count=found[1].heartbeat if found else None,
        pending_injections=outcome.injections,
        dialogue_entry=outcome.dialogue or None,
    )


async def user_prompt(asked: Base, caller: Caller, travelled: MethodEvent) -> Prompted:
    _outcome(caller, travelled)
    found = _found(asked, caller)
    if found is None:
        return Prompted()
    effort, window = found
    clock, beats = clock_time(caller.now()), window.heartbeat
    return Prompted(
        session_context=rules.context_line(effort, clock=clock, window_id=window.window_id, heartbeat=beats),
        effort_id=effort.id,
        window_id=window.window_id,
        task_dir=effort.dir_path,
        skill=effort.skill,
        phase=effort.phase or None,
        heartbeat=beats,
    )


async def heard(asked: Base, caller: Caller, travelled: MethodEvent) -> Heard:
    """The outcome of an event that only reports something."""
    outcome = _outcome(caller, travelled)
    found = _found(asked, caller) or caller.services.get(WorkService).live.window_of(
        ConversationId(asked.session_id or "")
    )
    return Heard(
        effort_id=found[0].id if found else None,
        window_id=found[1].window_id if found else None,
        ended=outcome.ended,
        context="\n\n".join(outcome.injections) or travelled.answer.context or None,
        loaded_files=outcome.loaded_files,
    )


_TEXT, _FLAG = str | None, bool | None
_TOOL: dict[str, Any] = {"tool_name": _TEXT, "tool_input": dict[str, Any] | None, "tool_use_id": _TEXT}
_STOP = {"stop_hook_active": _FLAG, "last_assistant_message": _TEXT, "agent_transcript_path": _TEXT}
_MATE = {"teammate_name": _TEXT, "team_name": _TEXT}
_TASK = _MATE | {"task_id": _TEXT, "task_subject": _TEXT, "task_description": _TEXT}
_NOTICE = {"message": _TEXT, "notification_type": _TEXT, "title": _TEXT}

Answers = tuple[type[Struct], Callable[[Base, Caller, MethodEvent], Awaitable[Struct]]]
_HEARD: Answers = (Heard, heard)


def _method(name: str, event: str, summary: str, own: Mapping[str, Any], answers: Answers = _HEARD) -> Method[Any]:
    """One event: its name to scripts and to the client, the fields it has besides those of every event, its answer."""
    fields = [(field, kind, None) for field, kind in own.items()]
    params = msgspec.defstruct(f"{event}Params", fields, bases=(Base,), kw_only=True)
    return Method(f"hooks.{name}", summary, params, *answers, event=event)


HOOKS: tuple[Method[Any], ...] = (
    _method(
        "sessionStart",
        "SessionStart",
        "A window begins: its effort, and what to read first.",
        {"source": _TEXT, "model": _TEXT},
        (SessionStarted, session_start),
    ),
    _method("sessionEnd", "SessionEnd", "A session ends.", {"reason": _TEXT}),
    _method(
        "preCompact",
        "PreCompact",
        "A compaction is about to begin.",
        {"trigger": _TEXT, "custom_instructions": _TEXT},
    ),
    _method(
        "preToolUse",
        "PreToolUse",
        "May this tool call run? Counts the heartbeat.",
        _TOOL,
        (ToolAllowed, pre_tool_use),
    ),
    _method(
        "postToolUse",
        "PostToolUse",
        "A tool call passed: what waits for the agent.",
        _TOOL | {"tool_response": Any},
        (ToolUsed, post_tool_use),
    ),
    _method(
        "postToolUseFailure",
        "PostToolUseFailure",
        "A tool call failed.",
        _TOOL | {"error": _TEXT, "is_interrupt": _FLAG},
    ),
    _method("stop", "Stop", "A turn ended.", _STOP),
    _method(
        "userPrompt",
        "UserPromptSubmit",
        "The user said something: where the effort stands.",
        {"prompt": _TEXT},
        (Prompted, user_prompt),
    ),
    _method("notification", "Notification", "The client notifies.", _NOTICE),
    _method(
        "permissionRequest",
        "PermissionRequest",
        "The client asks for permission.",
        _TOOL | {"permission_suggestions": Any},
    ),
    _method("teammateIdle", "TeammateIdle", "A teammate is idle.", _MATE),
    _method("taskCompleted", "TaskCompleted", "A task of the client is done.", _TASK),
    _method("subagentStart", "SubagentStart", "A subagent begins.", {}),
    _method("subagentStop", "SubagentStop", "A subagent is done.", _STOP),
    _method("configChange", "ConfigChange", "The configuration changed.", {"source": _TEXT, "file_path": _TEXT}),
)
