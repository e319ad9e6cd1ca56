"""The status of an agent, as the events tell it. Pure: an agent, an event and a moment give the agent after it.

error > attention > working > checked > done. A person is needed by an error that ended a turn and by a question; an
idle prompt is no need. What the client does not tell by events (Esc fires none, 2.1.325) comes from its own list of
sessions or from the plugin's mod: `after_client`, `after_turn`. Nothing is guessed from a transcript.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from holdfast.events.event import (
    Elicitation,
    ElicitationResult,
    Event,
    Notification,
    PermissionDenied,
    PermissionRequest,
    PostToolUse,
    PostToolUseFailure,
    PreToolUse,
    SessionEnd,
    SessionStart,
    Stop,
    StopFailure,
    SubagentStart,
    SubagentStop,
    ToolEvent,
    UserPromptSubmit,
)
from holdfast.rooms.fleet.following import teams, words
from holdfast.rooms.fleet.model import Agent, AgentStatus, AskKind, CallUnderWay, ClientSession, WaitsFor
from holdfast.times import MINUTE_US

STALE_US = 5 * MINUTE_US
JUST_US = 2 * 1_000_000
"""How much younger than an event the client's own list must be to overrule it."""
_OUT_OF_ORDER_US = MINUTE_US
"""Events of this moment come side by side, but not so far apart."""
_MOST_CALLS = 32
_NEEDS = frozenset({"permission_prompt", "elicitation_dialog", "agent_needs_input", "worker_permission_prompt"})
"""Notifications that call for a person. `idle_prompt` does not: the agent is done, and that is its status."""
_ANSWERS = frozenset({"elicitation_response", "elicitation_complete"})
_GOES_ON = ("clear", "resume")
"""A session that ended so goes on in the same terminal under another id."""


def after(agent: Agent, event: Event, at: int, *, other_asks: bool = False, is_live: bool = False) -> Agent:
    """The agent after an event of its own. `other_asks`: another agent of the conversation waits for a person.
    `is_live`: the event comes at this moment, so one that seems much older tells that the clock was set back."""
    if is_live and agent.last_at - at > _OUT_OF_ORDER_US:
        agent = _moved(agent, agent.last_at - at)
    rule = _RULES.get(type(event))
    is_late = at < agent.last_at
    if rule is None or (is_late and not isinstance(event, ToolEvent)):
        return agent if is_late else replace(agent, last_at=at)
    if isinstance(event, Notification) and other_asks and not agent.asks:
        return replace(agent, last_at=at)  # the dialog is the other one's: the notification names no agent
    changed = rule(agent, event, at)
    return changed if is_late else settled(replace(changed, last_at=at), at)


def only_heard(agent: Agent, event: Event, at: int) -> Agent | None:
    """The agent after a call of a tool that changes nothing of it that is stored, which is nearly always; else None."""
    if type(event) is not PostToolUse or event.tool_name in teams.TOOLS or at < agent.last_at:
        return None
    if agent.status != "working" or not agent.in_turn or agent.needs or agent.asks or agent.failed or agent.ended_at:
        return None
    return replace(agent, calls=_without(agent, event) if agent.calls else (), last_at=at)


def _moved(agent: Agent, by: int) -> Agent:
    """The agent with all its moments so much earlier: their order stays."""
    times = {
        name: max(0, getattr(agent, name) - by) for name in ("last_at", "failed_at", "idle_at", "seen_at", "since")
    }
    return replace(agent, asks=tuple(replace(ask, at=max(0, ask.at - by - 1)) for ask in agent.asks), **times)


def settled(agent: Agent, at: int) -> Agent:
    """The agent with the status, the need and the moment that follow from the rest."""
    status, needs = status_of(agent), needs_of(agent)
    if status == agent.status and needs == agent.needs:
        return agent
    is_new = status != agent.status or status in ("error", "attention")
    return replace(agent, status=status, needs=needs, since=at if is_new else agent.since)


def status_of(agent: Agent) -> AgentStatus:
    if agent.ended_at:
        return "done"
    if agent.failed and agent.failed_at > agent.seen_at:
        return "error"
    if agent.asks:
        return "attention" if agent.asks[-1].at > agent.seen_at else "checked"
    if agent.in_turn or agent.background or agent.team:
        return "working"
    return "checked" if agent.seen_at and agent.seen_at >= agent.idle_at else "done"


def needs_of(agent: Agent) -> str:
    """It stays when a person has looked: looking is not answering."""
    if agent.ended_at:
        return ""
    if agent.failed == "turn":
        return agent.failure
    if not agent.asks:
        return ""
    more = f" (and {len(agent.asks) - 1} more)" if len(agent.asks) > 1 else ""
    return agent.asks[0].what + more


def calls_for_person(agent: Agent) -> bool:
    """Is this worth a notification? A tool that failed is the agent's own business, a report owed is its lead's."""
    if agent.status == "error":
        return agent.failed == "turn"
    return agent.status == "attention" and any(ask.kind != "report" for ask in agent.asks)


def is_stale(agent: Agent, now: int) -> bool:
    return not agent.ended_at and now - agent.last_at >= STALE_US


def seen(agent: Agent, at: int) -> Agent:
    """A person looked."""
    return settled(replace(agent, seen_at=max(at, agent.last_at, agent.seen_at)), at)


# --- what a session does


def _starts(agent: Agent, event: SessionStart, at: int) -> Agent:
    if event.source == "compact":  # in the middle of a turn, or at the prompt: it goes on as it was
        return agent
    return replace(_rested(agent, at), background=0, team=0, failed="", failure="", message="", ended_at=0, ended_by="")


def _prompted(agent: Agent, event: UserPromptSubmit, at: int) -> Agent:
    return _at_work(replace(agent, calls=(), asks=(), message=""))


def _stops(agent: Agent, event: Stop, at: int) -> Agent:
    """A Stop with background tasks is not idle. A teammate is in that list also while it is idle (2.1.325), so
    teammates count by their own status (`team`)."""
    tasks = [each for each in event.background_tasks or () if isinstance(each, dict)]
    running = [each for each in tasks if each.get("status") in (None, "running") and each.get("type") != "teammate"]
    return replace(_rested(agent, at), background=len(running), failed="", failure="", message="")


def _fails_to_answer(agent: Agent, event: StopFailure, at: int) -> Agent:
    reason = words.turn_failure(event.error, event.error_details or event.last_assistant_message or "")
    return replace(_rested(agent, at), failed="turn", failure=reason, failed_at=at, message="")


def _ends(agent: Agent, event: SessionEnd, at: int) -> Agent:
    return ended(agent, at, event.reason)


def ended(agent: Agent, at: int, by: str) -> Agent:
    rested = _rested(agent, at)
    return settled(replace(rested, background=0, team=0, failed="", failure="", ended_at=at, ended_by=by), at)


def goes_on_elsewhere(agent: Agent) -> bool:
    return agent.ended_by in _GOES_ON


def _agent_starts(agent: Agent, event: SubagentStart, at: int) -> Agent:
    return _at_work(replace(agent, asks=(), message=""))


def _agent_stops(agent: Agent, event: SubagentStop, at: int) -> Agent:
    if agent.kind == "teammate":  # it waits for its lead; `idles` says whether it is free
        return replace(_rested(agent, at), owes=agent.owes and not event.last_assistant_message)
    return replace(_rested(agent, at), ended_at=at, ended_by="done")


def idles(agent: Agent, at: int, open_task: str) -> Agent:
    """A teammate has nothing to do. It is free, unless it still owes a report or a task (`open_task`) is its own."""
    rested = replace(_rested(agent, at), last_at=max(at, agent.last_at), ended_at=0, ended_by="")
    if open_task or agent.owes:
        what = f"idle, but its task is open: {open_task}" if open_task else "idle, but it owes a report"
        rested = replace(rested, asks=(WaitsFor("report", what, at),))
    return settled(rested, at)


def reported(agent: Agent, at: int) -> Agent:
    """A teammate has sent its report, or completed its task."""
    asks = tuple(ask for ask in agent.asks if ask.kind != "report")
    return settled(replace(agent, owes=False, asks=asks), at)


def with_team(agent: Agent, working: int, at: int) -> Agent:
    """The lead waits for its teammates."""
    return agent if agent.team == working else settled(replace(agent, team=working), at)


# --- tools


def _uses(agent: Agent, event: PreToolUse, at: int) -> Agent:
    about = words.about(event.tool_name, event.arguments)
    call = CallUnderWay(event.tool_use_id or "", event.tool_name, about)
    calls = (*agent.calls[-_MOST_CALLS:], call) if call.id else agent.calls
    doing = f"{event.tool_name}: {about}" if about else event.tool_name
    is_question = event.tool_name in words.QUESTIONS
    if agent.in_turn and not agent.asks and not agent.failed and not agent.ended_at and not is_question:
        return replace(agent, calls=calls, doing=doing)  # nearly always
    asks = _left(agent, event, at)
    changed = _at_work(replace(agent, calls=calls, doing=doing, asks=asks, message=""))
    if is_question:
        return _asking(changed, "question", words.question(event.tool_name, event.arguments), at, call)
    return changed


def _used(agent: Agent, event: PostToolUse | PermissionDenied, at: int) -> Agent:
    calls = _without(agent, event)
    if agent.in_turn and not agent.asks and not agent.failed and not agent.ended_at:
        return replace(agent, calls=calls)
    return _at_work(replace(agent, calls=calls, asks=_left(agent, event, at), message=""))


def _failed(agent: Agent, event: PostToolUseFailure, at: int) -> Agent:
    """A message, and an error only until the next event of a tool."""
    said = words.tool_failure(event.tool_name, event.error)
    changed = _at_work(replace(agent, calls=_without(agent, event), asks=_left(agent, event, at)))
    if event.is_interrupt:
        return interrupted(changed, at)
    return replace(changed, failed="tool", failure=said, failed_at=at, message=said)


def _without(agent: Agent, event: ToolEvent) -> tuple[CallUnderWay, ...]:
    return tuple(call for call in agent.calls if call.id != event.tool_use_id)


def _left(agent: Agent, event: ToolEvent, at: int) -> tuple[WaitsFor, ...]:
    """The questions that this event leaves open. The next event of a tool answers them, unless it is of a call that was
    under way beside the one that asks."""
    if not agent.asks:
        return ()
    return tuple(
        ask for ask in agent.asks if at <= ask.at or (event.tool_use_id in ask.beside and event.tool_use_id != ask.call)
    )


def _at_work(agent: Agent) -> Agent:
    return replace(agent, in_turn=True, failed="", failure="", ended_at=0, ended_by="")


def _rested(agent: Agent, at: int) -> Agent:
    """The turn is over."""
    return replace(agent, in_turn=False, idle_at=at, asks=(), calls=(), doing="")


# --- questions


def _asks_permission(agent: Agent, event: PermissionRequest, at: int) -> Agent:
    about = words.about(event.tool_name, event.arguments)
    waiting = [call for call in agent.calls if call.tool == event.tool_name]
    taken = {ask.call for ask in agent.asks}
    same = [call for call in waiting if call.about == about and call.id not in taken] or waiting
    if event.tool_name in words.QUESTIONS:
        kind: AskKind = "question"
        what = words.question(event.tool_name, event.arguments)
    else:
        kind, what = "permission", words.permission(event.tool_name, about)
    return _asking(agent, kind, what, at, same[0] if same else None)


def _notified(agent: Agent, event: Notification, at: int) -> Agent:
    kind = event.notification_type
    if kind is None:  # clients before 2.0.37 tell it in words only
        kind = "permission_prompt" if "permission" in event.message else "idle_prompt"
    if kind == "idle_prompt":
        if not agent.in_turn and not agent.asks:
            return agent
        return interrupted(agent, at)  # it waits at its prompt, and no Stop came
    if kind in _ANSWERS:
        return replace(agent, asks=tuple(ask for ask in agent.asks if ask.kind != "question" or ask.call))
    if kind not in _NEEDS or agent.asks:
        return agent
    return _asking(agent, "notice", words.short(event.message or "it needs you"), at, None)


def _elicits(agent: Agent, event: Elicitation, at: int) -> Agent:
    server = event.mcp_server_name or "an MCP server"
    return _asking(agent, "question", words.short(f"{server} asks: {event.message or ''}"), at, None)


def _elicited(agent: Agent, event: ElicitationResult, at: int) -> Agent:
    return replace(agent, asks=tuple(ask for ask in agent.asks if ask.kind != "question" or ask.call))


def _asking(agent: Agent, kind: AskKind, what: str, at: int, call: CallUnderWay | None) -> Agent:
    own = call.id if call else ""
    if own and any(ask.call == own for ask in agent.asks):
        return agent  # AskUserQuestion is told as a call and as a request
    beside = tuple(each.id for each in agent.calls if each.id != own)
    return replace(_at_work(agent), asks=(*agent.asks, WaitsFor(kind, what, at, own, beside)))


# --- what no event tells


def interrupted(agent: Agent, at: int) -> Agent:
    """The turn ended without a Stop."""
    return settled(replace(_rested(agent, at), failed="", failure="", message="interrupted"), at)


def after_turn(agent: Agent, reason: str, at: int) -> Agent:
    """The plugin's mod tells that a turn of the main agent is over. A Stop or StopFailure may have told it before."""
    if not agent.in_turn or agent.last_at > at:
        return agent
    if reason == "error":
        failure = words.turn_failure("unknown", "")
        return settled(replace(_rested(agent, at), failed="turn", failure=failure, failed_at=at), at)
    return interrupted(agent, at)


def after_client(agent: Agent, told: ClientSession, at: int) -> Agent:
    """What the client's own list says of a conversation, asked at `at`, corrects what events left open."""
    if agent.ended_at or at - agent.last_at < JUST_US:
        return agent
    asks = tuple(ask for ask in agent.asks if ask.kind == "report")
    match told.status:
        case "idle" if agent.in_turn and agent.kind == "subagent":
            return ended(agent, at, "interrupted")
        case "idle" if agent.in_turn:
            return interrupted(agent, at)
        case "idle" | "busy" if agent.asks != asks:  # no dialog is open any more
            return settled(replace(agent, asks=asks), at)
        case "busy" if agent.kind == "main" and not _is_known_busy(agent) and agent.failed != "turn":
            return settled(_at_work(agent), at)  # not a failed turn: a list that lags would hide the error
        case "waiting" if agent.kind == "main" and not agent.asks:
            return settled(_asking(agent, "notice", words.short(told.waiting_for or "it needs you"), at, None), at)
    return agent


def _is_known_busy(agent: Agent) -> bool:
    return bool(agent.in_turn or agent.background or agent.team)


_RULES: dict[type[Event], Callable[[Agent, Any, int], Agent]] = {
    SessionStart: _starts,
    SessionEnd: _ends,
    UserPromptSubmit: _prompted,
    PreToolUse: _uses,
    PostToolUse: _used,
    PostToolUseFailure: _failed,
    PermissionRequest: _asks_permission,
    PermissionDenied: _used,
    Notification: _notified,
    Elicitation: _elicits,
    ElicitationResult: _elicited,
    Stop: _stops,
    StopFailure: _fails_to_answer,
    SubagentStart: _agent_starts,
    SubagentStop: _agent_stops,
}
