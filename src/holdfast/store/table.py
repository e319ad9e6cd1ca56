"""How a room declares a table: whose rows they are, when they happened, where words stand, and what an export carries.

Forget, the sweep of backups, export, import, retention, `status` and the schema walk of the tests are driven by these
declarations, and by nothing else. Values only. The SQL is made from them in `store/generated.py`; `store/catalog.py`
refuses declarations that are incomplete.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

ITEM = "item"
"""In `Via` and `refers`: an item of any room, known by its full id. No table has this name."""


@dataclass(frozen=True, slots=True)
class Via:
    """The row belongs to the row of another table: `column` here equals `key` there.

    The other table is of the same room, or a shared one (`SHARED` in `store/shared.py`)."""

    column: str
    table: str
    key: str = "id"


@dataclass(frozen=True, slots=True)
class Age:
    """Rows go after a number of days."""

    setting: str
    """The setting with the days: a key of `[retention]`, or one of the room's own sections (`fleet.kept_days`). 0 days
    keep for ever."""
    sooner: int = 1
    """Divides the days."""
    column: str = ""
    among: tuple[str | int, ...] = ()
    """Only rows whose `column` has one of these values."""


@dataclass(frozen=True, slots=True)
class JsonRecord:
    """A JSON object whose field names are the program's own: a text is looked for in its values only."""

    fixed: tuple[str, ...] = ()
    """Fields whose values are the program's own, too: one of some words."""


Shape = Literal["list", "object"] | JsonRecord | tuple[str, ...]
"""What a text column holds: a JSON list of texts, a JSON object, or one of some words."""


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a room.

    Every text column is named once: in `words` or `files`, or in `plain` with the reason why it holds nobody's words.
    A test asks both databases for their columns and fails on one that is not named.
    """

    name: str
    key: tuple[str, ...]
    """The primary key. Text columns, but in tables that are never exported."""
    owner: str | Via | None
    """The column with the owner's name, or the table through which the owner is known. None, only in
    `store/shared.py`: the rows belong to this installation, not to a person, and no way to forget removes one."""
    family: str = ""
    """The rows are items of this family of the room's `Indexed`. The key is `id`; they are removed through the room."""
    time: str = ""
    """The column with the moment it happened, in microseconds; '' when a row has none."""
    timeless: str = ""
    """Why a table with a column that ends in `_at` has no `time`: `forget --before` leaves its rows."""
    project: str | Via | None = None
    """The column with the project's id, or the table through which it is known; None: it has no project."""
    conversation: str | Via | None = None
    """The column with the client's session id, or the way to it: `forget --session` follows it."""
    words: tuple[str, ...] = ()
    """Columns with words of a person, an agent, a tool or a page: `forget --text` searches them."""
    files: tuple[str, ...] = ()
    """Columns with a path or a JSON list of paths: `forget --file` searches them. They count as words, too. A path of a
    file in the project is relative to it (`src/a.py`): only so do `search --file` and "no longer exists" find it."""
    plain: Mapping[str, str] = field(default_factory=dict)
    """Text columns without words (ids, hashes, fixed choices), each with the reason."""
    found: Literal["drop", "blank", "mend"] = "drop"
    """What `forget --text` does with a row in which it finds the text: remove it, or replace the words by 'forgotten'
    and keep the row (a ledger whose sums must stay right). `mend`, also for `forget --file`: take out only what
    mentions it, each path of a list by itself; other rows lead to this one, and say other things."""
    only_with: Via | None = None
    """The rows of the same room without which a row here means nothing (a page without readings): `forget` removes it
    with the last of them, says so in the preview, and no import brings it back. When the last has aged,
    retention removes it."""
    lasts: bool = False
    """`forget --before` and `forget --session` leave the rows: others lead to them, or they hold until somebody says
    otherwise."""
    distilled: bool = False
    """The items are made of other items, and made anew without those that go. Forget removes what still mentions it."""
    counted: str = ""
    """What people are told when rows go (`readings`); without it they are counted as other rows."""
    called: tuple[str, str] | None = None
    """One row and several, in words, where `counted`, or the table's name and its plural, do not say it."""
    derived: str = ""
    """Who makes and removes the rows, when they are only an index of other rows. Forget leaves them to it."""
    exported: tuple[str, ...] = ()
    """The columns that an export carries, in order. Their names are the format: they may be added to, never renamed."""
    on_request: str = ""
    """What it holds, in words, when an export carries it only if asked by `--ROOM`; '' when it always does."""
    kept_back: str = ""
    """Why an export does not carry this table. Exactly one of `exported` and `kept_back` is given."""
    since: Mapping[str, str | int | None] = field(default_factory=dict)
    """Exported columns that older exports do not have, with the value that they had."""
    shapes: Mapping[str, Shape] = field(default_factory=dict)
    """What text columns must hold; an import refuses other values."""
    same: tuple[str, ...] = ()
    """A unique key besides the id. An import that meets the row under another id translates references to it."""
    refers: Mapping[str, str] = field(default_factory=dict)
    """Columns that name a row of another table (or of `item`), with that table: an import translates ids by it."""
    mark: str = ""
    """The kind of tombstone under which a forgotten row is known; '' is the table's name."""
    ages: tuple[Age, ...] = ()
    """When rows go by themselves; without one they stay."""

    @property
    def stays(self) -> bool:
        """Neither a time nor a session chooses its rows: they last, or they are the bookkeeping of this installation
        (migrations, marks of what was forgotten). No query that chooses them so is made: see `store/generated.py`."""
        return self.lasts or self.owner is None

    @property
    def worded(self) -> tuple[str, ...]:
        """All columns with words."""
        return (*self.words, *self.files)


@dataclass(frozen=True, slots=True)
class Column:
    """A column as the database has it."""

    text: bool
    nullable: bool
    whole: bool = True
    """Only whole numbers, of 64 bits."""


Columns = Mapping[str, Mapping[str, Column]]
"""By table and name, as the database tells them."""
