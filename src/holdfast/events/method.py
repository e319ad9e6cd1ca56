"""A method: one RPC call of a room's own, declared as data. For scripts that expect names and shapes which no tool has.

A method with an `event` is that event: its params take the road of a hook's payload first, and its outcome is handed
to `run`. So an event that comes by RPC and by a hook runs the same steps, and is one entry of the journal.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from msgspec import Struct

from holdfast.events.answer import NOTHING, Answer
from holdfast.events.caller import Caller
from holdfast.ids import NO_ENTRY, EntryId

A = TypeVar("A", bound=Struct)


@dataclass(frozen=True, slots=True)
class MethodEvent:
    """The outcome of the road, for a method that is an event."""

    entry_id: EntryId = NO_ENTRY
    answer: Answer = NOTHING
    repeated: bool = False
    """The event was there already: it came by a hook, too."""


@dataclass(frozen=True, slots=True)
class Method(Generic[A]):
    """One method: its name, what it takes and gives, and what does it."""

    name: str
    """With a namespace: `hooks.stop`."""
    summary: str
    params: type[A]
    """Names are snake_case here; a caller may write camelCase. Unknown params are left alone."""
    result: type[Struct]
    run: Callable[[A, Caller, MethodEvent], Awaitable[Any]]
    event: str = ""
    """The event that the params are, as the client names it; '' for none."""
    changes: bool = False
    """Does it change what is kept? Then its params are cleaned first."""
    in_pause: bool = False
    """May an agent use it while recording is paused? It keeps no new words then."""
