"""The spellings under which a file may be stored, and whether words name it. Pure."""

from __future__ import annotations

import functools
import posixpath
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_BEGIN = r"(?<![A-Za-z0-9_./~-])(?:\./)?"
_END = r"(?![A-Za-z0-9_/-]|\.[A-Za-z0-9_])"
_DOTTED = re.compile(r"\.\w")


@dataclass(frozen=True, slots=True)
class Spelling:
    path: str
    project: str = ""
    """The id of the project in which it means this file; '' is every project."""


def is_full(path: str) -> bool:
    """Does a path mean the same file in every project?"""
    return path.startswith(("/", "~"))


def spellings(paths: Iterable[str], project: str, worktrees: Sequence[tuple[str, str]]) -> tuple[Spelling, ...]:
    """One file as it may be kept: relative in its own project, in full in the others. `worktrees` are (project, path);
    `project` is that of relative paths, '' is every project."""
    found: dict[Spelling, None] = {}
    for path in paths:
        if is_full(path):
            found[Spelling(path)] = None
            for of, root in worktrees:
                if path.startswith(f"{root.rstrip('/')}/"):
                    found[Spelling(posixpath.relpath(path, root), of)] = None
        else:
            found[Spelling(path, project)] = None
            full = [posixpath.join(root, path) for of, root in worktrees if project in ("", of)]
            found |= dict.fromkeys(map(Spelling, full))
    return tuple(found)


def valid(spelled: Iterable[Spelling], project: str) -> tuple[str, ...]:
    """The paths that mean the file in a project. (A row of all projects, '', is of each.)"""
    return tuple(dict.fromkeys(each.path for each in spelled if not each.project or project in ("", each.project)))


def fewest(spelled: Iterable[Spelling]) -> list[str]:
    """The fewest paths to search for: a text with any of the paths has one of these."""
    paths = {each.path for each in spelled}
    return sorted(path for path in paths if not any(other != path and other in path for other in paths))


def named_in(words: str, paths: tuple[str, ...]) -> bool:
    """Do words name a file by one of these paths? `x.py` is named neither by `src/x.py` nor by `x.py.bak`."""
    pattern = _pattern(paths)
    return pattern is not None and pattern.search(words) is not None


@functools.lru_cache(maxsize=64)
def _pattern(paths: tuple[str, ...]) -> re.Pattern[str] | None:
    # `src` or `Makefile` in a sentence is a word like others; only what looks like a path is one.
    told = [path for path in paths if "/" in path.strip("/") or _DOTTED.search(posixpath.basename(path))]
    return re.compile(f"{_BEGIN}(?:{'|'.join(map(re.escape, told))}){_END}") if told else None
