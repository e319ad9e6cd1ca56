"""What is left of a column when everything that mentions something is taken out. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from holdfast.store.table import JsonRecord, Shape

FORGOTTEN = "forgotten"
_EMPTY = {"list": "[]", "object": "{}"}


def without(column: str, shape: Shape | None, tells: Callable[[str], bool]) -> str:
    """A text becomes 'forgotten'; of a list those texts go, and of an object only the texts that mention it. What
    still mentions it then, by the names of its fields or across texts, is emptied; but not a record, whose names are
    the program's own."""
    if isinstance(shape, JsonRecord):
        return _of_record(column, shape, tells)
    if not column or (not tells(column) and shape not in _EMPTY):
        return column
    if not isinstance(shape, str):
        return FORGOTTEN
    try:
        value = msgspec.json.decode(column)
    except msgspec.MsgspecError:
        return _EMPTY[shape] if tells(column) else column
    left = _without(value, tells)
    if left == value and not tells(column):
        return column
    text = msgspec.json.encode(left).decode()
    return _EMPTY[shape] if tells(text) else text


def _of_record(column: str, shape: JsonRecord, tells: Callable[[str], bool]) -> str:
    try:
        value = msgspec.json.decode(column or "{}", type=dict[str, Any])
    except msgspec.MsgspecError:
        return "{}" if tells(column) else column
    left = {name: each if name in shape.fixed else _without(each, tells) for name, each in value.items()}
    return column if left == value else msgspec.json.encode(left).decode()


def _without(value: Any, tells: Callable[[str], bool]) -> Any:
    match value:
        case str():
            return FORGOTTEN if tells(value) else value
        case list():
            return [_without(each, tells) for each in value if not (isinstance(each, str) and tells(each))]
        case dict():
            return {name: _without(each, tells) for name, each in value.items()}
        case _:
            return value
