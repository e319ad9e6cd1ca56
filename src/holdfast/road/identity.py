"""Which project and worktree a folder belongs to, read from the file system: no git process on the hook's time.

A project is its git common directory, so that worktrees and subfolders are one; outside git it is the folder itself.
A name that the project's own settings give wins over both.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass

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
    """Looks folders up and remembers them for a while (a folder may become a repository later)."""

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
    """The project and worktree of a folder. `named` gives the name that a root's own settings choose, or ''."""
    folder = os.path.realpath(cwd)
    root, common = _repository(folder)
    own = named(root)
    if own:
        return Whereabouts(f"project:{own}", own, root)
    if common:
        owner = os.path.dirname(common) if os.path.basename(common) == ".git" else common
        return Whereabouts(common, os.path.basename(owner).removesuffix(".git") or owner, root)
    return Whereabouts(folder, os.path.basename(folder) or folder, folder)


def _repository(folder: str) -> tuple[str, str]:
    """The worktree's root and the common git directory, or the folder and ''."""
    current = folder
    while True:
        mark = os.path.join(current, ".git")
        if os.path.isdir(mark):
            return current, os.path.realpath(mark)
        if os.path.isfile(mark) and (common := _common_directory(mark, current)):
            return current, common
        if _is_bare(current):
            return current, current
        parent = os.path.dirname(current)
        if parent == current:
            return folder, ""
        current = parent


def _is_bare(folder: str) -> bool:
    """A git directory without a working copy. (One named `.git` belongs to the folder around it.)"""
    if os.path.basename(folder) == ".git":
        return False
    return os.path.isfile(os.path.join(folder, "HEAD")) and all(
        os.path.isdir(os.path.join(folder, part)) for part in ("objects", "refs")
    )


def _common_directory(mark: str, root: str) -> str:
    """Follow a worktree's (or submodule's) `.git` file: gitdir, then its `commondir` where there is one."""
    line = _first_line(mark)
    if not line.startswith("gitdir:"):
        return ""
    git_dir = os.path.realpath(os.path.join(root, line.removeprefix("gitdir:").strip()))
    common = _first_line(os.path.join(git_dir, "commondir"))
    return os.path.realpath(os.path.join(git_dir, common)) if common else git_dir


def _first_line(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.readline(4096).strip()
    except OSError:
        return ""
