"""Several rows by one statement. Pure.

Each statement lets go of the interpreter, and a busy loop gives it back late: a statement per row made a crowd of
events wait longer for the interpreter than for the database.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

_ONE_ROW = re.compile(r"\bVALUES\s*\(\s*(:\w+(?:\s*,\s*:\w+)*)\s*\)")
_PARAMETER = re.compile(r":(\w+)")
SIZES = (32, 16, 8, 4, 2)
"""Rows of one statement. A few sizes, so that each is prepared once."""


class RowInsert(NamedTuple):
    """An INSERT of one row: what stands around its values, and their names in order."""

    before: str
    names: tuple[str, ...]
    after: str

    def of(self, rows: int) -> str:
        """The same for so many rows, with their values one after the other."""
        one = f"({', '.join('?' * len(self.names))})"
        return f"{self.before}VALUES {', '.join([one] * rows)}{self.after}"


@lru_cache(maxsize=256)
def row_insert(text: str) -> RowInsert | None:
    """The parts of an INSERT whose parameters are the values of one row; None for any other statement."""
    found = _ONE_ROW.search(text)
    if found is None or not text.lstrip().upper().startswith("INSERT"):
        return None
    before, after = text[: found.start()], text[found.end() :]
    if _PARAMETER.search(before) or _PARAMETER.search(after):
        return None
    return RowInsert(before, tuple(_PARAMETER.findall(found[1])), after)


@lru_cache(maxsize=256)
def of_size(text: str, rows: int) -> str:
    """The statement for so many rows."""
    parts = row_insert(text)
    assert parts is not None
    return parts.of(rows)
