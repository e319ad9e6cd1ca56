"""What a pattern of a shell stands for now. It only lists folders, and ends in time whatever the links in them do."""

from __future__ import annotations

import fnmatch
import os
import re
import time
from collections.abc import Iterator, Sequence

MOST_PATHS = 20_000
"""Paths that one command may name by patterns. What names more is not looked at, and counts as unknown."""
_MOST_PARTS = 64
_LONGEST_PART = 1_000
_SIGNS = re.compile(r"[*?\[]")
_CLASS = re.compile(r"\[[!^]?\[[:.=]\w+[:.=]\]\]")


class TooMany(Exception):
    """A pattern stands for more paths than are looked at, or for paths that cannot be told."""


def is_pattern(path: str) -> bool:
    return _SIGNS.search(path) is not None


def expanded(path: str, *, hidden: bool, until: float) -> Iterator[str]:
    """The paths that a path with patterns stands for. `**` reaches all folders below, but goes through no link: so
    do the shells. `hidden`: a `*` stands for names with a dot in front, too."""
    parts = [_of_python(part) for part in path.split("/") if part]
    if len(parts) > _MOST_PARTS or any(len(part) > _LONGEST_PART for part in parts):
        raise TooMany("the pattern is too long")
    waiting = [("/" if path.startswith("/") else ".", 0)]
    seen: set[tuple[str, int]] = set()
    while waiting:
        if time.monotonic() > until or len(seen) > 10 * MOST_PATHS:
            raise TooMany("what the pattern stands for cannot be told in time")
        here, place = waiting.pop()
        if place == len(parts):
            yield here
        elif parts[place] == "**":
            if (here, place) in seen:
                continue
            seen.add((here, place))
            waiting.append((here, place + 1))
            for name, is_folder in _listed(here, hidden):
                if is_folder:
                    waiting.append((os.path.join(here, name), place))
                elif place + 1 == len(parts):
                    yield os.path.join(here, name)
        elif is_pattern(parts[place]):
            dotted = hidden or parts[place].startswith(".")
            names = [name for name, _ in _listed(here, dotted)]
            waiting += [(os.path.join(here, name), place + 1) for name in fnmatch.filter(names, parts[place])]
        elif os.path.lexists(there := os.path.join(here, parts[place])):
            waiting.append((there, place + 1))


def _listed(folder: str, hidden: bool) -> Sequence[tuple[str, bool]]:
    """The names in a folder, and whether each is one itself."""
    try:
        with os.scandir(folder) as found:
            return [
                (each.name, each.is_dir(follow_symlinks=False))
                for each in found
                if hidden or not each.name.startswith(".")
            ]
    except (OSError, ValueError):
        return ()


def _of_python(part: str) -> str:
    """A part of a shell's pattern as `fnmatch` takes it. A class such as `[[:digit:]]` is any character: rather too
    many than few."""
    part = _CLASS.sub("?", part).replace("[^", "[!")
    if "[:" in part or "[." in part or "[=" in part:
        raise TooMany("the pattern has classes of characters")
    return part
