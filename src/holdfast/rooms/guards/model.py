"""The values of this room. No behaviour."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Decision = Literal["allow", "warn", "ask", "deny"]
STRICTNESS: dict[Decision, int] = {"allow": 0, "warn": 1, "ask": 2, "deny": 3}

Mode = Literal["write", "append"]
Act = Literal["delete", "discard", "overwrite", "permissions"]
"""What is done to files: removed; changes thrown away; content replaced; owner or mode changed."""


@dataclass(frozen=True, slots=True)
class Arg:
    """One argument after variables were followed. An expansion that stays unknown stands in it as written."""

    text: str
    known: bool = True
    quoted: bool = False
    """A quoted `*` or `~` is only a character."""


@dataclass(frozen=True, slots=True)
class Run:
    """One program that the line runs, behind wrappers, functions, aliases, `bash -c`, `xargs` and the like."""

    program: str
    """Base name in lower case, without `.exe`; '' when it is computed at run time."""
    args: tuple[Arg, ...] = ()
    writes: tuple[tuple[Mode, Arg], ...] = ()
    """Files that the shell opens for it: `> f`, `>> f`."""
    directory: str | None = ""
    """Where it runs, relative to the beginning; None: unknown."""
    stdin: str | None = None
    """The text it reads, where the line tells."""
    piped_from: tuple[str, ...] = ()
    """The programs before it in its pipeline."""
    environment: tuple[tuple[str, Arg], ...] = ()
    remote: str = ""
    """The program that runs it elsewhere: `ssh`, `docker`; '' here."""
    via: tuple[str, ...] = ()
    """How it was reached: `xargs`, `bash`, `python`, a function's name."""

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(arg.text for arg in self.args)


@dataclass(frozen=True, slots=True)
class Reading:
    """All that a line runs, as far as it can be read."""

    runs: tuple[Run, ...]
    unread: tuple[str, ...] = ()
    """What is computed at run time, each in a few words."""
    cut: bool = False
    """The line is longer or deeper than what is read: the rest is not known."""


@dataclass(frozen=True, slots=True)
class Deed:
    """What one run does to files."""

    act: Act
    targets: tuple[Arg, ...]
    recursive: bool = False
    forced: bool = False
    named_by: str = ""
    """The command in a few words, for the reason."""
    filtered: bool = False
    """Only what a pattern matches: `find . -name '*.pyc' -delete`."""
    whole_tree: bool = False
    """All of a work tree: `git checkout .`, `git clean -fd`."""


@dataclass(frozen=True, slots=True)
class Where:
    """The surroundings of a line: folders as absolute paths, '' when they are not known."""

    cwd: str = ""
    root: str = ""
    """The project's work tree."""
    home: str = ""
    temporary: tuple[str, ...] = ("/tmp", "/var/tmp", "/private/tmp", "/private/var/folders", "/dev/shm")


@dataclass(frozen=True, slots=True)
class Finding:
    """One rule that matched one run."""

    rule: str
    decision: Decision
    reason: str
    instead: str = ""
    command: str = ""
    act: Act | None = None
    targets: tuple[str, ...] = ()
    """Absolute paths whose bytes could be kept before it runs; empty when nothing can be kept."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer to one call of a tool."""

    decision: Decision = "allow"
    rule: str = ""
    reason: str = ""
    instead: str = ""
    kept: bool = False
    """It may run because the bytes it removes are kept before."""
    parts: tuple[str, ...] = ()
    """The programs that were read, for `guard test`."""
    findings: tuple[Finding, ...] = field(default=())
