"""Variables that take in a list line by line: `find … | while read f`, `mapfile -t a < <(find …)`. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.commandline.model import Arg
from holdfast.commandline.running.list_runs import EVERY_KEY, found_items, lists_files
from holdfast.shell.script import Command, Standing
from holdfast.shell.tools import listed

READS = frozenset({"read", "mapfile", "readarray"})
PIPE = "|"
_VALUES = listed("-d -n -N -p -t -u -i -a -O -s -c -C")
_MOST = 32
_NEAR, _FAR = 20, 200
"""Commands before and after a `read` among which its loop begins and ends."""


def variable(command: Command) -> str:
    """The name that is read into: the last word, or what `-a` names."""
    words = [word.text for word in command.arguments]
    if command.program == "read" and "-a" in words[:-1]:
        return words[words.index("-a") + 1]
    found = ""
    skip = False
    values = _VALUES if command.program == "read" else _VALUES - {"-t", "-a", "-i", "-N", "-p"}
    for word in words:
        if skip:
            skip = False
        elif word.startswith("-") and len(word) > 1:
            skip = word in values or (len(word) > 2 and f"-{word[-1]}" in values)
        else:
            found = word
    return found


def source(commands: Sequence[Command], number: int) -> str | None:
    """Where a `read` gets its lines from: a pipe into its loop, or the substitution behind `<`; None: not told."""
    command = commands[number]
    for entry in command.redirections:
        if entry.mode == "read":
            return entry.target.text
    if command.position:
        return None
    outer = command.nesting[:-1]
    if command.nesting[-1:] != ("condition",):
        return None
    before = next((each for each in reversed(commands[max(0, number - _NEAR) : number]) if each.nesting == outer), None)
    if before is not None and before.after in ("|", "|&"):
        return PIPE
    for after in commands[number + 1 : number + _FAR]:
        if after.nesting == outer:
            read = [entry.target.text for entry in after.redirections if entry.mode == "read"]
            return read[0] if read and not after.path else None
    return None


def items(text: str | None, found: tuple[str, ...]) -> list[Arg]:
    """The lines of a text, or what a listing program would find."""
    if text is not None:
        return [Arg(line.strip(), quoted=True) for line in text.splitlines()[:_MOST] if line.strip()]
    if found == EVERY_KEY:
        return [Arg(f"$({found[0]})", known=False)]
    return found_items(found) if lists_files(found) else []


def loop_nesting(commands: Sequence[Command], number: int) -> tuple[Standing, ...]:
    """What stands around the body of the loop that begins at this place: its values may be substitutions."""
    for command in commands[number : number + _NEAR]:
        if "loop" in command.nesting:
            return command.nesting
    return commands[number].nesting
