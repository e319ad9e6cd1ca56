"""A tool: one operation of a room, declared once as data and served by every door (MCP, REST, RPC, command line).

The arguments are a msgspec Struct: its fields and their descriptions are the schema, and a door that has decoded one
has checked it. Doors add nothing; how a result is shown is theirs.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from msgspec import Struct

from holdfast.events.caller import Caller

A = TypeVar("A", bound=Struct)


@dataclass(frozen=True, slots=True)
class Tool(Generic[A]):
    """One operation: what it is called, what it takes, and what does it."""

    name: str
    summary: str
    """One sentence, for people and agents alike."""
    arguments: type[A]
    run: Callable[[A, Caller], Awaitable[Any]]
    """The result is anything msgspec can encode. A known failure is a HoldfastError with its sentence."""
    changes: bool = False
    """Does it change what is kept?"""
    for_agents: bool = True
    """Offered to agents by MCP? Each schema costs tokens in every session."""
