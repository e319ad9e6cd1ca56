"""Rows as values. Pure."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from holdfast.store.interface import Row

V = TypeVar("V")


def value_of(kind: type[V], row: Row, **given: Any) -> V:
    """A row as a value whose fields have the names of columns. `given` are fields of other names or shapes. A column
    that is NULL is left out, so its field needs a default; columns without a field do not matter."""
    told: dict[str, Any] = {name: value for name, value in row.items() if value is not None}
    told.update(given)
    return msgspec.convert(told, kind, strict=False)
