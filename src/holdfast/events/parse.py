"""From a decoded payload to a typed event and back, losing nothing.

A field of an unexpected type costs only itself: it stays in `rest`, where `misfits` finds it, and the event is what its
other fields say. An event whose name nobody knows is an `UnknownEvent`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import msgspec
from msgspec.structs import fields

from holdfast.events.event import EVENTS, Event, JsonObject, UnknownEvent

_KINDS: tuple[type[Event], ...] = (*EVENTS.values(), UnknownEvent)
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")
_TYPES: dict[type[Event], dict[str, Any]] = {
    kind: {f.name: f.type for f in fields(kind) if f.name != "rest"} for kind in _KINDS
}
_ABSENT = object()


def parse(payload: JsonObject, name: str | None = None) -> Event:
    """The event in `payload`. `name` is the one the door was told; it counts when the payload names none.

    (What could not be a name, such as a page of text, is none: names become counters and labels.)
    """
    given = payload.get("hook_event_name")
    named = next((one for one in (given, name) if isinstance(one, str) and _NAME.fullmatch(one)), "")
    kind = EVENTS.get(named, UnknownEvent)
    known = _TYPES[kind]
    rest = {key: value for key, value in payload.items() if key not in known}
    try:
        return msgspec.convert({**payload, "hook_event_name": named, "rest": rest}, kind)
    except (msgspec.ValidationError, OverflowError):
        return _of_what_fits(payload, named, kind)


def _of_what_fits(payload: JsonObject, name: str, kind: type[Event]) -> Event:
    """The event without the fields that do not fit. Of a list of objects those that are objects stay."""
    fit: JsonObject = {}
    rest: JsonObject = {}
    for key, value in payload.items():
        wanted = _TYPES[kind].get(key)
        taken = _ABSENT if wanted is None else _fitting(value, wanted)
        if taken is not _ABSENT:
            fit[key] = taken
        if taken is _ABSENT or taken != value:
            rest[key] = value
    rest.pop("hook_event_name", None)
    return kind(**fit | {"hook_event_name": name, "rest": rest})


def _fitting(value: Any, wanted: Any) -> Any:
    try:
        return msgspec.convert(value, wanted)
    except (msgspec.ValidationError, OverflowError):
        if wanted == list[JsonObject] and isinstance(value, list):
            return [each for each in value if isinstance(each, dict)]
        return _ABSENT


def misfits(event: Event) -> list[str]:
    """The names of the fields that were not of the type we know."""
    return [name for name in event.rest if name in _TYPES[type(event)]] if event.rest else []


def wire(event: Event) -> JsonObject:
    """The payload again. What is absent (null, or an empty text or list where that is the default) is left out."""
    payload: dict[str, Any] = {}
    for name, default in _defaults(type(event)):
        value = getattr(event, name)
        if value is not None and (value != default or value not in ("", [])):
            payload[name] = value
    return payload | event.rest


@cache
def _defaults(kind: type[Event]) -> tuple[tuple[str, Any], ...]:
    """The fields of an event with their defaults. (`fields` reads the annotations anew each time.)"""
    return tuple(
        (f.name, f.default if f.default is not msgspec.NODEFAULT else f.default_factory())
        for f in fields(kind)
        if f.name != "rest"
    )
