"""How much reading one line may cost. A count and not a time: a busy machine reads as much of a line as an idle one,
and has its answer in time (a seventh of a second of a processor at the worst). Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from holdfast.commandline.model import Arg
from holdfast.shell.script import Command, Script

_MOST, _LEAST, _OF_LETTER = 10_000, 1_000, 8
"""In words, for any line; for the shortest; and how much a letter more allows. Lines of a day take 40, the dearest of
15,000 that people labelled 600; a script of 120 lines takes 2,500."""
_OF_COMMAND, _OF_TARGET, _LETTERS = 8, 3, 25
"""The cost of a command beyond its words; of a file that is removed; the letters that cost as much as a word."""
_OF_SAID, _COPIED = 4, 2_000
"""The cost of asking a command what it prints, beyond its words; the letters that cost a word where a value is put
together."""
SOME = 100
"""Files of those that a command removes that are judged where the line is too large."""


@dataclass(slots=True)
class ReadingBudget:
    """What is left. Once it is spent, the rest of the line is not read."""

    left: int

    @classmethod
    def for_line(cls, line: str, most: int = _MOST) -> ReadingBudget:
        return cls(min(most, _LEAST + _OF_LETTER * len(line)))

    @property
    def is_spent(self) -> bool:
        return self.left < 0

    def spend(self, cost: int) -> bool:
        self.left -= cost
        return self.left >= 0

    def script(self, script: Script) -> bool:
        """A text costs its words each time it is read, and what it took to find them."""
        return self.spend(script.cost + len(script.loops))

    def letters(self, count: int) -> bool:
        """Letters that are copied or looked through."""
        return self.spend(count // _COPIED)

    def said(self, command: Command) -> bool:
        """A command that is asked what it prints."""
        return self.spend(_OF_SAID + len(command.arguments))

    def command(self, args: Sequence[Arg]) -> bool:
        return self.spend(_OF_COMMAND + len(args) + sum(len(arg.text) for arg in args) // _LETTERS)

    def program(self, letters: int, calls: int) -> bool:
        """A program of another language, and what it does."""
        return self.spend(letters // _LETTERS + _OF_TARGET * calls)

    def targets(self, args: Sequence[Arg]) -> bool:
        return self.spend(_OF_TARGET * len(args))
