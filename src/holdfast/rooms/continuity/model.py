"""The values of this room.

A story is what a conversation was about: facts, each of one kind, in the order of time. A stand is a story at one
moment, as a checkpoint keeps it.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from holdfast.ids import NO_CONVERSATION, NO_ENTRY, ConversationId, EntryId, ItemId, WindowId
from holdfast.items.indexed import Family

CHECKPOINT = Family("checkpoint", "c")
DEBRIEF = Family("debrief", "d", unasked=("debrief",), remembered=True, context_type="memories")
"""The outcome of a session, in the words of who ended it: given to an agent that did not ask."""

FactKind = Literal[
    "correction", "request", "decision", "dead_end", "run", "file", "identifier", "next_step", "question", "finding"
]
Reason = Literal["threshold", "compact", "clear", "end", "request", "crash"]
DetailLevel = Literal["summary", "context", "full"]
CompactionMode = Literal["client", "both", "holdfast"]
SessionOutcome = Literal["success", "failure", "partial"]


class StoryFact(Struct, frozen=True):
    """One thing that must not be lost, in the words it was said or done."""

    kind: FactKind
    text: str
    at: int
    subject: str = ""
    """What it is about (a file, a run): a later fact about the same takes its place. '' never is replaced."""
    outcome: str = ""
    """Of a run: passed or failed. Of a file: edited, created or read."""
    entry_id: EntryId = NO_ENTRY
    by: Literal["user", "agent", "tool"] = "agent"


class FileState(Struct, frozen=True):
    """A file that the conversation changed, as it was when the checkpoint was made."""

    path: str
    change: str = "edited"
    sha256: str = ""
    """'' when it was not there or could not be read."""
    bytes: int = 0


class RunState(Struct, frozen=True):
    """The last run of a test, a build or a command, and its outcome."""

    title: str
    outcome: str


class Stand(Struct, frozen=True):
    """Where a conversation stood. Every text is as it was said."""

    request: str = ""
    corrections: tuple[str, ...] = ()
    requests: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    dead_ends: tuple[str, ...] = ()
    findings: tuple[str, ...] = ()
    runs: tuple[RunState, ...] = ()
    files: tuple[FileState, ...] = ()
    identifiers: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    last_said: str = ""
    folder: str = ""
    branch: str = ""
    effort: str = ""
    phase: str = ""
    ghap: str = ""
    context_tokens: int | None = None
    window_tokens: int | None = None
    note: str = ""
    """What the one who asked for the checkpoint wrote."""

    @property
    def failing(self) -> tuple[RunState, ...]:
        return tuple(run for run in self.runs if run.outcome == "failed")


class Checkpoint(Struct, frozen=True):
    """A stand that is kept. The fields are named as the columns of its table."""

    id: ItemId
    project_id: str
    conversation: ConversationId
    window_id: WindowId
    entry_id: EntryId
    reason: str
    auto_created: int
    threshold: int
    title: str
    stand: str
    """A `Stand`, as JSON."""
    files: str
    """The paths in it, as a JSON list."""
    digest: str
    made_at: int


class Debrief(Struct, frozen=True):
    """The outcome of a session. The fields are named as the columns of its table."""

    id: ItemId
    project_id: str
    conversation: ConversationId
    task: str
    approach: str
    outcome: str
    tags: str
    notes: str
    trust: Literal["user", "agent"]
    made_at: int


class Handover(Struct, frozen=True):
    """What an agent leaves for the next session."""

    id: str
    project_id: str
    conversation: ConversationId
    content: str
    """A `HandoverText`, as JSON."""
    files: str
    """The paths in it, as a JSON list."""
    made_at: int
    given_to: str | None = None
    given_at: int | None = None


class HandoverText(Struct, frozen=True, omit_defaults=True):
    """The words of a hand-over."""

    summary: str = ""
    last_action: str = ""
    next_steps: tuple[str, ...] = ()
    handover: str = ""
    required_files: tuple[FileState, ...] = ()
    user_history: str = ""
    effort: str = ""
    """The skill whose effort was active."""
    documents: tuple[str, ...] = ()
    """Names of that effort's documents."""
    built: bool = False
    """Nobody wrote it: it was made from the journal."""


class Compaction(Struct, frozen=True):
    """What a compaction dropped, and what was given back."""

    id: str
    project_id: str
    conversation: ConversationId
    window_id: WindowId
    """The window that was compacted."""
    way: str
    trigger: str
    summary: str
    lost: str
    """A JSON list of lines: what the summary does not say."""
    given: str
    """What was given back, in the words it was given."""
    made_at: int


class Measured(Struct, frozen=True):
    """How full a window is."""

    tokens: int
    window: int
    model: str = ""
    messages: int = 0

    @property
    def percent(self) -> int:
        return min(100, round(100 * self.tokens / self.window)) if self.window > 0 else 0


class StatusLine(Struct, frozen=True):
    """What the client's status line tells about a conversation."""

    conversation: ConversationId = NO_CONVERSATION
    model: str = ""
    model_name: str = ""
    window: int = 0
    tokens: int | None = None
    limits: tuple[tuple[str, float], ...] = field(default_factory=tuple)
    """Name and used per cent of the user's rate limits, where the client tells them."""
