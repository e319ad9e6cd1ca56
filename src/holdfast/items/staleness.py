"""What became of the files that an item names: moved, changed much, or gone. An item that names a file that is gone is
ranked below others, and says so.

The disk is asked at the moment of the answer, so that a deletion, another branch or another worktree counts at once.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from holdfast.items.sources import NO_NEWS, FileNews

_MOST_FILES = 12
"""Files of one item that are looked at."""
_LONGEST = 100


def _nothing_known(path: str, since: int) -> FileNews:
    return NO_NEWS


class Files:
    """The files of one worktree."""

    def __init__(self, root: str, news: Callable[[str, int], FileNews] = _nothing_known) -> None:
        """`news` tells of a path what became of it since a moment, from memory."""
        self._root = root
        self._news = news

    def is_there(self, path: str) -> bool:
        """Does a file still exist here, be it under another name?"""
        if os.path.exists(path if path.startswith("/") else os.path.join(self._root, path)):
            return True
        return not path.startswith("/") and self._moved(path) != ""

    def _moved(self, path: str) -> str:
        to = self._news(path, 0).moved_to
        return to if to and os.path.exists(os.path.join(self._root, to)) else ""

    def facts(self, files: Sequence[str], since: int) -> tuple[str, ...]:
        """What to say about the files of an item, in a few words: where they went, or that much changed. At most one of
        each, the first."""
        gone: list[str] = []
        moved = changed = ""
        for path in files[:_MOST_FILES]:
            if path.startswith("/"):
                continue  # outside the project files come and go
            if not os.path.exists(os.path.join(self._root, path)):
                to = self._moved(path)
                if not to:
                    gone.append(path)
                elif not moved:
                    moved = f"{_short(path)} is now {_short(to)}"
            elif not changed and (times := self._news(path, since).changes):
                changed = f"{_short(path)} changed {times} times since"
        return tuple(each for each in (_gone(gone), moved, changed) if each)


def _gone(paths: Sequence[str]) -> str:
    if not paths:
        return ""
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    return f"{_short(paths[0])}{more} no longer exist{'s' if len(paths) == 1 else ''}"


def _short(path: str) -> str:
    """The end of a path, on one line."""
    flat = " ".join(path.split())
    return flat if len(flat) <= _LONGEST else f"…{flat[-_LONGEST:]}"


def files_at(root: str, news: Callable[[str, int], FileNews] = _nothing_known) -> Files | None:
    """The files of a worktree; None when it is not there itself, so that nothing is known of them."""
    return Files(root, news) if root and os.path.isdir(root) else None
