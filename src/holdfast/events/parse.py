"""From a decoded payload to a typed event and back, losing nothing.

A payload whose fields are not of the kinds we know is not refused: it becomes an `UnknownEvent`.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec
from msgspec.structs import fields

from holdfast.events.event import EVENTS, Event, JsonObject, UnknownEvent

_KINDS: tuple[type[Event], ...] = (*EVENTS.values(), UnknownEvent)
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")
_KNOWN = {kind: frozenset(f.name for f in fields(kind)) - {"rest"} for kind in _KINDS}


def parse(payload: JsonObject, name: str | None = None) -> Event:
    """The event in `payload`. `name` is the one the door was told; it counts when the payload names none.

    (What could not be a name, such as a page of text, is none: names become counters and labels.)
    """
    given = payload.get("hook_event_name")
    named = given if isinstance(given, str) and _NAME.fullmatch(given) else (name or "")
    kind = EVENTS.get(named)
    if kind is not None:
        known = _KNOWN[kind]
        rest = {key: value for key, value in payload.items() if key not in known}
        try:
            return msgspec.convert({**payload, "hook_event_name": named, "rest": rest}, kind)
        except msgspec.ValidationError:
            pass
    return _unknown(payload, named)


def _unknown(payload: JsonObject, name: str) -> UnknownEvent:
    common = {
        key: value
        for key, value in payload.items()
        if key in _KNOWN[UnknownEvent] and (isinstance(value, dict) if key == "effort" else isinstance(value, str))
    }
    rest = {key: value for key, value in payload.items() if key not in common}
    return UnknownEvent(**{**common, "hook_event_name": name, "rest": rest})


def wire(event: Event) -> JsonObject:
    """The payload again. What is absent (null, or an empty text or list where that is the default) is left out."""
    payload: dict[str, Any] = {}
    for f in fields(type(event)):
        value = getattr(event, f.name)
        if f.name != "rest" and value is not None and (value != _default(f) or value not in ("", [])):
            payload[f.name] = value
    return payload | event.rest


def _default(f: msgspec.structs.FieldInfo) -> Any:
    return f.default if f.default is not msgspec.NODEFAULT else f.default_factory()
