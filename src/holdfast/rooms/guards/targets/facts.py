"""What the file system knows about the targets of a command. Reads only."""

from __future__ import annotations

import itertools
import os
import stat
import subprocess
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from holdfast.commandline.effects.places import CERTAIN_ARTEFACTS
from holdfast.commandline.reading.find_words import lists_only, starts
from holdfast.rooms.guards.targets.patterns import MOST_PATHS, TooMany, expanded, is_pattern

_FIND_SECONDS = 0.4


@dataclass(frozen=True, slots=True)
class Fact:
    """What is known about one path that exists."""

    path: str
    real: str
    """The path with every link before its last name followed. The last is what a command removes or replaces."""
    aimed: str
    """The path with every link followed."""
    is_folder: bool = False
    is_link: bool = False
    is_mount: bool = False
    identity: tuple[int, int] = (0, 0)
    """Device and number on it: two spellings of one folder have the same."""


def look(path: str) -> Fact | None:
    """The facts about a path; None when nothing is there."""
    try:
        info = os.lstat(path)
    except (OSError, ValueError):
        return None
    folder, name = os.path.split(path)
    real = os.path.join(os.path.realpath(folder), name) if name not in ("", ".", "..") else os.path.realpath(path)
    return Fact(
        path,
        real,
        os.path.realpath(path),
        stat.S_ISDIR(info.st_mode),
        stat.S_ISLNK(info.st_mode),
        stat.S_ISDIR(info.st_mode) and os.path.ismount(path),
        (info.st_dev, info.st_ino),
    )


def identities(paths: Iterable[str]) -> dict[tuple[int, int], str]:
    """These folders and all that they lie in, by identity: a target that is one of them would take them along."""
    found: dict[tuple[int, int], str] = {}
    for path in paths:
        here = path
        while here:
            try:
                info = os.stat(here)
            except (OSError, ValueError):
                break
            found.setdefault((info.st_dev, info.st_ino), path)
            if here == os.path.dirname(here):
                break
            here = os.path.dirname(here)
    return found


def filled(paths: Sequence[str], until: float, options: frozenset[str] = frozenset()) -> list[str]:
    """The paths that patterns stand for now, as a shell fills them in; a path without one is itself. A file that has
    the pattern's own name counts beside those it stands for: rather too many than few."""
    hidden = bool(options)
    if options & _OTHER_MEANING and any(map(is_pattern, paths)):
        raise TooMany("an option of the shell changes what patterns stand for")

    def each() -> Iterator[str]:
        for path in paths:
            if not is_pattern(path):
                yield path if os.path.lexists(path) else _by_bytes(path)
                continue
            if os.path.lexists(path):
                yield path
            yield from expanded(path, hidden=hidden, until=until)

    found = list(itertools.islice(each(), MOST_PATHS + 1))
    if len(found) > MOST_PATHS:
        raise TooMany(f"the pattern stands for more than {MOST_PATHS} paths")
    return list(dict.fromkeys(found))


HIDDEN_TOO = ("dotglob", "globdots", "glob_dots", "GLOB_DOTS")
_OTHER_MEANING = frozenset({"nocaseglob", "GLOBIGNORE", "nocase_glob"})
SHELL_OPTIONS = (*HIDDEN_TOO, *_OTHER_MEANING)
"""Words in a line after which a pattern stands for other files than usual."""


def _by_bytes(path: str) -> str:
    """`$'\\xe9'` is one byte to a shell, and was read as a letter here."""
    if path.isascii():
        return path
    try:
        named = os.fsdecode(path.encode("latin-1"))
    except UnicodeEncodeError:
        return path
    return named if os.path.lexists(named) else path


def repository_of(path: str, until: str = "/") -> str:
    """The innermost folder around a path that has a `.git` of its own; '' when there is none below or at `until`."""
    here = os.path.dirname(path)
    while here.startswith(until.rstrip("/") or "/"):
        if os.path.lexists(os.path.join(here, ".git")):
            return here
        if here == os.path.dirname(here):
            break
        here = os.path.dirname(here)
    return ""


def files_below(folder: str) -> list[str]:
    """The files, links and empty folders of a folder and of all in it, but for the repository itself and what tools
    make again."""
    found: list[str] = []
    for here, folders, names in os.walk(folder):
        found += [path for name in folders if os.path.islink(path := os.path.join(here, name))]
        if not folders and not names and here != folder:
            found.append(here)
        folders[:] = [name for name in folders if name != ".git" and name not in CERTAIN_ARTEFACTS]
        found += [os.path.join(here, name) for name in names]
        if len(found) > MOST_PATHS:
            raise TooMany(f"{folder} holds more than {MOST_PATHS} files")
    return found


def found_by(words: Sequence[str], folder: str, until: float) -> list[str] | None:
    """What `find` lists with these words, which hold no action; None when that cannot be said in time."""
    if not lists_only(words):
        return None
    seconds = min(_FIND_SECONDS, until - time.monotonic())
    if seconds <= 0:
        return None
    try:
        done = subprocess.run(
            ["find", *words, *(() if "-print0" in words else ("-print0",))],
            cwd=folder,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=seconds,
            check=False,
            env={"PATH": os.defpath, "LC_ALL": "C"},
        )
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    if done.returncode and not done.stdout:  # it did not understand, or there is nothing to begin with
        first, last = starts(words)
        begins = words[first:last] or (".",)
        return None if any(os.path.lexists(os.path.join(folder, each)) for each in begins) else []
    names = [os.path.join(folder, name) for name in os.fsdecode(done.stdout).split("\0") if name]
    return names if len(names) <= MOST_PATHS else None
