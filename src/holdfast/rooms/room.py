"""The contract: what a room is, on one page. A room is one folder and its lines in `program.py`.

`Room` says all about it. Doors, daemon, upkeep, configuration and documentation gather from `program.ROOMS` and name no
room. A room is built on `Ground`. Its steps, tools and jobs ask `services` for the room's own services and for
`HOUSE_SERVICES`. It uses nothing else that lives in the daemon, and never another room, in Python or in SQL.

Three things stand elsewhere. A table says whose its rows are by a column, or by `Via`: this column leads to the key of
that table (`store/table.py`). `Indexed.for_start` gives a room's lines for the brief, each with the id of its item, and
the house shows what fits and notes that it was given. A step of a room's own that gives items returns
`items.injecting.claimed(…)`: it records in the event's transaction who was given what, so that `why` knows it and
nobody is given it twice.

Every field is gathered by something and shown by the made-up rooms of `tests/rooms`. A part of the dashboard is no
field yet: there is no dashboard to gather it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar

from msgspec import Struct

from holdfast.events.announced import Announced
from holdfast.events.answer import Part
from holdfast.events.caller import Caller
from holdfast.events.endings import Endings
from holdfast.events.endpoint import Endpoint
from holdfast.events.event import PreToolUse
from holdfast.events.going import Going
from holdfast.events.method import Method
from holdfast.events.progress import ProgressBoard
from holdfast.events.running import RunningClients
from holdfast.events.scene import Services
from holdfast.events.tool import Tool
from holdfast.gitfiles import Heads
from holdfast.ids import NO_CONVERSATION, ConversationId, EntryId
from holdfast.items.assembling import ContextAssembler
from holdfast.items.indexed import Family, Indexed
from holdfast.items.injecting import Injecting
from holdfast.items.service import Items
from holdfast.items.sources import ContextSource, KnowsFiles, KnowsPartners, KnowsSymbols, NamesTests
from holdfast.source.worker import Worker
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
    """Removes private spans, our own marks and secrets from a text, or from all texts of a JSON value."""

    def __call__(self, value: V, /) -> V: ...


class AsksIfRecorded(Protocol):
    def __call__(self, folder: str, at: int, conversation: ConversationId = NO_CONVERSATION, /) -> bool: ...


class Chosen(Protocol):
    """The user's settings, by the type of their section."""

    def __call__(self, section: type[S], /) -> S: ...


HOUSE_SERVICES: tuple[type[Any], ...] = (
    Items,  # every room's items: the same as `Ground.items`
    ContextAssembler,  # one text of all rooms' items and lines that fit a budget
    Injecting,  # whether anything is given unasked, as the user and the project chose
    Heads,  # commit and branch of a worktree, from git's own files
    ProgressBoard,  # context use, effort and phase of each conversation: one room writes it, others read it
    RunningClients,  # which clients run, and a new start of one
    Endings,  # ends a session because somebody says so
    Announced,  # which tool call of a client belongs to which call of ours
)
"""What a room may ask `services` for besides its own services."""


@dataclass(frozen=True, slots=True)
class Ground:
    """All that a room is built on."""

    store: Store
    owner: str
    now: Callable[[], int]
    """The present moment in microseconds. A room reads no other clock, so that a test can let days pass."""
    clean: Cleans
    """For texts that do not come by a hook. Those of hooks are clean already."""
    locate: Callable[[str], tuple[str, str]]
    """(place, name) of the project that a folder belongs to."""
    jobs: AsksForJobs
    items: Items
    """Works on every room's items. It is complete when the first event comes, not yet in `build`."""
    folder: Path
    """For this room's own files. The room makes it when it first needs it."""
    chosen: Chosen
    """The room's settings, those of `more_settings` too."""
    is_running: Callable[[ConversationId], bool | None] = lambda conversation: None
    """Does the client of this conversation run? None: nobody knows which one it is."""
    is_recorded: AsksIfRecorded = lambda folder, at, session="": True
    """Is what is written in this project at this moment recorded? Not while recording is paused; where no session is
    named, not while any is."""
    parser: Worker | None = None
    """The process that reads source code by its grammar: one for all rooms. None: nobody reads any."""
    allowed: tuple[str, ...] = ()
    """Texts that `clean` leaves although they look like secrets (`scrub.allow`)."""


@dataclass(frozen=True, slots=True)
class Job:
    """Work that must not delay a hook."""

    name: str
    """Its short name: `summarise` of the room memory is queued as `memory.summarise`."""
    run: Callable[[dict[str, Any], Services], Awaitable[None]]
    slow: bool = False
    """It may take minutes. It gets the slow queue, so that no quick job waits for it (`status` counts quick ones)."""
    every_seconds: float = 0.0
    """How long after each run it runs again, without being asked for; 0: only when somebody asks."""
    after_start_seconds: float = 60.0


@dataclass(frozen=True, slots=True)
class Check:
    """One check of `holdfast doctor`. `examine` returns what is wrong and what to do, in a sentence; None when all is
    well, which `fine` says."""

    name: str
    examine: Callable[[Services], Awaitable[str | None]]
    fine: str = "Nothing is wrong."


@dataclass(frozen=True, slots=True)
class Status:
    """A room's part of `holdfast status`: values for programs, lines of name and text for people."""

    values: Mapping[str, Any]
    """They stand beside `store` and `queue`: let their names begin with the room's. One that is taken is left out."""
    lines: tuple[tuple[str, str], ...] = ()


class TakesRecords(Protocol):
    """Takes the lines of an export in. A line is a JSON object: `record` (its table), and the `exported` columns.

    An id that is always made of the same things (`ids.stable_id`) is taken once, and stays forgotten."""

    async def take_in(self, lines: list[str]) -> Counter[str]: ...


ImportTold = Mapping[str, int | Mapping[str, int] | Sequence[str]]


@dataclass(frozen=True, slots=True)
class Taken:
    """The result of one step of an import."""

    told: ImportTold
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

    `GET /api/pane` gives the parts of all rooms, and the plugin's mod draws them; `holdfast status` shows them too."""

    title: str
    """No two rooms have the same."""
    lines: Callable[[Caller], Awaitable[Sequence[str]]]
    """The lines of this moment; none when there is nothing to say. The caller names the conversation beside which the
    pane stands; none in `status`."""


@dataclass(frozen=True, slots=True)
class Upkeep:
    """What a room does besides when something is forgotten or imported. The rest follows from its tables.

    `item` is the room's own value. Every function runs inside a transaction, unless it says otherwise."""

    made_from: Callable[[Reader, Any, str], Sequence[EntryId]] | None = None
    """(reader, item, owner) → ids of journal entries whose words are in an item, besides the one it was made from."""
    marks: Callable[[Reader, Any, str], Sequence[str]] | None = None
    """(reader, item, owner) → further marks by which a forgotten item is recognised when it is imported again."""
    entries_go: Callable[[Tx, Sequence[Row], str, int], Callable[[Tx], None]] | None = None
    """(tx, entries, owner, now): these journal entries are about to be forgotten. Returns a function that corrects what
    was made of them in other words; it is called when the entries are gone."""
    entries_gone: Callable[[Tx, Sequence[Row], str], None] | None = None
    """(tx, entries, owner): these journal entries were forgotten with an item that was named by its id. Remove what
    quotes them and cannot be made anew. (What goes by a text, a file or a session is found by the tables.)"""
    after_forget: Callable[[Tx, str], None] | None = None
    """(tx, owner): rows were forgotten. Correct what is counted or made of them, in tables that no export carries: what
    it removes stands in no preview, and an import would bring it back. Rows that mean nothing without others say so
    themselves (`Table.only_with`)."""
    forgotten: Callable[[Services], None] | None = None
    """(services): something was forgotten, and the store has it no more. Drop what the room holds of it in memory. On
    the event loop, outside a transaction."""
    forget_files: Callable[[Path, Going], int] | None = None
    """(the room's folder, what goes) → how much went of the files that the room keeps there. In a thread of its own,
    outside a transaction. What is made anew from elsewhere is not counted."""
    holds_files: Callable[[Path, Going], int] | None = None
    """The same for the preview: how much would go. It only reads."""
    taken: Callable[[Tx, str, Any, str], None] | None = None
    """(tx, family, item, owner): an import wrote the row of this item. Write what is derived from it."""
    refuses: Callable[[Reader, str, Row, str], bool] | None = None
    """(reader, table, record, owner): was this record of an export forgotten here, by one of the room's own marks?"""


@dataclass(frozen=True, slots=True)
class Room:
    """Everything about a room. It does not have what its declaration leaves out."""

    name: str
    duty: str
    """One sentence: what it does. It heads the room's group of commands, unless `commands` says another."""
    settings: type[Struct]
    """Its section `[name]` of config.toml: fields with their meaning and default, used directly."""
    build: Callable[[Ground], Sequence[object]]
    """Its services, one of each type."""
    more_settings: tuple[tuple[str, type[Struct]], ...] = ()
    """Further sections of config.toml, with their names."""
    tables: tuple[Table, ...] = ()
    """Declared in its `schema.py`. Upkeep covers them by these declarations."""
    sql: Path | None = None
    """The folder with its `NAME.sql` and `migrations/`."""
    upkeep: Upkeep = field(default_factory=Upkeep)
    """What it adds to forget and import. Most rooms add nothing."""
    families: tuple[Family, ...] = ()
    """The families of its items. Each has a table that names it; `index` answers for all of them."""
    index: Callable[[Ground], Indexed] | None = None
    """Its items, for search, the brief, recall, show, why, edit and forget."""
    context: ContextSource | None = None
    """Lines for assembled contexts that are no items, such as commits. (Items come by `Family.context_type`.)"""
    files: Callable[[Services], KnowsFiles] | None = None
    """What it knows of a project's files: an item that names one says when it was moved, or changed much since."""
    symbols: Callable[[Services], KnowsSymbols] | None = None
    """What it knows of the names in a project's code: an item that names a function that is gone says so."""
    partners: Callable[[Services], KnowsPartners] | None = None
    """Which files changed together: the tests among them are named beside those that use a file."""
    names_tests: Callable[[Services], NamesTests] | None = None
    """Of which files it names the tests at a Read: other rooms leave these out."""
    jobs: tuple[Job, ...] = ()
    tools: tuple[Tool[Any], ...] = ()
    commands: str | Mapping[str, str] = ""
    """One sentence about its group of commands (`holdfast citations …`), or one for each group by its first word; its
    duty, when it is empty."""
    imports: tuple[Import, ...] = ()
    checks: tuple[Check, ...] = ()
    endpoints: tuple[Endpoint, ...] = ()
    """REST paths of its own, for scripts that expect another shape than a tool has."""
    methods: tuple[Method[Any], ...] = ()
    """RPC methods of its own, with a namespace; tools are RPC methods by their names anyway."""
    status: Callable[[Services], Awaitable[Status]] | None = None
    """What `holdfast status` says of it."""
    alone: Callable[[Ground, PreToolUse, str], Coroutine[Any, Any, Part | None]] | None = None
    """What it answers in the hook's own process to a tool that is about to run, when no daemon answers in time. Its
    ground has no store, no jobs and no items; the text is the id of the event."""
    away: str = ""
    """What is missing while the daemon does not run, in a few words: `holdfast status` says that then."""
    pane: Pane | None = None
    """Its part of the pane beside a conversation."""
