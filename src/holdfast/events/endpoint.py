"""An endpoint: a REST path of a room's own, declared as data. For scripts that expect a shape which no tool has."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from msgspec import Struct

from holdfast.events.caller import Caller


class AnyBody(Struct):
    """A body that is not looked at."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request, read and checked."""

    body: Any
    """Of the type that the endpoint declares."""
    path: Mapping[str, str]
    query: Mapping[str, str]
    caller: Caller
    tell: Callable[[str, dict[str, Any]], Awaitable[None]]
    """Have an event, by its name and fields, take the road of a hook's. What cannot be kept is a StoreError."""
    waiting: Callable[[], Awaitable[int]]
    """How many jobs wait or run."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where it is, what it takes, and what answers: a text, or anything msgspec can encode."""

    path: str
    run: Callable[[Request], Awaitable[Any]]
    body: type[Struct] = AnyBody
    methods: tuple[str, ...] = ("POST",)
