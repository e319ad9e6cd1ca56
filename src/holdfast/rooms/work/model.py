"""The values of this room.

A task is a folder. An effort is one run of a skill on a task; it lasts over many context windows. A window counts its
own heartbeat: tool calls since the last entry in the effort's log.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from holdfast.ids import NO_CONVERSATION, ConversationId, WindowId

Heartbeat = Literal["off", "warn", "block"]
Lifecycle = Literal["active", "finished"]
EntryKind = Literal["log", "phase", "dehydrate", "finish"]
PendingKind = Literal["handover", "preload", "injection", "skill"]
FROM_REPOSITORY: tuple[PendingKind, ...] = ("preload", "skill")
"""What waits in a file's words: a file to read, and what a skill of the repository says."""
TEXTS: tuple[PendingKind, ...] = ("injection", "skill")
MessageKind = Literal["dialogue", "failure", "teammate_idle", "task_created", "task_completed", "note"]


class Phase(Struct, frozen=True):
    """One phase of a skill, as the skill writes it."""

    label: str
    """As people read it: `2: Plan`, or `Plan`."""
    number: str = ""
    """`2`, or `2.1` for a phase inside another."""
    proof: tuple[str, ...] = ()
    """What must be shown before the next phase."""
    commands: tuple[str, ...] = ()
    templates: tuple[str, ...] = ()
    """Files to read when the phase is entered."""
    directives: tuple[str, ...] = ()
    """Sentences for the agent, given when the phase is entered."""

    @property
    def name(self) -> str:
        """The label without its number."""
        return self.label.partition(":")[2].strip() if self.label.startswith(f"{self.number}:") else self.label

    @property
    def is_inner(self) -> bool:
        return "." in self.number


class SkillConfig(Struct, frozen=True, rename="camel"):
    """What a skill says about its efforts, in its front matter or in `effort.toml` beside it."""

    skill: str = ""
    path: str = ""
    """The skill's file; '' when none was found."""
    from_repository: bool = True
    """Its words are the repository's: it is not the user's own, nor of a plugin that the user installed."""
    phases: tuple[Phase, ...] = ()
    modes: tuple[str, ...] = ()
    templates: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    directives: tuple[str, ...] = ()
    next_skills: tuple[str, ...] = ()
    preload: tuple[str, ...] = ()
    """Files that each new window of an effort is given."""
    log_template: str = ""
    heartbeat: Heartbeat = "warn"
    block_after: int = 10
    starts_effort: bool = False
    """Its slash command starts an effort."""


class Task(Struct, frozen=True):
    """A folder in which efforts are made. The fields are named as the columns of its table."""

    id: str
    project_id: str
    dir_path: str
    title: str
    keywords: str
    created_at: int


class Effort(Struct, frozen=True):
    """One run of a skill. The fields are named as the columns of its table, but `config` and the lists are values."""

    id: str
    project_id: str
    task_id: str
    agent: str
    """`AGENT_ID` of who works on it; '' when it has none."""
    skill: str
    mode: str
    title: str
    ordinal: int
    """The how manieth effort of its task: its documents begin with it."""
    lifecycle: Lifecycle
    phase: str
    heartbeat: Heartbeat
    config: SkillConfig
    directives: tuple[str, ...]
    """Files with directives that were given."""
    loaded_files: tuple[str, ...]
    started_at: int
    updated_at: int
    finished_at: int
    dir_path: str = ""
    """The task's folder."""

    @property
    def is_active(self) -> bool:
        return self.lifecycle == "active"


class EffortWindow(Struct, frozen=True):
    """One context window of an effort."""

    effort_id: str
    window_id: WindowId
    conversation: ConversationId
    agent_id: str
    prev_window_id: WindowId
    heartbeat: int
    context_percent: int
    loaded_files: tuple[str, ...]
    process: int
    started_at: int
    logged_at: int
    ended_at: int
    home: str = ""
    """The daemon that its client speaks to."""


class LogEntry(Struct, frozen=True):
    """One entry of an effort's log."""

    id: str
    effort_id: str
    kind: EntryKind
    phase: str
    text: str
    happened_at: int
    conversation: ConversationId = NO_CONVERSATION
    agent_id: str = ""
    proof: str = ""


class Pending(Struct, frozen=True):
    """What waits to be given once."""

    id: str
    effort_id: str
    not_in: str
    kind: PendingKind
    path: str
    text: str
    made_at: int


class Message(Struct, frozen=True):
    id: str
    project_id: str
    effort_id: str
    conversation: ConversationId
    kind: MessageKind
    sender: str
    recipient: str
    text: str
    happened_at: int


class TeamAgent(Struct, frozen=True):
    """An agent with a name, and the one that coordinates it."""

    id: str
    name: str
    label: str
    parent: str
    project_id: str
    created_at: int
    seen_at: int


class EffortHandover(Struct, frozen=True):
    """What a window leaves for the next one of its effort."""

    text: str = ""
    next_steps: tuple[str, ...] = ()
    files: tuple[str, ...] = field(default_factory=tuple)
