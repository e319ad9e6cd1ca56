"""The store, as its users see it: named queries inside one transaction, and nothing about any database.

A write is a function that the one writer runs inside a transaction shared with its neighbours; its caller is
resumed only after the commit. Such a function may run twice (a group that fails is taken apart and each member
tried alone), so it touches nothing but its transaction. What differs between databases stays in `sqlite/`,
`postgres/` and the marked variants of a query.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from holdfast.errors import StoreUnfit
from holdfast.store.health import Health
from holdfast.store.lex import StoreKind as StoreKind
from holdfast.store.table import Columns

if TYPE_CHECKING:
    from holdfast.store.catalog import Catalog

Value = str | int | float | bytes | None
Row = Mapping[str, Value]
T = TypeVar("T")


class Reader(Protocol):
    """Named queries that only read, on one consistent view of the store."""

    kind: StoreKind

    def one(self, query: str, /, **params: Value) -> dict[str, Value] | None:
        """The first row of `query` (`"journal.get"`), or None."""
        ...

    def all(self, query: str, /, **params: Value) -> list[dict[str, Value]]:
        """All rows of `query`."""
        ...


class Tx(Reader, Protocol):
    """A transaction: also writes."""

    def run(self, query: str, /, **params: Value) -> int:
        """Run a writing query; the number of rows it changed."""
        ...

    def many(self, query: str, rows: Iterable[Mapping[str, Value]], /) -> int:
        """Run a writing query once per row; the number of rows it changed in all."""
        ...


class EachAlone(Exception):
    """These writes cannot be made together."""


class Joint(Generic[T]):
    """A write that needs fewer statements together with others of its type than each alone.

    The writer runs those that stand next to each other in a group by `together`, a single one by itself. `together` may
    raise `EachAlone`: then all writes of the group are run one by one, in one transaction."""

    __slots__ = ()

    def __call__(self, tx: Tx, /) -> T:
        raise NotImplementedError

    def together(self, tx: Tx, works: Sequence[Any], /) -> Sequence[T]:
        """The results of `works`, which are all of this type, in their order."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Size:
    """How much is kept: bytes on disk, and rows per table."""

    bytes: int
    rows: Mapping[str, int]
    tables: Mapping[str, int] = field(default_factory=dict)
    """Bytes per table with its indexes, where it was asked for and the database can tell."""


class Store(Protocol):
    """One database. Opened and migrated by `store.open_store`."""

    kind: StoreKind
    url: str
    """For people: without a password."""
    health: Health
    """Who meets damage reports it here."""
    vectors: bool
    """Can this database search vectors itself (PostgreSQL with pgvector)?"""
    catalog: Catalog
    """The tables that it was opened with."""
    columns: Columns
    """The columns of our tables, as the database has them."""

    async def write(self, work: Callable[[Tx], T], /, *, within: float | None = None) -> T:
        """Run `work` in the writer; return its result after the commit, raise its error after the rollback.

        With `within`, a write that is not done after so many seconds is withdrawn: StoreSlow. If its transaction had
        begun, it may be committed all the same; whoever sends it again must not mind.
        """
        ...

    async def read(self, work: Callable[[Reader], T], /) -> T:
        """Run `work` on a reader beside the writer."""
        ...

    async def size(self, *, tables: bool = False) -> Size:
        """What `status` shows. Bytes per table (`tables`) cost a pass over the whole file: work for a job."""
        ...

    async def bytes(self) -> int:
        """Bytes on disk, at once."""
        ...

    async def backup(self, target: Path, /) -> None:
        """Write a consistent, owner-only copy that `restore` understands."""
        ...

    async def look(self) -> StoreUnfit | None:
        """Is the store still the one that was opened? Cheap: asked every few seconds."""
        ...

    async def check(self, *, full: bool) -> tuple[str, ...]:
        """Read all of it beside everyone else; what is damaged. What can be made anew is."""
        ...

    async def rescue(self, target: Path, /) -> None:
        """Copy what is still open of a store whose file is gone."""
        ...

    async def settle(self, removed: Sequence[str] = ()) -> None:
        """After a removal: leave no older copy of what was removed beside the rows, as far as the database allows.

        `removed` are words of it, by which a trace can be found."""
        ...

    async def close(self) -> None:
        """Finish what was accepted, then let go. Calling it twice is fine."""
        ...
