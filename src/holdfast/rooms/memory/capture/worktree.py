"""Reads a worktree's files: its commit (from git's own files, without a git process), which files exist, and how the
client spells its root.
"""

from __future__ import annotations

import functools
import os
import time
from collections import OrderedDict
from collections.abc import Callable

from holdfast.gitfiles import branch_of, head_of

_FRESH_SECONDS = 5.0
_MOST = 256
_LONGEST_BRANCH = 120
KEPT = 12
"""Characters of a hash that are kept: unique in any repository, and short to show."""


class Heads:
    """Looks up the commit and the branch of a worktree, and remembers them for a few seconds."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, tuple[float, str, str]] = OrderedDict()

    def at(self, worktree: str) -> str:
        """The first characters of the commit's hash; '' outside git or before the first commit."""
        return self._look(worktree)[0]

    def branch_at(self, worktree: str) -> str:
        """The branch; '' outside git and on no branch."""
        return self._look(worktree)[1]

    def _look(self, worktree: str) -> tuple[str, str]:
        if not worktree:
            return "", ""
        now = time.monotonic()
        known = self._known.get(worktree)
        if known and now - known[0] < _FRESH_SECONDS:
            return known[1:]
        found = head_of(worktree)[:KEPT], branch_of(worktree)[:_LONGEST_BRANCH]
        self._known[worktree] = (now, *found)
        self._known.move_to_end(worktree)
        if len(self._known) > _MOST:
            self._known.popitem(last=False)
        return found


def is_there(worktree: str) -> Callable[[str], bool]:
    """Does a cited file still exist in this worktree?"""
    return lambda path: os.path.exists(path if path.startswith("/") else os.path.join(worktree, path))


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
