"""What is known around a command while a line is walked through: the nesting, the shell's state, the exit status."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, replace

from holdfast.shell.script import Compound, Nesting, Word
from holdfast.shell.wrappers import Resolved

DEEPEST = 40
_MOST_PUSHED = 20
MOST = 2_000
"""Commands that are kept of one line."""


@dataclass(slots=True)
class Shell:
    """What one shell process remembers from command to command."""

    directory: str | None = ""
    errexit: bool = False
    pipefail: bool = False
    pushed: tuple[str | None, ...] = ()
    """Directories that `pushd` left, the last one last."""
    before: str | None = None
    """The directory before the last `cd`."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands around the commands being read, and what the line's exit status tells about them."""

    nesting: tuple[Nesting, ...] = ()
    parent: int | None = None
    masked: bool = False
    shared: bool = False
    depth: int = 0
    function: tuple[str, int] = ("", 0)
    inside: tuple[Compound, ...] = ()

    def within(
        self, place: Nesting, lost: bool = False, parent: int | None = None, function: tuple[str, int] | None = None
    ) -> Surroundings:
        above = self.parent if parent is None else parent
        # A text that is parsed again costs more than a pair of brackets.
        depth = self.depth + (4 if place in ("shell", "eval", "trap", "xargs", "find", "heredoc") else 1)
        inside = self.function if function is None else function
        nesting, masked, shared = (*self.nesting, place), self.masked or lost, self.shared or lost
        return Surroundings(nesting, above, masked, shared, depth, inside, self.inside)

    def held_by(self, compound: Compound) -> Surroundings:
        return replace(self, inside=(*self.inside, compound))


def remember(resolved: Resolved, shell: Shell) -> None:
    """What a command changes in its own shell: the directory and the options that decide on the exit status."""
    match resolved.program:
        case "cd" | "pushd":
            targets = [word for word in resolved.arguments if word.text == "-" or not word.text.startswith("-")]
            here, back = shell.directory, bool(targets) and targets[0].text == "-" and resolved.program == "cd"
            shell.directory = shell.before if back else changed(here, targets[0] if targets else Word("~"))
            shell.before = here
            if resolved.program == "pushd":
                plain = bool(targets) and targets[0].text[:1] not in "+-"
                shell.pushed = (*shell.pushed, here)[-_MOST_PUSHED:] if plain else ()
        case "popd":
            *left, back_there = shell.pushed or (None,)
            shell.before, shell.directory = shell.directory, back_there if not resolved.arguments else None
            shell.pushed = tuple(left) if not resolved.arguments else ()
        case "set":
            _options([word.text for word in resolved.arguments], shell)


def _options(arguments: list[str], shell: Shell) -> None:
    for at, text in enumerate(arguments):
        if text[:1] not in "-+":
            continue
        on = text.startswith("-")
        if "e" in text[1:] and not text.startswith("--"):
            shell.errexit = on
        if text.endswith("o") and at + 1 < len(arguments):
            if arguments[at + 1] == "pipefail":
                shell.pipefail = on
            elif arguments[at + 1] == "errexit":
                shell.errexit = on


def changed(directory: str | None, target: Word) -> str | None:
    """The directory after `cd target`."""
    text = target.text
    if not target.known or text == "-":
        return None
    if text.startswith(("/", "~")):
        return posixpath.normpath(text)
    if directory is None:
        return None
    joined = posixpath.normpath(posixpath.join(directory, text))
    return "" if joined == "." else joined
