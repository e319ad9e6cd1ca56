"""The values of recall: what is indexed, what is asked, what is found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from holdfast.ids import NO_CONVERSATION, NO_LISTENER, ConversationId, ItemId, ListenerId

Success = Literal["ok", "failed", "none"]
END_OF_TIME = 2**62


@dataclass(frozen=True, slots=True)
class Item:
    """One item that can be found. `id` is unique over all rooms; items of one `listener` are neighbours."""

    id: ItemId
    kind: str
    """One lower-case word: memory, observation, summary, prompt, experience, value, commit, …"""
    owner: str
    text: str
    happened_at: int
    project_id: str = ""
    listener: ListenerId = NO_LISTENER
    """The agent whose work it was."""
    title: str = ""
    context: str = ""
    """Words by which it may be found, though they are not its own. Neighbours need not be repeated here."""
    outcome: Success = "none"
    trust: float = 1.0
    """0 to 1, by origin: what a person said is 1, what a tool or the web said is less."""
    superseded: bool = False
    light: bool = False
    """Found only by a search that asks for such items: there are many of them, and each says little."""
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Query:
    """A question. Empty filters match everything; without words, the newest are found."""

    text: str
    owners: tuple[str, ...]
    """Whose items may be seen ('' is what a team shares)."""
    project_ids: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    light: bool = True
    """Also what is light."""
    since: int = 0
    until: int = END_OF_TIME
    conversation: ConversationId = NO_CONVERSATION
    """Only this conversation's, those of its subagents among them."""
    file: str = ""
    """Only what touched this file: a path as indexed, or a bare file name."""
    not_listener: ListenerId = NO_LISTENER
    """Not this agent's: it knows them already."""
    among: frozenset[ItemId] | None = None
    """Only these ids, whether or not the index would find them; None: all."""
    exclude: frozenset[ItemId] = frozenset()
    """Ids not wanted, such as those already given."""
    limit: int = 20
    floor: float = 0.0
    """Hits with less `fit` are left out; `FLOOR` for what is given unasked."""
    below: int = 0
    """So many of the best that do not reach the floor come after the others, to compare with."""
    now: int = 0
    """The time from which recency is counted; 0 when age does not matter."""
    exists: Callable[[str], bool] | None = field(default=None, compare=False)
    """Is this cited file still there? Asked for the best hits only."""


@dataclass(frozen=True, slots=True)
class Hit:
    """An item that was found: its rank, how surely it fits, and why."""

    id: ItemId
    kind: str
    score: float
    """For ranking within one answer."""
    fit: float
    """0 to 1: how sure we are that it has to do with the question; compared with the floor."""
    parts: Mapping[str, float]
    matched: tuple[str, ...]
    """The question's terms that were found in it or beside it."""
    project_id: str
    listener: ListenerId
    happened_at: int
    files: tuple[str, ...]
    trust: float
    superseded: bool
    covered: float = 0.0
    """For what is given unasked: the share of the prompt, or of one of its sentences, that the item says itself."""
    pairs: int = 0
    """And how many pairs of words stand side by side in both."""
