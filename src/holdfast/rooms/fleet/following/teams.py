"""What a lead's tools say of its team: who was started, who got a message, whose task it is. Pure; read in 2.1.325."""

from __future__ import annotations

from typing import Any, NamedTuple

from holdfast.events.event import PostToolUse, TaskEvent
from holdfast.rooms.fleet.following.words import short

TOOLS = frozenset({"Agent", "Task", "SendMessage", "TaskUpdate"})
_LEAD = "team-lead"


class TeammateStarted(NamedTuple):
    """An agent that another one has just started."""

    agent_id: str
    agent_type: str
    name: str
    is_teammate: bool
    in_background: bool


class Assigned(NamedTuple):
    """What happened to a task."""

    task_id: str
    assignee: str
    is_done: bool


def started(event: PostToolUse) -> TeammateStarted | None:
    if event.tool_name not in ("Agent", "Task"):
        return None
    told = event.tool_response if isinstance(event.tool_response, dict) else {}
    status, agent_id = told.get("status"), _text(told.get("agentId") or told.get("agent_id"))
    if status not in ("async_launched", "teammate_spawned") or not agent_id:
        return None  # one that has completed was known by its own events
    is_teammate = status == "teammate_spawned"
    kind = _text(told.get("agent_type")) or _text(event.arguments.get("subagent_type"))
    return TeammateStarted(agent_id, kind, _text(told.get("name")) if is_teammate else "", is_teammate, True)


def messaged(event: PostToolUse) -> str:
    """The name of the one that got a message; '' when none was sent."""
    told = event.tool_response if isinstance(event.tool_response, dict) else {}
    if event.tool_name != "SendMessage" or told.get("success") is False:
        return ""
    return _text(event.arguments.get("to") or event.arguments.get("recipient")) or _LEAD


def assigned(event: PostToolUse) -> Assigned | None:
    if event.tool_name != "TaskUpdate":
        return None
    told = event.arguments
    task_id = _text(told.get("taskId"))
    return (
        Assigned(task_id, _text(told.get("owner")), told.get("status") in ("completed", "deleted")) if task_id else None
    )


def subject(event: TaskEvent) -> str:
    return short(event.task_subject or event.task_description or "")


def _text(value: Any) -> str:
    return value.strip()[:128] if isinstance(value, str) else ""
