"""The RPC methods of this room: the fifteen events as scripts tell them, and what a script needs about efforts.

The events take the road of the client's hooks (`events/method.py`), so the steps of `hooks/` have run when a method of
this page answers. It only says what they came to. What cannot be resolved is null, never an error.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from holdfast.events.caller import Caller
from holdfast.events.method import Method, Travelled
from holdfast.events.progress import ProgressBoard
from holdfast.ids import ConversationId
from holdfast.rooms.work import results, rules, tables, tools
from holdfast.rooms.work.errors import AlreadyEnded, NotFound
from holdfast.rooms.work.live import LiveWindow
from holdfast.rooms.work.model import Effort, SkillConfig
from holdfast.rooms.work.outcomes import Outcome
from holdfast.rooms.work.service import Work
from holdfast.times import clock_time


class Base(Struct, kw_only=True):
    """The fields that every event carries. None of them is required."""

    session_id: str | None = None
    transcript_path: str | None = None
    cwd: str | None = None
    permission_mode: str | None = None
    hook_event_name: str | None = None
    agent_id: str | None = None
    agent_type: str | None = None
    prompt_id: str | None = None


class SessionStartParams(Base, kw_only=True):
    source: str | None = None
    model: str | None = None


class SessionEndParams(Base, kw_only=True):
    reason: str | None = None


class PreCompactParams(Base, kw_only=True):
    trigger: str | None = None
    custom_instructions: str | None = None


class ToolParams(Base, kw_only=True):
    tool_name: str | None = None
    tool_input: dict[str, Any] | None = None
    tool_use_id: str | None = None


class PostToolParams(ToolParams, kw_only=True):
    tool_response: Any = None


class FailureParams(ToolParams, kw_only=True):
    error: str | None = None
    is_interrupt: bool | None = None


class StopParams(Base, kw_only=True):
    stop_hook_active: bool | None = None
    last_assistant_message: str | None = None
    agent_transcript_path: str | None = None


class PromptParams(Base, kw_only=True):
    prompt: str | None = None


class NotificationParams(Base, kw_only=True):
    message: str | None = None
    notification_type: str | None = None
    title: str | None = None


class PermissionParams(ToolParams, kw_only=True):
    permission_suggestions: Any = None


class TeammateParams(Base, kw_only=True):
    teammate_name: str | None = None
    team_name: str | None = None


class TaskParams(TeammateParams, kw_only=True):
    task_id: str | None = None
    task_subject: str | None = None
    task_description: str | None = None


class ConfigParams(Base, kw_only=True):
    source: str | None = None
    file_path: str | None = None


class SessionStarted(Struct, rename="camel", kw_only=True):
    found: bool
    effort_id: str | None = None
    session_id: str | None = None
    skill: str | None = None
    phase: str | None = None
    files_to_preload: tuple[str, ...] = ()
    dehydrated_context: str | None = None
    skill_config: SkillConfig | None = None


class ToolAllowed(Struct, rename="camel", kw_only=True, omit_defaults=False):
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
    session_id: str | None = None
    task_dir: str | None = None
    skill: str | None = None
    phase: str | None = None
    heartbeat: int | None = None


class Heard(Struct, rename="camel", kw_only=True):
    """What the other events come to."""

    effort_id: str | None = None
    session_id: str | None = None
    ended: bool = False
    context: str | None = None
    loaded_files: tuple[str, ...] = ()


def _found(asked: Base, caller: Caller) -> tuple[Effort, LiveWindow] | None:
    return caller.services.get(Work).live.window_of(asked.session_id or "", asked.agent_id or "")


def _outcome(caller: Caller, travelled: Travelled) -> Outcome:
    return caller.services.get(Work).outcomes.take(travelled.entry_id)


async def session_start(asked: SessionStartParams, caller: Caller, travelled: Travelled) -> SessionStarted:
    outcome, found = _outcome(caller, travelled), _found(asked, caller)
    if found is None:
        return SessionStarted(found=False)
    effort, window = found
    return SessionStarted(
        found=True,
        effort_id=effort.id,
        session_id=window.window_id,
        skill=effort.skill,
        phase=effort.phase or None,
        files_to_preload=outcome.preloads,
        dehydrated_context=outcome.handover or None,
        skill_config=effort.config,
    )


async def pre_tool_use(asked: ToolParams, caller: Caller, travelled: Travelled) -> ToolAllowed:
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


async def post_tool_use(asked: PostToolParams, caller: Caller, travelled: Travelled) -> ToolUsed:
    outcome, found = _outcome(caller, travelled), _found(asked, caller)
    return ToolUsed(
        heartbeat_count=found[1].heartbeat if found else None,
        pending_injections=outcome.injections,
        dialogue_entry=outcome.dialogue or None,
    )


async def user_prompt(asked: PromptParams, caller: Caller, travelled: Travelled) -> Prompted:
    _outcome(caller, travelled)
    found = _found(asked, caller)
    if found is None:
        return Prompted()
    effort, window = found
    line = rules.context_line(
        effort, clock=clock_time(caller.now()), session=window.window_id, heartbeat=window.heartbeat
    )
    return Prompted(
        session_context=line,
        effort_id=effort.id,
        session_id=window.window_id,
        task_dir=effort.dir_path,
        skill=effort.skill,
        phase=effort.phase or None,
        heartbeat=window.heartbeat,
    )


async def heard(asked: Base, caller: Caller, travelled: Travelled) -> Heard:
    """What an event came to that only tells something."""
    outcome = _outcome(caller, travelled)
    found = _found(asked, caller) or caller.services.get(Work).live.window_of(asked.session_id or "")
    return Heard(
        effort_id=found[0].id if found else None,
        session_id=found[1].window_id if found else None,
        ended=outcome.ended,
        context="\n\n".join(outcome.injections) or travelled.answer.context or None,
        loaded_files=outcome.loaded_files,
    )


HOOKS: tuple[Method[Any], ...] = (
    Method(
        "hooks.sessionStart",
        "A window begins: its effort, and what to read first.",
        SessionStartParams,
        SessionStarted,
        session_start,
        event="SessionStart",
    ),
    Method("hooks.sessionEnd", "A session ends.", SessionEndParams, Heard, heard, event="SessionEnd"),
    Method("hooks.preCompact", "A compaction is about to begin.", PreCompactParams, Heard, heard, event="PreCompact"),
    Method(
        "hooks.preToolUse",
        "May this tool call run? Counts the heartbeat.",
        ToolParams,
        ToolAllowed,
        pre_tool_use,
        event="PreToolUse",
    ),
    Method(
        "hooks.postToolUse",
        "A tool call passed: what waits for the agent.",
        PostToolParams,
        ToolUsed,
        post_tool_use,
        event="PostToolUse",
    ),
    Method("hooks.postToolUseFailure", "A tool call failed.", FailureParams, Heard, heard, event="PostToolUseFailure"),
    Method("hooks.stop", "A turn ended.", StopParams, Heard, heard, event="Stop"),
    Method(
        "hooks.userPrompt",
        "The user said something: where the effort stands.",
        PromptParams,
        Prompted,
        user_prompt,
        event="UserPromptSubmit",
    ),
    Method("hooks.notification", "The client notifies.", NotificationParams, Heard, heard, event="Notification"),
    Method(
        "hooks.permissionRequest",
        "The client asks for permission.",
        PermissionParams,
        Heard,
        heard,
        event="PermissionRequest",
    ),
    Method("hooks.teammateIdle", "A teammate is idle.", TeammateParams, Heard, heard, event="TeammateIdle"),
    Method("hooks.taskCompleted", "A task of the client is done.", TaskParams, Heard, heard, event="TaskCompleted"),
    Method("hooks.subagentStart", "A subagent begins.", Base, Heard, heard, event="SubagentStart"),
    Method("hooks.subagentStop", "A subagent is done.", StopParams, Heard, heard, event="SubagentStop"),
    Method("hooks.configChange", "The configuration changed.", ConfigParams, Heard, heard, event="ConfigChange"),
)


# --- efforts, tasks, messages, agents


class EffortShown(results.Shown, rename="camel", kw_only=True):
    """An effort. `effortId` is its `id`."""

    effort_id: str


class EffortWhole(results.Whole, rename="camel", kw_only=True):
    effort_id: str


class Efforts(Struct, kw_only=True):
    efforts: list[EffortShown]


class TaskTold(results.TaskShown, rename="camel", kw_only=True):
    """A task."""


class Tasks(Struct, kw_only=True):
    tasks: list[TaskTold]


class MessageTold(results.MessageShown, rename="camel", kw_only=True):
    """A message."""


class Messages(Struct, kw_only=True):
    messages: list[MessageTold]


class AgentTold(Struct, kw_only=True):
    name: str
    parent: str
    label: str


class FinishSession(Struct, kw_only=True):
    session_id: str
    """A window's id, or the client's session id."""
    dehydrated_context: str = ""


class SessionFinished(Struct, rename="camel", kw_only=True):
    session_id: str
    effort_id: str


def _shown(shown: results.Shown) -> EffortShown:
    return EffortShown(**msgspec.structs.asdict(shown), effort_id=shown.id)


def _of(run: Any) -> Any:
    """A tool's function as a method's: its result in camelCase."""

    async def called(asked: Any, caller: Caller, travelled: Travelled) -> EffortShown:
        return _shown(await run(asked, caller))

    return called


async def show(asked: tools.ShowEffort, caller: Caller, travelled: Travelled) -> EffortWhole:
    whole = await tools.show_effort(asked, caller)
    return EffortWhole(**msgspec.structs.asdict(whole), effort_id=whole.id)


async def list_efforts(asked: tools.ListEfforts, caller: Caller, travelled: Travelled) -> Efforts:
    return Efforts(efforts=[_shown(each) for each in await tools.list_efforts(asked, caller)])


async def list_tasks(asked: tools.ListTasks, caller: Caller, travelled: Travelled) -> Tasks:
    found = await tools.list_tasks(asked, caller)
    return Tasks(tasks=[TaskTold(**msgspec.structs.asdict(each)) for each in found])


async def list_messages(asked: tools.ListMessages, caller: Caller, travelled: Travelled) -> Messages:
    found = await tools.list_messages(asked, caller)
    return Messages(messages=[MessageTold(**msgspec.structs.asdict(each)) for each in found])


async def register(asked: tools.RegisterAgent, caller: Caller, travelled: Travelled) -> AgentTold:
    return AgentTold(**await tools.register_agent(asked, caller))


async def finish_session(asked: FinishSession, caller: Caller, travelled: Travelled) -> SessionFinished:
    """End a window, and leave a hand-over for the next one of its effort."""
    work = caller.services.get(Work)
    live = await work.ready()
    named = (asked.session_id, "")
    window = live.windows.get(named) or next(
        (each for each in live.windows.values() if each.window_id == asked.session_id), None
    )
    if window is None:
        raise NotFound(f"No window {asked.session_id} of an active effort is known.")
    if window.ended:
        raise AlreadyEnded(f"The window {window.window_id} ended before. Nothing was changed.")
    effort = live.efforts[window.effort_id]
    if asked.dehydrated_context.strip():
        actor = await work.actor(caller, session_id=window.conversation)
        await work.efforts.dehydrate(effort, asked.dehydrated_context, (), (), actor)
    at = caller.now()
    await work.ground.store.write(lambda tx: tables.end_window(tx, effort.id, window.window_id, at))
    window.ended = True
    return SessionFinished(session_id=window.window_id, effort_id=effort.id)


EFFORTS: tuple[Method[Any], ...] = (
    Method("effort.start", "Start an effort.", tools.Start, EffortShown, _of(tools.start), changes=True),
    Method("effort.phase", "Enter a phase.", tools.EnterPhase, EffortShown, _of(tools.enter_phase), changes=True),
    Method("effort.log", "Add to the log.", tools.AddLog, EffortShown, _of(tools.add_log), changes=True, in_pause=True),
    Method(
        "effort.dehydrate",
        "Leave a hand-over for the next window.",
        tools.Dehydrate,
        EffortShown,
        _of(tools.dehydrate),
        changes=True,
    ),
    Method("effort.finish", "Finish an effort.", tools.Finish, EffortShown, _of(tools.finish), changes=True),
    Method("effort.list", "Active efforts.", tools.ListEfforts, Efforts, list_efforts),
    Method("effort.show", "One effort.", tools.ShowEffort, EffortWhole, show),
    Method("task.list", "Tasks.", tools.ListTasks, Tasks, list_tasks),
    Method("message.list", "Messages.", tools.ListMessages, Messages, list_messages),
    Method("agent.register", "Name an agent.", tools.RegisterAgent, AgentTold, register, changes=True),
    Method("session.finish", "End a window.", FinishSession, SessionFinished, finish_session, changes=True),
)

METHODS = (*HOOKS, *EFFORTS)
