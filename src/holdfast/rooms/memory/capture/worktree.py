"""What is asked of a worktree's files: its commit (from git's own files, without a git process), what still exists,
and how the client spells its root."""

from __future__ import annotations

import functools
import os
import re
import time
from collections import OrderedDict
from collections.abc import Callable

_FRESH_SECONDS = 5.0
_MOST = 256
_HASH = re.compile(r"[0-9a-f]{40,64}")
KEPT = 12
"""Characters of a hash that are kept: unique in any repository, and short to show."""


class Heads:
    """Looks commits up and remembers each for a few seconds."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, tuple[float, str]] = OrderedDict()

    def at(self, worktree: str) -> str:
        """The first characters of the commit's hash; '' outside git or before the first commit."""
        if not worktree:
            return ""
        now = time.monotonic()
        known = self._known.get(worktree)
        if known and now - known[0] < _FRESH_SECONDS:
            return known[1]
        found = head_of(worktree)[:KEPT]
        self._known[worktree] = (now, found)
        self._known.move_to_end(worktree)
        if len(self._known) > _MOST:
            self._known.popitem(last=False)
        return found


def head_of(worktree: str) -> str:
    """The hash that HEAD of this worktree means."""
    git_dir = os.path.join(worktree, ".git")
    if os.path.isfile(git_dir):
        line = _line(git_dir)
        if not line.startswith("gitdir:"):
            return ""
        git_dir = os.path.join(worktree, line.removeprefix("gitdir:").strip())
    common = _line(os.path.join(git_dir, "commondir"))
    common_dir = os.path.join(git_dir, common) if common else git_dir
    head = _line(os.path.join(git_dir, "HEAD"))
    if not head.startswith("ref:"):
        return head if _HASH.fullmatch(head) else ""
    name = head.removeprefix("ref:").strip()
    if ".." in name:
        return ""
    for folder in (git_dir, common_dir):
        found = _line(os.path.join(folder, *name.split("/")))
        if _HASH.fullmatch(found):
            return found
    return _packed(os.path.join(common_dir, "packed-refs"), name)


def _packed(path: str, name: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            for line in file:
                found, _, ref = line.strip().partition(" ")
                if ref == name and _HASH.fullmatch(found):
                    return found
    except OSError:
        pass
    return ""


def _line(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.readline(4096).strip()
    except OSError:
        return ""


def is_there(worktree: str) -> Callable[[str], bool]:
    """Does a cited file still exist in this worktree?"""
    return lambda path: os.path.exists(path if path.startswith("/") else os.path.join(worktree, path))


@functools.lru_cache(maxsize=1_024)
def root_of(cwd: str, worktree: str) -> str:
    """The worktree's root as the client spells it: its paths may go through a link that the road has resolved."""
    real = os.path.realpath(cwd) if cwd else ""
    if not real or real == cwd or not (real + "/").startswith(worktree + "/"):
        return worktree
    below = real[len(worktree) :]
    return cwd.removesuffix(below) if cwd.endswith(below) else worktree
