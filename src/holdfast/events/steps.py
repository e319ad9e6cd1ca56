"""The words of the program: an `OnEvent` per event, a `Step` per contribution. The page itself is `program.py`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from holdfast.events.scene import Contribution


@dataclass(frozen=True, slots=True)
class Step:
    """One contribution: run for these tools (all, when none is named), within this time."""

    run: Contribution
    tools: frozenset[str] = frozenset()
    seconds: float = 0.5
    may_deny: bool = False
    instead: Contribution | None = None
    """Answers at once, from the event alone, where `run` failed or was late. For steps whose silence is a decision."""
    later: bool = False
    """Runs after the answer went out, in the background: it keeps, and gives nothing. Durable as its journal entry."""
    rebuilds: bool = False
    """`holdfast reindex` runs it again on old journal entries (`scene.is_rebuilding`). It writes what is missing, and
    leaves alone what is there."""
    in_pause: bool = False
    """Runs also while recording is paused. What it would record is left out."""

    of_own_calls: bool = False
    """Runs on calls of holdfast's own tools and commands, and on nothing else."""

    @property
    def name(self) -> str:
        """The room, or the package of the house, and the function: `memory.observe`, `items.recall`."""
        _, folder, room, *_ = (*self.run.__module__.split("."), "", "", "")
        where = room if folder == "rooms" else self.run.__module__.rsplit(".", 2)[-2]
        return f"{where}.{self.run.__name__}"

    def fits(self, tool: str | None) -> bool:
        return not self.tools or tool in self.tools


@dataclass(frozen=True, slots=True)
class OnEvent:
    """What happens on one event."""

    steps: tuple[Step, ...] = ()
    tokens: int = 0
    recovers: bool = False
    """Compare the transcript with the journal afterwards, in the background (EVT-8)."""


Program = Mapping[str, OnEvent]


def with_caps(program: Program, caps: Mapping[str, int]) -> Program:
    """The program with the most tokens of some events, as the user chose them. They are never more than listed."""
    capped = {
        event: replace(on_event, tokens=min(on_event.tokens, caps[event]))
        for event, on_event in program.items()
        if event in caps
    }
    return MappingProxyType({**program, **capped})


def used_events(program: Program) -> tuple[str, ...]:
    """The events that a step or recovery uses. Only these are registered with the client, unless the user wants all."""
    return tuple(name for name, on_event in program.items() if on_event.steps or on_event.recovers)
