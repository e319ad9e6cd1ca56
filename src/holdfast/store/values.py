"""Rows as values. Pure."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from holdfast.store.interface import Row

V = TypeVar("V")


def value_of(kind: type[V], row: Row, **given: Any) -> V:
    """A row as a value whose fields have the names of columns. `given` are fields of other names or shapes, and those
    of columns that may be NULL. Columns without a field do not matter."""
    return msgspec.convert({**row, **given}, kind, strict=False)
