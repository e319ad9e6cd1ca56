"""The values of this package. No behaviour."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from holdfast.shell.script import CommandLink

WriteMode = Literal["write", "append"]
Act = Literal["delete", "discard", "overwrite", "permissions"]
"""What is done to files: removed; changes thrown away; content replaced; owner or mode changed."""


@dataclass(frozen=True, slots=True)
class Arg:
    """One argument after variables were followed. An expansion that stays unknown stands in it as written."""

    text: str
    known: bool = True
    quoted: bool = False
    """A quoted `*` or `~` is only a character."""
    found_by: tuple[str, ...] = ()
    """It stands for what `find` prints with these words; '' in front of an action that was left out."""


@dataclass(frozen=True, slots=True)
class Mount:
    """A folder of this machine, or a named volume, inside a container."""

    source: Arg
    target: str
    is_volume: bool = False
    read_only: bool = False


@dataclass(frozen=True, slots=True)
class Run:
    """One program that the line runs, behind wrappers, functions, aliases, `bash -c`, `xargs` and the like."""

    program: str
    """Base name in lower case, without `.exe`; '' when it is computed at run time."""
    args: tuple[Arg, ...] = ()
    writes: tuple[tuple[WriteMode, Arg], ...] = ()
    """Files that the shell opens for it: `> f`, `>> f`."""
    directory: str | None = ""
    """Where it runs, relative to the beginning; None: unknown."""
    stdin: str | None = None
    """The text it reads, where the line tells."""
    more_input: bool = False
    """It reads more than `stdin` tells, or what `stdin` tells only in part."""
    piped_from: tuple[str, ...] = ()
    """The programs before it in its pipeline."""
    found: tuple[str, ...] = ()
    """The words of the `find` whose list it reads: `find . -name x | xargs rm`."""
    environment: tuple[tuple[str, Arg], ...] = ()
    remote: str = ""
    """The program that runs it elsewhere: `ssh`, `docker`; '' here."""
    mounts: tuple[Mount, ...] | None = None
    """What a container that is made for this run sees of this machine; None: not known, or no container."""
    container: str = ""
    """The container that is there already and in which it runs: `docker exec NAME …`."""
    fed_by: tuple[str, ...] = ()
    """The files that the programs before it in its pipeline read, or that stand behind `<`."""
    unread_files: tuple[str, ...] = ()
    """Files with statements for a database that could not be read."""
    via: tuple[str, ...] = ()
    """How it was reached: `xargs`, `bash`, `python`, a function's name."""
    after_failure: bool = False
    """It runs because what stands before it failed: it is behind `||`."""
    may_fail: bool = False
    """The line counts on it to fail: it is before `||`, or behind `!`."""
    followed_by: CommandLink = ""
    """What stands behind it in the line: after `&&` comes only what needs its success, after `;` what does not."""
    captured: bool = False
    """What it prints is read by the line itself: it stands in a pipe or a substitution, or writes a file."""

    texts: tuple[str, ...] = field(init=False, repr=False, compare=False)
    """The words of `args`."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "texts", tuple(arg.text for arg in self.args))


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
    sources: tuple[Arg, ...] = ()
    """What is moved or copied: a target that is a folder takes it in under its own name."""
    found_by: tuple[str, ...] = ()
    """The words of the `find` that lists what is removed, without the action."""
    unpacks: Arg | None = None
    """An archive, or a patch, whose files are written over those of the target; an empty one is read from a pipe."""
    also: tuple[Arg, ...] = ()
    """Changed too, and not lost by itself: it is kept where a target is."""
    asks: bool = False
    """It asks before each file, and does nothing where no answer comes."""
    fresh: bool = False
    """The file is most likely new: a report of a program, or what is put into the home directory."""
    kept_only: bool = False
    """No rule is about it: what it writes over in the project is kept, and nothing more is decided."""
    for_good: bool = False
    """The bytes shall be gone: `shred`. They are not kept."""


@dataclass(frozen=True, slots=True)
class Where:
    """The surroundings of a line: folders as absolute paths, '' when they are not known."""

    cwd: str = ""
    root: str = ""
    """The project's work tree."""
    home: str = ""
    temporary: tuple[str, ...] = ("/tmp", "/var/tmp", "/private/tmp", "/private/var/folders", "/dev/shm")
