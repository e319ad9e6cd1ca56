"""The values of this room. No behaviour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["edit", "command", "read", "search", "web", "test", "build", "agent", "other"]
"""What an observation is of."""
Trust = Literal["user", "agent", "repository", "tool", "web"]
"""Who wrote the words that are kept. Only `user` and `agent` may become a memory, a value or a guard (SEC-6)."""
Outcome = Literal["", "passed", "failed"]
"""'' where there is nothing to pass or fail."""
Family = Literal["prompt", "observation", "summary", "memory"]
Level = Literal["turn", "session", "agent"]
Place = Literal["brief", "recall", "file"]
"""Where something was given to the model."""


@dataclass(frozen=True, slots=True)
class Draft:
    """An observation as an event tells it, before it has a session and a number."""

    kind: Kind
    tool: str
    title: str
    outcome: Outcome = ""
    trust: Trust = "tool"
    files: tuple[str, ...] = ()
    """Inside the worktree relative to it, elsewhere as they were named."""
    command: str = ""
    excerpt: str = ""


@dataclass(frozen=True, slots=True)
class Prompt:
    """What the user said, and as the how-manieth thing in this conversation."""

    id: str
    conversation: str
    prompt_id: str
    """The client's name for it; '' when it gave none."""
    session_id: str
    project_id: str
    number: int
    text: str
    happened_at: int


@dataclass(frozen=True, slots=True)
class Observation:
    """One thing that was done. Its id is that of its journal entry."""

    id: str
    session_id: str
    project_id: str
    prompt_number: int
    kind: Kind
    tool: str
    title: str
    outcome: Outcome
    trust: Trust
    files: tuple[str, ...]
    command: str
    excerpt: str
    commit_hash: str
    happened_at: int


@dataclass(frozen=True, slots=True)
class SummaryContent:
    """What a summary says."""

    title: str
    request: str = ""
    investigated: str = ""
    done: str = ""
    learned: str = ""
    left_open: str = ""
    said: str = ""
    """The agent's last words, a sentence per line; of a session they are with its turns."""
    outcome: Outcome = ""
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Summary:
    """A turn, a session or a subagent's work, summed up. `subject` says of what; there is one summary of each."""

    id: str
    subject: str
    level: Level
    conversation: str
    session_id: str
    project_id: str
    prompt_number: int
    content: SummaryContent
    written_by: str
    """`rules`, `model`, `agent` or `user`; what a user wrote is not written over."""
    happened_at: int


@dataclass(frozen=True, slots=True)
class Memory:
    """What someone asked to be remembered. It stays when observations age out."""

    id: str
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


Item = Prompt | Observation | Summary | Memory


@dataclass(frozen=True, slots=True)
class Superseded:
    """That one thing took the place of another, or that it no longer holds."""

    old_id: str
    new_id: str
    """'' when nothing took its place."""
    reason: str
    by: str
    """`user`, `agent` or `rules`."""
    happened_at: int


@dataclass(frozen=True, slots=True)
class Listener:
    """One agent's context: what was given to it is not given again, until it is lost by a compaction."""

    conversation: str
    agent_id: str
    session_id: str
    lost_at: int = 0

    @property
    def name(self) -> str:
        return f"{self.conversation}/{self.agent_id}" if self.agent_id else self.conversation


@dataclass(frozen=True, slots=True)
class Given:
    """One thing in one answer: what, how it scored, and what it cost."""

    item_id: str
    text: str
    tokens: int
    score: float = 0.0
    parts: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Injection:
    """That something was given to an agent: at which event, where, and why."""

    entry_id: str
    item_id: str
    place: Place
    about: str
    """The file, for a file's history."""
    conversation: str
    agent_id: str
    score: float
    parts: dict[str, float]
    tokens: int
    happened_at: int


@dataclass(frozen=True, slots=True)
class Found:
    """One line of a search: enough to choose by."""

    id: str
    family: Family
    kind: str
    title: str
    project_id: str
    session_id: str
    happened_at: int
    outcome: Outcome = ""
    trust: Trust = "agent"
    superseded_by: str | None = None
    """None: it holds. '': it does not, and nothing took its place."""
    page_changed: bool = False
    """It cites a web page that is another one now."""
    score: float = 0.0
    parts: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class CitedPage:
    """A web page as it was when a thing was made from it."""

    url: str
    version: str
    changed_at: int = 0
    """When the page was found to be another one; 0 while it is not."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The journal entry that a thing was made from."""

    entry_id: str
    event: str
    source: str
    tool: str
    happened_at: int
    scrubbed: tuple[str, ...]
    cut_bytes: int


@dataclass(frozen=True, slots=True)
class Explained:
    """All that is known about how a thing came to be kept and shown."""

    item: Item
    family: Family
    project: str
    conversation: str
    origin: Origin | None
    prompt: Prompt | None
    """What the user had asked for when it happened."""
    shown: tuple[Injection, ...] = ()
    superseded: Superseded | None = None
    supersedes: tuple[Superseded, ...] = ()
    pages: tuple[CitedPage, ...] = ()
