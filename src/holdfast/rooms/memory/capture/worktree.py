"""Reads a worktree's files: its commit (from git's own files, without a git process), and how the client spells its
root.
"""

from __future__ import annotations

import functools
import os
from collections import OrderedDict
from collections.abc import Callable

from holdfast.gitfiles import branch_of, head_files, head_of

_MOST = 256
_LONGEST_BRANCH = 120
KEPT = 12
"""Characters of a hash that are kept: unique in any repository, and short to show."""

_Stamp = tuple[tuple[int, int] | None, ...]
"""Inode and time of change of some files; None for one that is not there."""


class Heads:
    """Looks up the commit and the branch of a worktree, and remembers them as long as git's own files stay the same:
    git replaces `HEAD` at a checkout and the branch's file at a commit."""

    def __init__(self) -> None:
        self._commits: OrderedDict[str, tuple[tuple[str, ...], _Stamp, str]] = OrderedDict()
        self._branches: OrderedDict[str, tuple[tuple[str, ...], _Stamp, str]] = OrderedDict()

    def at(self, worktree: str) -> str:
        """The first characters of the commit's hash; '' outside git or before the first commit."""
        return _looked_up(self._commits, worktree, head_files, lambda place: head_of(place)[:KEPT])

    def branch_at(self, worktree: str) -> str:
        """The branch; '' outside git and on no branch."""
        return _looked_up(
            self._branches,
            worktree,
            lambda place: head_files(place)[:1],
            lambda place: branch_of(place)[:_LONGEST_BRANCH],
        )


def _looked_up(
    known: OrderedDict[str, tuple[tuple[str, ...], _Stamp, str]],
    worktree: str,
    files: Callable[[str], tuple[str, ...]],
    look: Callable[[str], str],
) -> str:
    if not worktree:
        return ""
    before = known.get(worktree)
    if before and _stamp(before[0]) == before[1]:
        return before[2]
    paths = files(worktree) or (os.path.join(worktree, ".git"),)  # outside git: as long as that is not there
    stamp = _stamp(paths)  # before the look: what changes meanwhile is seen the next time
    found = look(worktree)
    known[worktree] = (paths, stamp, found)
    known.move_to_end(worktree)
    if len(known) > _MOST:
        known.popitem(last=False)
    return found


def _stamp(paths: tuple[str, ...]) -> _Stamp:
    return tuple(map(_changed, paths))


def _changed(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns


@functools.lru_cache(maxsize=1_024)
def root_of(cwd: str, worktree: str) -> str:
    """The worktree's root as the client spells it. The client's paths may go through a symbolic link; the road's do
    not.
    """
    real = os.path.realpath(cwd) if cwd else ""
    if not real or real == cwd or not (real + "/").startswith(worktree + "/"):
        return worktree
    below = real[len(worktree) :]
    return cwd.removesuffix(below) if cwd.endswith(below) else worktree
