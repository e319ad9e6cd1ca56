"""The values of this room. No behaviour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from holdfast.ids import ClientPromptId, ConversationId, ItemId, WindowId
from holdfast.items.indexed import Family, Trust

ObservationKind = Literal["edit", "command", "read", "search", "web", "test", "build", "agent", "other"]
"""What an observation is of."""
Ended = Literal["", "passed", "failed"]
"""'' where there is nothing to pass or fail."""
FamilyName = Literal["prompt", "observation", "summary", "memory"]
SummaryLevel = Literal["turn", "session", "agent"]

LIGHT = ("read", "search")
"""Kinds of which only the title is kept: what was read is in the repository, and reading is no news."""
MEMORIES = "memories"
"""The type of context that all of them are."""
_TELLING = ("edit", "test", "build", "command", "web", "agent", "other")
FAMILIES = (
    Family("memory", "m", unasked=("memory",), remembered=True, context_type=MEMORIES),
    Family("summary", "s", unasked=("summary",), sums_up=True, context_type=MEMORIES),
    Family("prompt", "p", unasked=("prompt",), last_resort=True, context_type=MEMORIES),
    Family("observation", "o", kinds=(*_TELLING, *LIGHT), unasked=_TELLING, most_of_a_session=2, context_type=MEMORIES),
)
"""Reads and searches are found only by those who look for them. A prompt of which nothing came is given only where
nothing else fits. Of the observations of a session two are given; its summary says the rest."""


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """A part of a command line that can pass or fail, or that settles something: a test, a build, a push, a commit."""

    kind: str
    """`test`, `build`, `lint`, `types`, `format`, `deploy`, `push` or `commit`."""
    tool: str
    title: str
    outcome: Ended = ""
    """'' when nobody can tell."""
    paths: tuple[str, ...] = ("",)
    narrowed: str = ""
    """`paths` and `narrowed` are its scope (`shell.scope`)."""


@dataclass(frozen=True, slots=True)
class Draft:
    """An observation as its event describes it, before it has a session and a number."""

    kind: ObservationKind
    tool: str
    title: str
    outcome: Ended = ""
    trust: Trust = "tool"
    files: tuple[str, ...] = ()
    """Inside the worktree relative to it, elsewhere as they were named."""
    command: str = ""
    excerpt: str = ""
    runs: tuple[RecordedRun, ...] = ()


@dataclass(frozen=True, slots=True)
class Prompt:
    """What the user asked, and its number in the conversation."""

    id: ItemId
    conversation: ConversationId
    prompt_id: ClientPromptId
    """'' when the client gave it none."""
    window_id: WindowId
    project_id: str
    number: int
    text: str
    happened_at: int


@dataclass(frozen=True, slots=True)
class Observation:
    """One action of an agent. It has the id of its journal entry."""

    id: ItemId
    window_id: WindowId
    project_id: str
    prompt_number: int
    kind: ObservationKind
    tool: str
    title: str
    outcome: Ended
    trust: Trust
    files: tuple[str, ...]
    command: str
    excerpt: str
    commit_hash: str
    happened_at: int
    branch: str = ""
    """The branch it was done on; '' outside git."""
    runs: tuple[RecordedRun, ...] = ()
    """The parts of a command line that can pass or fail, in their order."""


@dataclass(frozen=True, slots=True)
class SummaryContent:
    """The text of a summary."""

    title: str
    request: str = ""
    investigated: str = ""
    done: str = ""
    learned: str = ""
    left_open: str = ""
    said: str = ""
    """The agent's last words, a sentence per line; of a session they are with its turns."""
    outcome: Ended = ""
    files: tuple[str, ...] = ()
    branch: str = ""
    """The branch that the work was done on; '' outside git, or when nothing was done."""
    runs: tuple[RecordedRun, ...] = ()
    """How each run ended, the last of its kind only."""


@dataclass(frozen=True, slots=True)
class Summary:
    """The summary of a turn, a session or a subagent's work. `subject` names what it is of; each subject has one
    summary.
    """

    id: ItemId
    subject: str
    level: SummaryLevel
    conversation: ConversationId
    window_id: WindowId
    project_id: str
    prompt_number: int
    content: SummaryContent
    written_by: str
    """`rules`, `model`, `agent` or `user`; what a user wrote is not written over."""
    happened_at: int
    worth: int = -1
    """As it is stored, in thousandths; -1 when it was not rated."""
    replaced: bool = False
    """Newer work took its place; what it left open is open still."""


@dataclass(frozen=True, slots=True)
class Memory:
    """What someone asked to remember. It stays when observations age out."""

    id: ItemId
    owner: str
    project_id: str
    """'' for all projects of its owner."""
    title: str
    text: str
    tags: tuple[str, ...]
    files: tuple[str, ...]
    trust: Trust
    source: str
    """The journal entry, tool or import that it came from; '' for a person's own words."""
    created_at: int
    updated_at: int


MemoryItem = Prompt | Observation | Summary | Memory
