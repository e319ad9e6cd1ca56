"""Which project and worktree a folder belongs to, read from the file system: no git process on the hook's time.

A project is its git common directory, so that worktrees and subfolders are one; outside git it is the folder itself.
A name that the project's own settings give wins over both.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass

from holdfast.gitfiles import repository

_FRESH_SECONDS = 30.0
_MOST_FOLDERS = 4096


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """A folder's project (`place` identifies it, `name` is for people) and worktree."""

    place: str
    name: str
    worktree: str


NOWHERE = Whereabouts("nowhere", "nowhere", "")
"""For an event that names no folder."""


class Atlas:
    """Finds the project and worktree of a folder, and remembers them for a while (a folder may become a repository)."""

    def __init__(self, named: Callable[[str], str]) -> None:
        self._named = named
        self._known: dict[str, tuple[float, Whereabouts]] = {}

    def find(self, cwd: str) -> Whereabouts:
        if not cwd:
            return NOWHERE
        now = time.monotonic()
        known = self._known.get(cwd)
        if known and now - known[0] < _FRESH_SECONDS:
            return known[1]
        if len(self._known) >= _MOST_FOLDERS:
            self._known.clear()
        try:
            found = whereabouts(cwd, self._named)
        except (OSError, ValueError):  # no path that this system could have
            found = Whereabouts(cwd, os.path.basename(cwd) or cwd, cwd)
        self._known[cwd] = (now, found)
        return found

    def locate(self, folder: str) -> tuple[str, str]:
        """The place and the name of a folder's project."""
        found = self.find(folder)
        return found.place, found.name


def whereabouts(cwd: str, named: Callable[[str], str] = lambda root: "") -> Whereabouts:
    """The project and worktree of a folder. `named` gives the name that a root's own settings choose, or ''. What is no
    whole path is the name of a project whose folder nobody told."""
    if not os.path.isabs(cwd):
        return Whereabouts(cwd, cwd, cwd)
    folder = os.path.realpath(cwd)
    root, common = repository(folder)
    own = named(root)
    if own:
        return Whereabouts(f"project:{own}", own, root)
    if common:
        owner = os.path.dirname(common) if os.path.basename(common) == ".git" else common
        return Whereabouts(common, os.path.basename(owner).removesuffix(".git") or owner, root)
    return Whereabouts(folder, os.path.basename(folder) or folder, folder)
