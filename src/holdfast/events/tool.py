"""A tool: one operation of a room, declared once as data and served by every door (MCP, REST, RPC, command line).

The arguments are a msgspec Struct: its fields and their descriptions are the schema, and a door that has decoded one
has checked it. Doors add nothing; how a result is shown is theirs.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from msgspec import Struct

from holdfast.events.caller import Caller

A = TypeVar("A", bound=Struct)


class NoArguments(Struct, frozen=True, forbid_unknown_fields=True):
    """No arguments."""


@dataclass(frozen=True, slots=True)
class Verb:
    """A tool as a command. The command line builds it from this and the tool's arguments, and loads no room for it: the
    first required field stands without a name, a list may be repeated, a truth value is a flag."""

    words: str
    """How it is called: `costs`, or `citations list`. The first of two words is a group, one per room."""
    example: str
    """One call of it, as typed after `holdfast`."""
    help: str = ""
    """More than the tool's summary, where that is not enough."""
    lines: Callable[[Any, int], Iterable[str]] | None = None
    """The result (as JSON gives it) and the terminal's width, as lines. Pure; it runs in the daemon."""
    empty: str = ""
    """What is said instead of an empty result."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Names of options that differ from their field's: `tags` as `--tag`."""
    fixed: Mapping[str, Any] = field(default_factory=dict)
    """Fields that are not asked for, with their values at the command line."""
    places: tuple[str, ...] = ()
    """Fields that stand without a name, in this order, instead of the first required one alone."""
    negative: Callable[[Any], bool] | None = None
    """Did a check or lookup come out negative? Then the command ends with 1."""
    steps: bool = False
    """The tool does a part per call: its result has `done`, `total` and `next` (the fields of the next call; None
    at the end). The command line calls it until the end, with a progress bar."""
    joined: bool = False
    """The text without a name may be typed as several words."""
    group: str = ""
    """The heading that `--help` lists it under; the room's own, when it is empty."""
    every_seconds: float = 0.0
    """With `--watch` the command asks again so often and shows what changed, until Ctrl-C; 0: it has no such option."""
    at_terminal: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Further flags, each with a function (`module:name`) that works on the user's terminal instead of printing lines,
    and its help. It is loaded when it is used, and is given `ask`: (tool, arguments) → result."""


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
    in_pause: bool = False
    """May an agent use it while recording is paused, though it changes something? It keeps no new words."""
    for_agents: bool = True
    """Offered to agents by MCP? Each schema costs tokens in every session."""
    fenced: tuple[str, ...] = ()
    """Fields of its result that are fenced already (`events.fence`): a door leaves them as they are."""
    verb: Verb | None = None
    """Its command, if it has one of its own; `holdfast call` reaches it anyway."""
