"""What a room tells about its items, so that everyone can find, say, explain, correct and forget them.

The house asks these questions and knows nothing else about an item; `Any` below is the room's own value.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence, Set
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from holdfast import recall
from holdfast.store.interface import Reader, Store, Tx

Trust = Literal["user", "agent", "repository", "tool", "web"]
"""Who wrote the words. A person's outrank an agent's; only these two may become a memory, a value or a guard."""


@dataclass(frozen=True, slots=True)
class Family:
    """One kind of item of a room: `memory`, shown as m3fa9c21b."""

    name: str
    letter: str
    """First character of the short id. No two families share one."""
    kinds: tuple[str, ...] = ()
    """Finer kinds that a search may name (`edit`, `test`); empty: the family's name alone."""
    unasked: tuple[str, ...] = ()
    """Those of its kinds that may be given to an agent that did not ask."""


@dataclass(frozen=True, slots=True)
class Listed:
    """One line of a search: enough to choose by."""

    id: str
    family: str
    kind: str
    title: str
    project_id: str
    conversation: str
    happened_at: int
    outcome: str = ""
    trust: Trust = "agent"


@dataclass(frozen=True, slots=True)
class Saying:
    """The circumstances of a line that is said to an agent."""

    now: int
    asked: Set[str] = frozenset()
    """Terms of the prompt: the words of the item that have them are shown."""
    stale: bool = False
    page_changed: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """A correction; None leaves a field as it is."""

    title: str | None = None
    text: str | None = None
    tags: tuple[str, ...] | None = None
    by: Literal["user", "agent"] = "user"
    now: int = 0


class Indexed(Protocol):
    """A room's items. Every method takes the owner; nothing of another owner is ever given."""

    families: tuple[Family, ...]

    def item(self, reader: Reader, family: str, item_id: str, owner: str) -> Any | None:
        """The item with this full id, or None."""
        ...

    def by_short(self, reader: Reader, family: str, tail: str, owner: str) -> Sequence[str]:
        """Full ids that end in these eight characters."""
        ...

    def listed(self, item: Any) -> Listed:
        """Its line in a search."""
        ...

    def said(self, item: Any, how: Saying) -> str:
        """Its line as an agent reads it: id, what came of it, age, who wrote it unless the user did."""
        ...

    def whole(self, item: Any) -> dict[str, Any]:
        """All that is kept of it, for `show` and `get`."""
        ...

    def words(self, item: Any) -> str:
        """All its words: what a sentence model is shown, and what `--text` must stand in."""
        ...

    def found_by(self, reader: Reader, item: Any, owner: str) -> recall.Item | None:
        """What the index keeps of it; None when it is not to be found."""
        ...

    def all(self, store: Store, owner: str) -> AsyncIterator[Sequence[recall.Item]]:
        """Everything the index must hold, in the order it happened, in parts: for `reindex`."""
        ...

    def count(self, reader: Reader, owner: str) -> int:
        """How many of them the index must hold."""
        ...

    def edit(self, tx: Tx, item: Any, change: Change, owner: str) -> Any:
        """Correct it, in this transaction. The house indexes the result anew."""
        ...

    def remove(self, tx: Tx, ids: Iterable[str], owner: str) -> Sequence[Any]:
        """Remove rows; what was removed. The house removes index entries, showings, supersessions, citations."""
        ...

    def after_forget(self, tx: Tx, removed: Sequence[Any], owner: str) -> None:
        """Mend what was made of removed items (a summary that quoted them)."""
        ...
