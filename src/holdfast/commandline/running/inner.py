"""What a program runs in its turn, as a value."""

from __future__ import annotations

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
