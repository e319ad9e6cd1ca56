"""Variables that take in a list line by line: `find … | while read f`, `mapfile -t a < <(find …)`. Pure."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from holdfast.commandline.model import Arg
from holdfast.commandline.reading.streams import Stream
from holdfast.commandline.running.items import EVERY_KEY, INPUT, found_items, lists_files
from holdfast.shell.script import Command, Nesting
from holdfast.shell.tools import listed

READS = frozenset({"read", "mapfile", "readarray"})
_VALUES = listed("-d -n -N -p -t -u -i -a -O -s -c -C")
_MOST = 32
_NEAR = 20
"""Commands behind the values of a loop among which its body begins."""


def read_into(command: Command, reads: Stream) -> list[tuple[str, list[Arg]]]:
    """The variables that a `read` sets, with every value that they may get."""
    names = _variables(command)
    if not names:
        return []
    one_text = reads.text if command.program == "read" and _reads_all(command) else None
    values = [Arg(one_text, quoted=True)] if one_text else items(reads.text, reads.found)
    if not reads.whole:
        values = [value for value in values if value.found_by or not _EXPANDS.search(value.text)] + [
            each for each in values if each.text.startswith("$(every")
        ]
        values = values if any(value.found_by for value in values) else [*values, *_unknown(command)]
    values = values or _unknown(command)
    if len(names) == 1 or one_text:
        return [(names[-1], values)]
    return [(name, [_word(value, place, len(names)) for value in values]) for place, name in enumerate(names)]


_EXPANDS = re.compile(r"[$`]")


def _unknown(command: Command) -> list[Arg]:
    """A value that is not known; with the file that it comes from, where the command names it."""
    files = [entry.target.text for entry in command.redirections if entry.mode == "read"]
    return [Arg(f"$(< {files[-1]})", known=False)] if files and not files[-1].startswith("<(") else [INPUT]


def _word(value: Arg, place: int, count: int) -> Arg:
    """What the variable at this place gets of a line; the last one gets the rest."""
    if value.found_by or not value.known:
        return value
    words = value.text.split(None, count - 1)
    return Arg(words[place] if place < len(words) else "", quoted=True)


def _reads_all(command: Command) -> bool:
    """`read -d ''` reads to the end."""
    texts = command.texts
    return any(text.endswith("d") and text[:1] == "-" and not after for text, after in itertools.pairwise(texts))


def _variables(command: Command) -> list[str]:
    """The names that are read into: the words, or what `-a` names."""
    words = [word.text for word in command.arguments]
    if command.program == "read" and "-a" in words[:-1]:
        return [words[words.index("-a") + 1]]
    found: list[str] = []
    skip = False
    values = _VALUES if command.program == "read" else _VALUES - {"-t", "-a", "-i", "-N", "-p"}
    for word in words:
        if skip:
            skip = False
        elif word.startswith("-") and len(word) > 1:
            skip = word in values or (len(word) > 2 and f"-{word[-1]}" in values)
        else:
            found.append(word)
    return (found or ["REPLY"]) if command.program == "read" else (found[-1:] or ["MAPFILE"])


def items(text: str | None, found: tuple[str, ...]) -> list[Arg]:
    """The lines of a text, or what a listing program would find."""
    if text is not None:
        return [Arg(line.strip(), quoted=True) for line in text.splitlines()[:_MOST] if line.strip()]
    if found == EVERY_KEY:
        return [Arg(f"$({found[0]})", known=False)]
    return found_items(found) if lists_files(found) else []


def loop_nesting(commands: Sequence[Command], number: int) -> tuple[Nesting, ...]:
    """What stands around the body of the loop that begins at this place: its values may be substitutions."""
    for command in commands[number : number + _NEAR]:
        if "loop" in command.nesting:
            return command.nesting
    return commands[number].nesting
