"""Every field of every event of the client, with a value of every JSON type that is not its own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
from msgspec.structs import fields

from holdfast.events.event import EVENTS
from tests.support.payloads import load, names

VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -5, 2**63, 10**400, 0.5, -1e300),
    *("", "12", "NaN", "text", "nul \x00 and \u202e", [], [1, "a", None], [{}, 5], {}, {"a": {"b": [1]}}),
)


def base(event: str) -> dict[str, Any]:
    """A recorded payload of this event."""
    return load(next(name for name in names() if name.split("-")[0] == event))


@cache
def known(event: str) -> dict[str, Any]:
    """The fields of an event, with their types."""
    left_out = ("rest", "hook_event_name")
    return {field.name: field.type for field in fields(EVENTS[event]) if field.name not in left_out}


def wrong(event: str) -> Iterator[tuple[str, Any]]:
    """Every field of this event with every value that does not fit it."""
    for name, kind in known(event).items():
        for value in VALUES:
            try:
                msgspec.convert(value, kind)
            except (msgspec.ValidationError, OverflowError):
                yield name, value


def nested(payload: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The payload once for each of its values, at any depth, and each kind of value in its place."""
    for path in _paths(payload, ()):
        for value in VALUES:
            yield _replaced(payload, path, value)


def _paths(node: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    inside = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in inside:
        yield (*path, key)
        yield from _paths(value, (*path, key))


def _replaced(payload: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    copy: dict[str, Any] = json.loads(json.dumps(payload))
    node: Any = copy
    for key in path[:-1]:
        node = node[key]
    node[path[-1]] = value
    return copy
