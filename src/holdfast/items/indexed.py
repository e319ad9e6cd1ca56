"""What a room answers about its items, so that shared code can find, show, explain, correct and forget them.

Shared code knows nothing else about an item; `Any` below is the room's own value. A room whose
items are the rows of one table takes the answers from `table_index.TableIndex`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from holdfast import recall
from holdfast.ids import NO_CONVERSATION, NO_ENTRY, NO_WINDOW, ConversationId, EntryId, ItemId, WindowId
from holdfast.store.interface import Reader, Tx

Trust = Literal["user", "agent", "repository", "tool", "web"]
"""Who wrote the words. A person's outrank an agent's; only these two may become a memory, a value or a guard."""
TRUST_WEIGHTS: Mapping[Trust, float] = {"user": 1.0, "agent": 0.8, "repository": 0.7, "tool": 0.6, "web": 0.4}
"""How much the origin of an item counts when items are ranked."""
Author = Literal["user", "agent"]
"""Who asks for a change."""
END_OF_TIME = 2**62


@dataclass(frozen=True, slots=True)
class Family:
    """One kind of item of a room: `memory`, shown as m3fa9c21b."""

    name: str
    letter: str
    """First character of the short id. No two families share one."""
    kinds: tuple[str, ...] = ()
    """Finer kinds that a search may name (`edit`, `test`); empty: the family's name alone."""
    unasked: tuple[str, ...] = ()
    """Its kinds that may be given to an agent that did not ask. A family without kinds gives its own name."""
    remembered: bool = False
    """Someone asked for it to be kept, so it is given even when its score is far below the best."""
    sums_up: bool = False
    """Its items state the outcome of a stretch of work: they are given when a time is asked for and no subject."""
    last_resort: bool = False
    """It is given only when nothing else fits."""
    most_of_a_session: int = 0
    """At most so many of one session are given together; 0: no limit."""
    context_type: str = ""
    """The type of context that its items are in an assembled one, such as `memories`; '' when they are in none. It is
    asked for, so a family without `unasked` is in it, too."""
    context_weight: float = 1.0
    """The share of this type beside that of others, when a context is filled."""

    @property
    def all_kinds(self) -> tuple[str, ...]:
        return self.kinds or (self.name,)


@dataclass(frozen=True, slots=True)
class Listed:
    """One line of a search: enough to choose by."""

    id: ItemId
    family: str
    kind: str
    title: str
    project_id: str
    """'' for all projects of its owner."""
    happened_at: int
    outcome: str = ""
    trust: Trust = "agent"
    """Who wrote its words. What a user wrote, an agent cannot edit."""
    window_id: WindowId = NO_WINDOW
    """The context window it belongs to; '' when it belongs to none."""
    worth: float = 0.5
    """What it is worth to a later session, from 0 (nothing) to 1. Items of rooms that do not rate them have 0.5."""
    work: str = ""
    """The piece of work it is about, such as one turn. Of several hits with the same work a search shows one."""
    whole_of: str = ""
    """It is about several pieces of work, whose names all begin so: it gives way to any of them."""
    sums_up: bool = False
    """It states the outcome of the piece of work, so that it speaks for the others."""
    asks: bool = False
    """It only asks, or repeats what was asked of memory: in a search it gives way to what answers."""
    branch: str = ""
    """The branch that the work was done on; '' when that is not known, or means nothing."""


@dataclass(frozen=True, slots=True)
class Page:
    """Which items a list shows, in the order of time. Empty filters match everything."""

    limit: int
    since: int = 0
    until: int = END_OF_TIME
    after: str = ""
    """Of the items of the moment `since`, only those with a greater id. Only with `oldest_first`."""
    oldest_first: bool = False
    project_id: str = ""
    family: str = ""
    kind: str = ""
    file: str = ""
    """A pattern for LIKE, over the JSON list of an item's files."""
    conversation: ConversationId = NO_CONVERSATION
    like: str = ""
    """A pattern for LIKE (`!` escapes), over all words of an item in lower case."""


class FileFacts(Protocol):
    """What happened to the files and functions that items name (`staleness.Files`)."""

    def is_there(self, path: str, /) -> bool:
        """Does it still exist, be it under another name?"""
        ...

    def names_there(self, text: str, /) -> float:
        """A factor on the score of an item with these words: below 1 when functions that it names are gone."""
        ...

    def facts(self, files: Sequence[str], since: int, text: str = "", /) -> tuple[str, ...]:
        """What to say about the files of an item of that moment, and about the names in its words."""
        ...


@dataclass(frozen=True, slots=True)
class Saying:
    """How an item's line for an agent is to be written."""

    now: int
    asked: Set[str] = frozenset()
    """Terms of the prompt: the words of the item that have them are shown."""
    short: bool = False
    """Without a quotation: the title, its age and its outcome."""
    stale: bool = False
    objection: str = ""
    """What an agent says against it."""
    page_changed: bool = False
    branch: str = ""
    """The branch that the listener is on; work of another branch is labelled with its own."""
    said: Set[str] = frozenset()
    """Marks of the sentences that the listener was shown already, of any item (`words.mark_of`)."""
    decided: bool = False
    """It is asked what was decided or said: the user's own words answer that, too."""
    why: bool = False
    """It is asked for a cause or a reason."""
    facts: tuple[str, ...] = ()
    """What happened to the files that it names, in words (`staleness`)."""


@dataclass(frozen=True, slots=True)
class Background:
    """How an item came about, for `why`."""

    entry_id: EntryId = NO_ENTRY
    """The journal entry it was made from; '' when there is none."""
    conversation: ConversationId = NO_CONVERSATION
    more: Mapping[str, Any] = field(default_factory=dict)
    """What else the room can say, by name."""


@dataclass(frozen=True, slots=True)
class Start:
    """A context window that begins. The brief is made for it."""

    owner: str
    project_id: str
    now: int
    conversation: ConversationId = NO_CONVERSATION
    lost_at: int = 0
    """The agent still knows what this conversation did after this moment."""
    given: Set[ItemId] = frozenset()
    """Ids that its agent was given already, whole or in part."""
    branch: str = ""
    """The branch that is checked out; '' outside git."""
    said: Set[str] = frozenset()
    """Marks of the sentences that its agent was shown already."""
    files: FileFacts | None = None
    """What happened to the files that items name; None: not known."""
    most: int = 0
    """Somebody asks for so many lines; 0: nobody asked, and each room gives as many as it is set to."""
    has_command: bool = False
    """Its agent can run `holdfast`: a line may name a command."""
    only_open: bool = False
    """Only what is open is wanted, but all of it."""
    transcript: str = ""
    """The path of the client's transcript; '' when it is not known. What the client gives by itself lies beside it."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the brief: lines of items under one headline."""

    headline: str
    lines: Sequence[tuple[ItemId, str]]
    """(item id, line), the most important first. An id may come twice."""
    weight: int = 1
    """The heaviest sections are filled first."""
    share: float = 0.5
    """The part of the tokens still left that it may take."""
    about: Literal["", "work", "open"] = ""
    """Its lines answer who asks what was done last (work, the newest first), or what is open."""


@dataclass(frozen=True, slots=True)
class Change:
    """A correction; None leaves a field as it is."""

    title: str | None = None
    text: str | None = None
    tags: tuple[str, ...] | None = None
    by: Author = "user"
    now: int = 0


class Indexed(Protocol):
    """A room's items, of all its families. Every method takes the owner and gives nothing of another owner."""

    # --- finding and showing

    def item(self, reader: Reader, family: str, item_id: ItemId, owner: str) -> Any | None:
        """The item with this full id, or None."""
        ...

    def by_short(self, reader: Reader, family: str, tail: str, owner: str) -> Sequence[ItemId]:
        """Full ids that end in these eight characters."""
        ...

    def page(self, reader: Reader, wanted: Page, owner: str) -> Sequence[Listed]:
        """Its items in the order of time: for `timeline`, for a search for exact words, and for `reindex`."""
        ...

    def listed(self, item: Any) -> Listed:
        """Its line in a search."""
        ...

    def whole(self, item: Any) -> dict[str, Any]:
        """What people and agents are shown of it, by name, for `show` and `get`. The house adds its ids, its family and
        its time. (`TableIndex` gives its words, its files and who wrote it.)"""
        ...

    def words(self, item: Any) -> str:
        """All its words: what a sentence model is shown, and what `--text` must stand in."""
        ...

    def background(self, reader: Reader, item: Any, owner: str) -> Background:
        """How it came about, for `why`."""
        ...

    # --- the index of recall

    def found_by(self, reader: Reader, item: Any, owner: str) -> recall.Item | None:
        """What the index holds of it; None when it is not to be found."""
        ...

    def count(self, reader: Reader, owner: str) -> int:
        """How many of them the index must hold, at least."""
        ...

    # --- given to an agent that did not ask

    def said(self, item: Any, how: Saying) -> str:
        """Its line as an agent reads it: id, the outcome, age, who wrote it unless the user did."""
        ...

    def shown_in(self, item: Any, line: str) -> frozenset[str]:
        """Marks of those of its sentences that stand in a line; empty when an item is given as a whole."""
        ...

    def instead(self, reader: Reader, item: Any, owner: str) -> Any:
        """The item that is given in its place: of a prompt, the summary of the outcome. Else itself."""
        ...

    def told_anew(self, reader: Reader, items: Sequence[Any], owner: str) -> Mapping[ItemId, Any]:
        """The newer items that are told in the place of its items, by the ids of these: they say otherwise how the same
        thing is now."""
        ...

    def as_told(self, reader: Reader, items: Sequence[Any], owner: str, *, on_request: bool = False) -> Sequence[Any]:
        """Its items that fit a prompt, as they stand now: without those that repeat another one of them, and without
        what was settled since. `on_request`: somebody asked for them, so that what is only kept from those who did not
        is told, too."""
        ...

    def for_start(self, reader: Reader, start: Start) -> Sequence[Section]:
        """Its part of the brief at the start of a context window."""
        ...

    # --- what others told

    def told_by_web(self, reader: Reader, conversation: ConversationId, owner: str, now: int) -> Sequence[str]:
        """What the web told in a conversation ('': lately in any). An agent's words that repeat it are marked."""
        ...

    # --- changing

    def edit(self, tx: Tx, item: Any, change: Change, owner: str) -> Any:
        """Correct it, in this transaction; the result. The house has checked who may, and indexes the result anew."""
        ...

    def remove(self, tx: Tx, ids: Iterable[ItemId], owner: str) -> Sequence[Any]:
        """Remove rows; what was removed. The house removes index entries, injections, supersessions, cited pages."""
        ...

    def after_forget(self, tx: Tx, removed: Sequence[Any], owner: str, now: int) -> None:
        """Correct what was made of removed items (a summary that quoted them)."""
        ...
