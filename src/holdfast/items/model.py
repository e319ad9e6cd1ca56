"""The values of items: who was given what, what took the place of what, and where an item came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from holdfast.ids import ConversationId, EntryId, ItemId, ListenerId, listener_id
from holdfast.items.indexed import Indexed, Listed, Saying

Occasion = Literal["brief", "recall", "file", "failure"]
"""When something was given: at a window's start, with a prompt, before a file is used, with a failure. (The column is
`place`.)"""


@dataclass(frozen=True, slots=True)
class Item:
    """One item of any room: the room's own value, its line, and the room that knows the rest."""

    value: Any
    listed: Listed
    room: Indexed = field(repr=False)

    @property
    def id(self) -> ItemId:
        return self.listed.id

    def said(self, how: Saying) -> str:
        return self.room.said(self.value, how)

    def words(self) -> str:
        return self.room.words(self.value)

    def shown_in(self, line: str) -> frozenset[str]:
        """Marks of its sentences that a line shows; none when it has no parts, and the line is all of it."""
        return self.room.shown_in(self.value, line)


@dataclass(frozen=True, slots=True)
class Listener:
    """One agent's context: what was given to it is not given again, until it is lost by a compaction."""

    conversation: ConversationId
    agent_id: str = ""
    """'' for the main agent."""
    lost_at: int = 0

    @property
    def id(self) -> ListenerId:
        return listener_id(self.conversation, self.agent_id)


@dataclass(frozen=True, slots=True)
class Given:
    """One item in one answer: its line, how it scored, and what it cost."""

    item_id: ItemId
    text: str
    tokens: int
    score: float = 0.0
    parts: tuple[tuple[str, float], ...] = ()
    said: frozenset[str] = frozenset()
    """Marks of its sentences that the line shows (`words.mark_of`); empty: the line shows all of it (MEM-20)."""


@dataclass(frozen=True, slots=True)
class Injection:
    """An item was given to an agent: at which event, on which occasion, and why."""

    entry_id: EntryId
    item_id: ItemId
    occasion: Occasion
    about: str
    """The file, for a file's history."""
    conversation: ConversationId
    agent_id: str
    score: float
    parts: Mapping[str, float]
    tokens: int
    happened_at: int


@dataclass(frozen=True, slots=True)
class Superseded:
    """One item replaced another, or it no longer holds."""

    old_id: ItemId
    new_id: ItemId
    """'' when nothing took its place."""
    reason: str
    by: str
    """`user`, `agent` or `rules`."""
    happened_at: int


@dataclass(frozen=True, slots=True)
class Objection:
    """What an agent says against words that outrank its own. They stay in force, and it is shown beside them."""

    item_id: ItemId
    new_id: ItemId
    """What it would put in their place; '' for nothing."""
    reason: str
    by: str
    """`agent` or `rules`."""
    happened_at: int


@dataclass(frozen=True, slots=True)
class CitedPage:
    """A web page as it was when an item was made from it."""

    url: str
    version: str
    changed_at: int = 0
    """When the page was found changed; 0 when it was not."""


@dataclass(frozen=True, slots=True)
class Found:
    """One result of a search or a timeline: its line, its marks, and how it scored."""

    listed: Listed
    superseded_by: ItemId | None = None
    """None: it holds. '': it does not, and nothing took its place."""
    objection: str = ""
    """What an agent says against it; '' when none does."""
    page_changed: bool = False
    """It cites a web page that has changed since."""
    score: float = 0.0
    parts: tuple[tuple[str, float], ...] = ()
    facts: tuple[str, ...] = ()
    """What happened to the files that it names."""
    snippet: str = ""
    """The words of it that answer the search."""
    reason: str = ""
    """Why it was found, where it has none of the words that were asked for."""
    marks: tuple[tuple[int, int], ...] = ()
    """Where the words that were asked for stand in the snippet."""
    same_work: tuple[Listed, ...] = ()
    """Other hits about the same piece of work."""

    @property
    def id(self) -> ItemId:
        return self.listed.id

    @property
    def family(self) -> str:
        return self.listed.family

    @property
    def kind(self) -> str:
        return self.listed.kind

    @property
    def title(self) -> str:
        return self.listed.title

    @property
    def project_id(self) -> str:
        return self.listed.project_id


@dataclass(frozen=True, slots=True)
class Origin:
    """The journal entry that an item was made from."""

    entry_id: EntryId
    event: str
    source: str
    tool: str
    happened_at: int
    scrubbed: tuple[str, ...]
    cut_bytes: int


@dataclass(frozen=True, slots=True)
class Explained:
    """All that is known about how an item came to be kept and shown."""

    item: Item
    project: str
    conversation: ConversationId
    origin: Origin | None
    more: Mapping[str, Any]
    """What else its room says of it, such as the prompt it was done for."""
    shown: tuple[Injection, ...] = ()
    superseded: Superseded | None = None
    objections: tuple[Objection, ...] = ()
    """The newest first."""
    supersedes: tuple[Superseded, ...] = ()
    pages: tuple[CitedPage, ...] = ()
