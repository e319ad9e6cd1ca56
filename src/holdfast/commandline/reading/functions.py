"""The functions that a line defines. Pure."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from holdfast.commandline.reading.variables import scope_of
from holdfast.shell.script import Command

_CALLED_BEHIND = frozenset({"time", "coproc", "noglob", "exec"})
"""Words of the shell behind which a function may stand; programs such as `env` know none."""


@dataclass(slots=True)
class Functions:
    """By name: where it is defined, the subshell that knows it, and its body; the last one last."""

    known: dict[str, list[tuple[int, tuple[str, ...], list[Command]]]] = field(default_factory=dict)

    def add(self, command: Command, nesting: tuple[str, ...]) -> None:
        """One command of a body. A subshell's functions end with it."""
        scope = scope_of((*nesting, *itertools.takewhile(lambda each: each != "function", command.nesting)))
        found = self.known.setdefault(command.function, [])
        if not found or found[-1][:2] != (command.definition, scope):
            found.append((command.definition, scope, []))
        depth = max((place for place, each in enumerate(command.inside) if each.apart == "function"), default=-1)
        found[-1][2].append(replace(command, inside=command.inside[depth + 1 :]))

    def body(self, name: str, wrappers: Sequence[str], nesting: tuple[str, ...]) -> list[Command] | None:
        """The body of the function that this name calls here."""
        if name not in self.known or not _CALLED_BEHIND.issuperset(wrappers):
            return None
        here = scope_of(nesting)
        return next((body for _, scope, body in reversed(self.known[name]) if here[: len(scope)] == scope), None)

    def only(self, names: Iterable[str]) -> Functions:
        """Those that a child shell knows."""
        return Functions({name: self.known[name] for name in names if name in self.known})
