"""What a program runs in its turn, as a value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from holdfast.commandline.model import Arg, Mount


@dataclass(frozen=True, slots=True)
class Inner:
    """What is run: a program with its words, or a text for a shell."""

    words: tuple[Arg, ...] = ()
    text: str = ""
    known: bool = True
    remote: str = ""
    stdin: str | None = None
    directory: str | None = None
    """Where it runs inside a container."""
    mounts: tuple[Mount, ...] | None = None
    container: str = ""
    """The container that is there already and in which it runs."""
    takes_input: bool = False
    """It reads what the outer program would have read."""


def after_options(args: Sequence[Arg], values: frozenset[str] | set[str]) -> Sequence[Arg]:
    """The words behind the options of a program; `values` are options whose value stands behind them."""
    place = 0
    while place < len(args) and args[place].text.startswith("-") and len(args[place].text) > 1:
        if args[place].text == "--":
            return args[place + 1 :]
        place += 2 if args[place].text in values else 1
    return args[place:]
