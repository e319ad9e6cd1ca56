"""What a shell command line says, as values: words, redirections, simple commands in the order they stand.

Values only. `parse.py` makes them, everything else in this package reads them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

RedirectMode = Literal["read", "write", "append", "readwrite", "duplicate", "heredoc", "herestring"]
Apart = Literal["", "substitution", "function"]
CommandLink = Literal["", "&&", "||", ";", "|", "|&", "&"]
Nesting = Literal[
    "subshell", "group", "substitution", "process", "function", "condition", "branch", "loop",
    "heredoc", "shell", "eval", "trap", "xargs", "find",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a word: text that is known, or an expansion as it was written (`$HOME`, `$(date)`)."""

    text: str
    known: bool = True
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Word:
    """One argument. `text` has the quotes taken off; expansions stand in it as they were written."""

    text: str
    parts: tuple[Part, ...] = ()

    @property
    def known(self) -> bool:
        """Is the text exactly what the program gets, file name patterns and `~` aside?"""
        return all(part.known for part in self.parts)

    @property
    def quoted(self) -> bool:
        """Is any of it quoted? An unquoted `~` or `*` still means something to the shell."""
        return any(part.quoted for part in self.parts)


@dataclass(frozen=True, slots=True)
class Assignment:
    name: str
    value: Word
    adds: bool = False
    """`x+=…`: it stands behind what was set before."""


@dataclass(frozen=True, slots=True)
class Heredoc:
    """The text between `<<TAG` and `TAG`. In a quoted one nothing is expanded."""

    tag: str
    body: str
    quoted: bool = False
    closed: bool = True
    number: int = 0
    """In the words of a substitution `<<` and this number stand in its place."""


@dataclass(frozen=True, slots=True)
class Redirection:
    mode: RedirectMode
    target: Word
    descriptor: str = ""
    heredoc: Heredoc | None = None


@dataclass(frozen=True, slots=True)
class Compound:
    """What holds commands: a group, a subshell, a loop, a choice, a function's body, a substitution.

    It stands in a pipeline and is redirected as one command is: `{ a; b; } < f | c`.
    """

    number: int
    """Which one of its line: two of a kind may stand beside each other."""
    position: int = 0
    length: int = 1
    """Its place in its pipeline, and how long that is."""
    redirections: tuple[Redirection, ...] = ()
    apart: Apart = ""
    """What its commands print does not go where its neighbours' output goes, because it is this."""


@dataclass(frozen=True, slots=True)
class Command:
    """One simple command, seen through the programs that only run another (`sudo`, `env`, `timeout 60`)."""

    program: str
    """The program's base name; empty when there is none (`X=1`, `> file`) or an expansion stands in its place."""
    path: str
    """The program as it was written: `/bin/rm`, `./gradlew`, `$CMD`."""
    arguments: tuple[Word, ...] = ()
    assignments: tuple[Assignment, ...] = ()
    redirections: tuple[Redirection, ...] = ()
    wrappers: tuple[str, ...] = ()
    """The programs it was seen through, outermost first."""
    before: CommandLink = ""
    after: CommandLink = ""
    position: int = 0
    """Place in its pipeline, and how long that is."""
    length: int = 1
    negated: bool = False
    nesting: tuple[Nesting, ...] = ()
    """What stands around it, outermost first; empty for a command of the line itself."""
    inside: tuple[Compound, ...] = ()
    """The compounds that hold it, outermost first."""
    ends: Compound | None = None
    """The compound whose redirections these are: they stand behind it as a command without a program."""
    parent: int | None = None
    """The index of the command it was written in or is run by: the `echo` of `echo $(date)`, `bash` of `bash -c`."""
    directory: str | None = ""
    """Where it runs, as the `cd`s before it say: relative to the beginning, `~…`, absolute, or None for unknown."""
    masked: bool = False
    """The line may end with 0 although this command failed or never ran: `| tail`, `|| true`, `; echo`."""
    shared: bool = False
    """The line may fail although this command passed: something else that counts is in the same chain."""
    function: str = ""
    """The function whose body it stands in; it runs only when that is called."""
    definition: int = 0
    """Which definition of that function: where it begins in the text. A later one replaces an earlier one."""
    told: str | None = None
    """The text before `$?` when the next command prints this one's status: `exit: ` of `; echo "exit: $?"`."""

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(word.text for word in self.arguments)

    @property
    def background(self) -> bool:
        return self.after == "&"

    @property
    def heredocs(self) -> tuple[Heredoc, ...]:
        return tuple(entry.heredoc for entry in self.redirections if entry.heredoc)


@dataclass(frozen=True, slots=True)
class Loop:
    """One value of the variable of a `for` or `select` loop."""

    name: str
    value: Word
    at: int = 0
    """The index of the first command behind the beginning of the loop."""


@dataclass(frozen=True, slots=True)
class Script:
    """All simple commands of a command line, nested ones included, in the order they stand."""

    text: str
    commands: tuple[Command, ...]
    loops: tuple[Loop, ...] = ()
    """What the variables of `for` and `select` loops stand for: one entry per value."""
    complete: bool = True
    """False when some of it could not be read: a syntax error, too deep, too long."""
    cut: bool = False
    """There is more than was read: too deep, too long, too many commands."""
    lifted: str = field(default="", repr=False, compare=False)
    """The text without the bodies of its heredocs."""
    cost: int = field(default=0, repr=False, compare=False)
    """What reading it has cost, counted in words."""
    top: tuple[Command, ...] = field(init=False, repr=False, compare=False)
    """The commands of the line itself: what runs, without what only stands in substitutions and functions."""

    def __post_init__(self) -> None:
        top = tuple(command for command in self.commands if _HIDDEN.isdisjoint(command.nesting))
        object.__setattr__(self, "top", top)


_HIDDEN = frozenset({"substitution", "process", "function", "heredoc"})
