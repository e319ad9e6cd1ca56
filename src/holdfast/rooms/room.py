"""The contract: what a room is, on one page. A room is one folder and its lines in `program.py`.

`Room` says all about it. Doors, daemon, upkeep, configuration and documentation gather from `program.ROOMS` and name no
room. A room stands on `Ground` and on nothing else; it never imports another room, in Python or in SQL.

Every field is gathered by something and shown by the made-up rooms of `tests/rooms`. A part of the dashboard is no
field yet: there is no dashboard to gather it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar

from msgspec import Struct

from holdfast.events.endpoint import Endpoint
from holdfast.events.scene import Services
from holdfast.events.tool import Tool
from holdfast.items.indexed import Family, Indexed
from holdfast.store.interface import Reader, Row, Store, Tx
from holdfast.store.table import Table

V = TypeVar("V")
S = TypeVar("S", bound=Struct)


class AsksForJobs(Protocol):
    """The durable queue, as a room sees it."""

    def ask(self, tx: Tx, name: str, subject: str, arguments: dict[str, Any], *, in_seconds: float = 0) -> None:
        """Ask, in a transaction, for one of the room's own jobs. The same work asked for before it began is one job."""
        ...


class Cleans(Protocol):
    """Takes private spans, our own marks and secrets out of a text, or out of all texts of a JSON value."""

    def __call__(self, value: V, /) -> V: ...


class Chosen(Protocol):
    """The user's settings, by the type of their section."""

    def __call__(self, section: type[S], /) -> S: ...


@dataclass(frozen=True, slots=True)
class Ground:
    """All that a room may stand on."""

    store: Store
    owner: str
    now: Callable[[], int]
    """The clock, in microseconds. Rooms ask no other."""
    clean: Cleans
    """For what does not come by a hook; what does was cleaned on the road."""
    locate: Callable[[str], tuple[str, str]]
    """Place and name of the project that a folder belongs to."""
    jobs: AsksForJobs
    items: Any
    """`items.Items`: search, lines and bookkeeping over every room's items. Ready when the first event comes."""
    folder: Path
    """For this room's own files. The room makes it when it first needs it."""
    chosen: Chosen
    """The room's settings, those of `more_settings` too."""


@dataclass(frozen=True, slots=True)
class Job:
    """Work that must not cost a hook's time."""

    run: Callable[[dict[str, Any], Services], Awaitable[None]]
    slow: bool = False
    """It may take minutes: it waits in the queue of upkeep, so that no quick job stands behind it."""
    every_seconds: float = 0.0
    """Asked for by the house at the start, and again so long after each run; 0: only when somebody asks."""
    after_start_seconds: float = 60.0


@dataclass(frozen=True, slots=True)
class Check:
    """One of doctor's checks: a sentence when something is wrong, with what to do; None when all is well."""

    name: str
    examine: Callable[[Services], Awaitable[str | None]]


@dataclass(frozen=True, slots=True)
class Status:
    """A room's part of `holdfast status`: values for programs, lines of name and text for people."""

    values: Mapping[str, Any]
    """Names are the room's own; they stand beside `store` and `queue`."""
    lines: tuple[tuple[str, str], ...] = ()


class TakesRecords(Protocol):
    """Takes in lines of an export: how many were new, by kind."""

    async def take_in(self, lines: list[str]) -> Counter[str]: ...


Told = Mapping[str, int | Mapping[str, int] | Sequence[str]]


@dataclass(frozen=True, slots=True)
class Taken:
    """The result of one step of an import."""

    told: Told
    """What this step did, by name: a number, numbers by kind, or lines. The command line adds the steps up."""
    total: int = 0
    """How much there is to read in all, in the unit that `Import.counts` names; 0 when it is not known."""
    next: Mapping[str, Any] | None = None
    """The fields of the next step; None when this was the last one."""


@dataclass(frozen=True, slots=True)
class Import:
    """Reads what another tool has stored: `holdfast import NAME PATH`, and `POST /api/import/NAME` step by step."""

    name: str
    summary: str
    """One sentence, for `--help`."""
    example: str
    """One call of it, as typed after `holdfast`."""
    step: type[Struct]
    """The body of one step: `path`, and the fields of `Taken.next` with their first values."""
    run: Callable[[Any, Services, TakesRecords], Awaitable[Taken]]
    """One step. The path was checked and is absolute."""
    help: str = ""
    """More than the summary, where that is not enough."""
    takes: Literal["file", "folder"] = "file"
    """What the path must be."""
    counts: str = "rows"
    """The number of `Taken.told` that the progress bar compares with `total`. A plural."""
    said: str = "Took over {new} from {rows}."
    """The sentence at the end; names of `Taken.told` in braces."""


@dataclass(frozen=True, slots=True)
class Pane:
    """A room's part of the pane beside a conversation: what a person wants to see at a glance.

    `GET /api/pane` gives the parts of all rooms; `holdfast status` shows them too."""

    title: str
    """No two rooms have the same."""
    lines: Callable[[Services], Awaitable[Sequence[str]]]
    """The lines of this moment; none when there is nothing to say."""


@dataclass(frozen=True, slots=True)
class Upkeep:
    """What only the room knows when something is forgotten or imported; the rest follows from its tables.

    `item` is the room's own value. Every function runs inside a transaction."""

    made_from: Callable[[Reader, Any, str], Sequence[str]] | None = None
    """(reader, item, owner) → ids of journal entries whose words are in an item, besides the one it was made from."""
    marks: Callable[[Reader, Any, str], Sequence[str]] | None = None
    """(reader, item, owner) → further marks by which a forgotten item is known if it comes again."""
    entries_go: Callable[[Tx, Sequence[Row], str, int], Callable[[Tx], None]] | None = None
    """(tx, entries, owner, now): these journal entries are about to be forgotten. Returns a function that corrects what
    was made of them in other words; it is called when the entries are gone."""
    after_forget: Callable[[Tx, str], None] | None = None
    """(tx, owner): rows were forgotten; mend the tables (a page without readings goes)."""
    taken: Callable[[Tx, str, Any, str], None] | None = None
    """(tx, family, item, owner): an import wrote this item's row; write what is derived from it."""
    refuses: Callable[[Reader, str, Row, str], bool] | None = None
    """(reader, table, record, owner): was what this record tells forgotten here under a mark of the room's own?"""


@dataclass(frozen=True, slots=True)
class Room:
    """Everything about a room. What is left out, it does not have."""

    name: str
    duty: str
    """One sentence: what it does. Shown by `status` and the documentation."""
    settings: type[Struct]
    """Its section `[name]` of config.toml: fields with their meaning and default, used directly."""
    build: Callable[[Ground], Sequence[object]]
    """Its services, one of each type."""
    more_settings: Mapping[str, type[Struct]] = field(default_factory=dict)
    """Further sections of config.toml, by their names."""
    tables: tuple[Table, ...] = ()
    """Declared in its `schema.py`. Upkeep covers them by these declarations."""
    sql: Path | None = None
    """The folder where its `NAME.sql` and `migrations/` stand: its own."""
    upkeep: Upkeep = field(default_factory=Upkeep)
    """What it adds when the store is kept in order. Most rooms add nothing."""
    families: tuple[Family, ...] = ()
    """The families of its items. Each has a table that names it; `index` answers for all of them."""
    index: Callable[[Ground], Indexed] | None = None
    """Its items, for search, recall, show, why, edit and forget."""
    jobs: Mapping[str, Job] = field(default_factory=dict)
    """By name, without the room's: `summarise` is queued as `memory.summarise`."""
    tools: tuple[Tool[Any], ...] = ()
    commands: str = ""
    """What its commands of two words do together, in a sentence; its duty, when it is empty."""
    imports: tuple[Import, ...] = ()
    checks: tuple[Check, ...] = ()
    endpoints: tuple[Endpoint, ...] = ()
    """REST paths of its own, where a tool does not fit what scripts expect."""
    status: Callable[[Services], Awaitable[Status]] | None = None
    """What `holdfast status` says of it."""
    pane: Pane | None = None
    """Its part of the pane beside a conversation."""
