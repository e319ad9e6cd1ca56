"""What is known while a line is read, and what its parts may ask the whole reader to do.

`line` follows the commands of a line and `in_turn` what a program runs in its turn; each needs the other.
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from holdfast.commandline.model import Arg, Run, WriteMode
from holdfast.commandline.reading.at import At
from holdfast.commandline.reading.files import Scripts
from holdfast.commandline.reading.functions import Functions
from holdfast.commandline.reading.streams import Stream
from holdfast.commandline.reading.variables import Variables
from holdfast.commandline.reading.work import ReadingBudget
from holdfast.shell.script import Command, Loop, Redirection

_MOST_RUNS = 3_000
_LEARNED = ("variables", "functions", "aliases", "own_aliases", "exported", "went", "looped", "wandered")
"""What a line teaches about itself while it is read."""
ReaderState = dict[str, Any]


@dataclass(slots=True)
class Reader(ABC):
    """One line, as far as it is read."""

    git_aliases: Mapping[str, str]
    scripts: Scripts
    work: ReadingBudget
    own_aliases: dict[str, str] = field(default_factory=dict)
    """Git's aliases that this line sets."""
    runs: list[Run] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    variables: Variables = field(default_factory=Variables)
    functions: Functions = field(default_factory=Functions)
    telling: list[str] = field(default_factory=list)
    """Variables of the line by which a program that it runs is told something: `GIT_DIR`, `RAILS_ENV`, `PGHOST`."""
    traps: list[tuple[Arg, At, Functions]] = field(default_factory=list)
    """What runs when the line ends, with what variables are then and the functions of the shell that set it."""
    aliases: dict[str, str] = field(default_factory=dict)
    exported: set[str] = field(default_factory=set)
    """Functions that a child shell knows, too."""
    calling: tuple[str, ...] = ()
    cut: bool = False
    """There was more than is read: too many commands, too deep, or too long."""
    went: dict[tuple[str, ...], str | None] = field(default_factory=dict)
    """Where a `cd` to what the line computes has led, by nesting: `cd "$(mktemp -d)"`."""
    looped: tuple[str, int] = ("", 0)
    """The loop that was met last: it has one entry per value."""
    wandered: bool = False
    """A function changed the directory: from there on it is not known."""
    descriptors: dict[str, Redirection] = field(default_factory=dict)
    """What `exec 3<f` has opened, by its number."""
    substituted: dict[str, Stream] = field(default_factory=dict)
    """What the substitutions in the words of the command that is being read stand for."""
    printing: int = 0
    """How deep we are in what substitutions and functions print."""

    def keep(self, run: Run) -> None:
        if len(self.runs) < _MOST_RUNS:
            self.runs.append(run)
        else:
            self.cut = True

    def state(self) -> ReaderState:
        """What is known so far, to begin again from here. Commands and arguments do not change and are not copied."""
        found = {name: copy.copy(getattr(self, name)) for name in _LEARNED}
        entries = {name: list(each) for name, each in self.variables.entries.items()}
        found["variables"] = Variables(entries, self.variables.printed, self.variables.spend)
        found["functions"] = Functions({name: list(each) for name, each in self.functions.known.items()})
        return found

    def begin_again(self, state: ReaderState) -> None:
        for name, value in state.items():
            setattr(self, name, value)

    @abstractmethod
    def line(self, text: str, at: At) -> None:
        """Read a text as a shell does."""

    @abstractmethod
    def text(self, text: str, known: bool, at: At) -> None:
        """Read a text that a program runs; what is computed at run time is only said."""

    @abstractmethod
    def commands(self, commands: Sequence[Command], at: At, loops: Sequence[Loop] = ()) -> None:
        """Read commands that are parsed already."""

    @abstractmethod
    def simple(
        self,
        args: Sequence[Arg],
        at: At,
        writes: tuple[tuple[WriteMode, Arg], ...] = (),
        environment: tuple[tuple[str, Arg], ...] = (),
        wrappers: tuple[str, ...] = (),
    ) -> None:
        """One program with its arguments, variables followed."""
