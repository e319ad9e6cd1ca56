"""How a room declares a table: whose rows they are, when they happened, where words stand, and what an export carries.

Forget, the sweep of backups, export, import, retention, `status` and the schema walk of the tests are all driven by
these declarations, and by nothing else. Values only; the SQL made from them is in `store/generated.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True, slots=True)
class Via:
    """The row belongs to the row of another table: `column` here equals `key` there.

    The other table is of the same room, or a shared one (`SHARED` in `store/shared.py`)."""

    column: str
    table: str
    key: str = "id"


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a room.

    Every text column is named once: in `words`, or in `plain` with the reason why it holds nobody's words. A test asks
    both databases for their columns and fails on one that is not named.
    """

    name: str
    key: tuple[str, ...]
    """The primary key."""
    owner: str | Via | None
    """The column with the owner's name, or the table through which the owner is known. None: the rows belong to this
    installation, not to a person (`plain` and `kept_back` say why)."""
    time: str = ""
    """The column with the moment it happened, in microseconds; '' when a row has none."""
    project: str | Via | None = None
    """The column with the project's id, or the table through which it is known; None: it has no project."""
    conversation: str | Via | None = None
    """The column with the client's session id, or the way to it: `forget --session` follows it."""
    words: tuple[str, ...] = ()
    """Columns with words of a person, an agent, a tool or a page: `forget --text` searches them."""
    files: tuple[str, ...] = ()
    """Columns with a path or a JSON list of paths: `forget --file` searches them. They count as words, too."""
    plain: Mapping[str, str] = field(default_factory=dict)
    """Text columns without words (ids, hashes, fixed choices), each with the reason."""
    found: Literal["drop", "blank"] = "drop"
    """What `forget --text` does with a row in which it finds the text: remove it, or empty the words and keep the row
    (a ledger whose sums must stay right)."""
    exported: tuple[str, ...] = ()
    """The columns that an export carries, in order. Their names are the format: they may be added to, never renamed."""
    kept_back: str = ""
    """Why an export does not carry this table. Exactly one of `exported` and `kept_back` is given."""
    refers: Mapping[str, str] = field(default_factory=dict)
    """Columns that name a row of another table, with that table: an import translates the ids it knows otherwise."""
    ages: str = ""
    """The setting of `[retention]` (days) after which rows go; '' keeps them."""
