"""What arrives: one type for each of the 33 events of Claude Code 2.1.325. Values only, no behaviour.

A field the client may leave out has a default. Fields nobody knew when this page was written stay in `rest`, as do
those of an unexpected type; an event nobody knew is an `UnknownEvent`. All of them travel the road like any other.
"""

from __future__ import annotations

import re
from typing import Any

from msgspec import Struct, field

from holdfast.ids import ConversationId

JsonObject = dict[str, Any]

SELF_TEST = "HoldfastSelfTest"
SELF_TEST_SESSIONS = "5e1f7e57-0000-4000-8000-"
"""Sessions of the real client whose ids begin so are a part of the self-test."""
"""The event by which `holdfast up` proves its way into the journal. It belongs to no session and no project."""

_EXIT_CODE = re.compile(r"Exit code (-?[0-9]{1,9})[ \r]*(?:\n|\Z)")


class Event(Struct, frozen=True, kw_only=True):
    """The fields that every event may carry."""

    session_id: ConversationId = ConversationId("")
    transcript_path: str = ""
    cwd: str = ""
    hook_event_name: str = ""
    prompt_id: str | None = None
    permission_mode: str | None = None
    effort: JsonObject | None = None
    agent_id: str | None = None
    agent_type: str | None = None
    rest: JsonObject = field(default_factory=dict)


def is_self_test(event: Event) -> bool:
    """Is this of `holdfast up` itself? Then it belongs to no session and no project."""
    return event.hook_event_name == SELF_TEST or event.session_id.startswith(SELF_TEST_SESSIONS)


class UnknownEvent(Event, frozen=True, kw_only=True):
    """An event of a newer client. What is its own is in `rest`."""


class SessionStart(Event, frozen=True, kw_only=True):
    """A window opens: startup, resume, clear, compact or fork. The first turn waits for the answer."""

    source: str = "startup"
    model: str | None = None
    session_title: str | None = None
    seconds_since_last_response: float | None = None
    context_tokens: int | None = None
    prompt_cache_likely_expired: bool | None = None
    estimated_cache_write_usd: float | None = None


class Setup(Event, frozen=True, kw_only=True):
    trigger: str = ""


class SessionEnd(Event, frozen=True, kw_only=True):
    reason: str = "other"


class UserPromptSubmit(Event, frozen=True, kw_only=True):
    """A prompt, or (EVT-11) the notice that a background task is done, which no user wrote."""

    prompt: str = ""

    @property
    def is_notification(self) -> bool:
        return self.prompt.lstrip().startswith("<task-notification>")


class UserPromptExpansion(Event, frozen=True, kw_only=True):
    expansion_type: str | None = None
    command_name: str | None = None
    command_args: str | None = None
    command_source: str | None = None
    prompt: str = ""


class ToolEvent(Event, frozen=True, kw_only=True):
    """What the events about one tool call share."""

    tool_name: str = ""
    tool_input: Any = None
    tool_use_id: str | None = None
    mcp_server: JsonObject | None = None

    @property
    def arguments(self) -> JsonObject:
        return self.tool_input if isinstance(self.tool_input, dict) else {}


class PreToolUse(ToolEvent, frozen=True, kw_only=True):
    pass


class PostToolUse(ToolEvent, frozen=True, kw_only=True):
    """The tool passed. Its exit code is not told; a failing command is a PostToolUseFailure (EVT-13)."""

    tool_response: Any = None
    duration_ms: float | None = None


class PostToolUseFailure(ToolEvent, frozen=True, kw_only=True):
    """The tool failed. For Bash the first line of `error` is `Exit code N`."""

    error: str = ""
    is_interrupt: bool = False
    duration_ms: float | None = None

    @property
    def exit_code(self) -> int | None:
        found = _EXIT_CODE.match(self.error)
        return int(found[1]) if found else None


class PermissionRequest(ToolEvent, frozen=True, kw_only=True):
    permission_suggestions: list[Any] | None = None


class PermissionDenied(ToolEvent, frozen=True, kw_only=True):
    reason: str | None = None


class PostToolBatch(Event, frozen=True, kw_only=True):
    tool_calls: list[JsonObject] = field(default_factory=list)


class Notification(Event, frozen=True, kw_only=True):
    message: str = ""
    notification_type: str | None = None
    title: str | None = None


class MessageDisplay(Event, frozen=True, kw_only=True):
    turn_id: str | None = None
    message_id: str | None = None
    index: int = 0
    final: bool = True
    delta: str = ""


class Stop(Event, frozen=True, kw_only=True):
    stop_hook_active: bool = False
    last_assistant_message: str | None = None
    background_tasks: list[Any] | None = None
    session_crons: list[Any] | None = None


class SubagentStop(Stop, frozen=True, kw_only=True):
    """A subagent is done. A compaction fires one too, with an empty `agent_type` and no start before it."""

    agent_transcript_path: str | None = None


def agent_of(event: Event) -> str:
    """The agent an event belongs to; '' is the main one. A compaction's SubagentStop has an id but an empty type."""
    if isinstance(event, SubagentStop) and event.agent_type == "":
        return ""
    return event.agent_id or ""


class SubagentStart(Event, frozen=True, kw_only=True):
    pass


class StopFailure(Event, frozen=True, kw_only=True):
    error: str = ""
    error_details: str | None = None
    last_assistant_message: str | None = None


class PreCompact(Event, frozen=True, kw_only=True):
    trigger: str = ""
    custom_instructions: str | None = None


class PostCompact(Event, frozen=True, kw_only=True):
    trigger: str = ""
    compact_summary: str | None = None


class ModelSwitch(Event, frozen=True, kw_only=True):
    """What the two events about a change of model share."""

    from_model: str | None = None
    to_model: str | None = None
    requested_model: str | None = None
    source: str | None = None
    context_tokens: int | None = None
    prompt_cache_warm: bool | None = None
    cache_ttl: str | None = None
    estimated_cache_write_usd: float | None = None
    pricing: Any = None


class PreModelSwitch(ModelSwitch, frozen=True, kw_only=True):
    pass


class PostModelSwitch(ModelSwitch, frozen=True, kw_only=True):
    pass


class TaskEvent(Event, frozen=True, kw_only=True):
    """What the two events about the client's own task list share."""

    task_id: str = ""
    task_subject: str | None = None
    task_description: str | None = None
    teammate_name: str | None = None
    team_name: str | None = None


class TaskCreated(TaskEvent, frozen=True, kw_only=True):
    pass


class TaskCompleted(TaskEvent, frozen=True, kw_only=True):
    pass


class TeammateIdle(Event, frozen=True, kw_only=True):
    teammate_name: str | None = None
    team_name: str | None = None


class Elicitation(Event, frozen=True, kw_only=True):
    mcp_server_name: str | None = None
    message: str | None = None
    mode: str | None = None
    requested_schema: Any = None


class ElicitationResult(Event, frozen=True, kw_only=True):
    mcp_server_name: str | None = None
    mode: str | None = None
    action: str | None = None
    content: Any = None


class ConfigChange(Event, frozen=True, kw_only=True):
    source: str | None = None
    file_path: str | None = None


class WorktreeCreate(Event, frozen=True, kw_only=True):
    """Registering a hook for it replaces git worktrees, so `install` never does; the door still takes it."""

    name: str | None = None


class WorktreeRemove(Event, frozen=True, kw_only=True):
    worktree_path: str | None = None


class InstructionsLoaded(Event, frozen=True, kw_only=True):
    file_path: str | None = None
    memory_type: str | None = None
    load_reason: str | None = None
    parent_file_path: str | None = None
    trigger_file_path: str | None = None
    globs: list[Any] | None = None


class CwdChanged(Event, frozen=True, kw_only=True):
    old_cwd: str | None = None
    new_cwd: str | None = None


class FileChanged(Event, frozen=True, kw_only=True):
    file_path: str | None = None
    event: str | None = None


class DirectoryAdded(Event, frozen=True, kw_only=True):
    directory: str | None = None
    source: str | None = None


EVENTS: dict[str, type[Event]] = {
    kind.__name__: kind
    for kind in (
        *(SessionStart, Setup, SessionEnd, UserPromptSubmit, UserPromptExpansion),
        *(PreToolUse, PostToolUse, PostToolUseFailure, PostToolBatch, PermissionRequest, PermissionDenied),
        *(Notification, MessageDisplay, Stop, StopFailure, SubagentStart, SubagentStop),
        *(PreCompact, PostCompact, PreModelSwitch, PostModelSwitch),
        *(TaskCreated, TaskCompleted, TeammateIdle, Elicitation, ElicitationResult),
        *(ConfigChange, CwdChanged, FileChanged, DirectoryAdded, InstructionsLoaded),
        *(WorktreeCreate, WorktreeRemove),
    )
}
"""The closed list, in the order of a session's life."""
