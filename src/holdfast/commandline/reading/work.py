"""How much reading one line may cost. A count and not a time: a busy machine reads as much of a line as an idle one,
and has its answer in time (two tenths of a second of a processor at the worst). Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from holdfast.commandline.model import Arg
from holdfast.shell.script import Script

_MOST, _LEAST, _OF_LETTER = 12_000, 1_500, 10
"""In words, for any line; for the shortest; and how much a letter more allows."""
_OF_COMMAND, _OF_TARGET, _LETTERS = 12, 3, 25
"""The cost of a command beyond its words; of a file that is removed; the letters that cost as much as a word."""
SOME = 100
"""Files of those that a command removes that are judged where the line is too large."""


@dataclass(slots=True)
class ReadingBudget:
    """What is left. Once it is spent, the rest of the line is not read."""

    left: int

    @classmethod
    def for_line(cls, line: str) -> ReadingBudget:
        return cls(min(_MOST, _LEAST + _OF_LETTER * len(line)))

    def spend(self, cost: int) -> bool:
        self.left -= cost
        return self.left >= 0

    def script(self, script: Script) -> bool:
        """A text costs its words each time it is read."""
        return self.spend(sum(1 + len(command.arguments) for command in script.commands) + len(script.loops))

    def command(self, args: Sequence[Arg]) -> bool:
        return self.spend(_OF_COMMAND + len(args) + sum(len(arg.text) for arg in args) // _LETTERS)

    def program(self, letters: int, calls: int) -> bool:
        """A program of another language, and what it does."""
        return self.spend(letters // _LETTERS + _OF_TARGET * calls)

    def targets(self, args: Sequence[Arg]) -> bool:
        return self.spend(_OF_TARGET * len(args))
