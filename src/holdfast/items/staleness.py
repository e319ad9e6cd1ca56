"""What happened to the files and functions that an item names: moved, changed much, or gone. An item that names what is
gone is ranked below others, and says so.

The disk is asked at the moment of the answer, so that a deletion, another branch or another worktree counts at once.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence

from holdfast.items.sources import NO_NEWS, FileNews

_MOST_FILES = 12
"""Files of one item that are looked at."""
_LONGEST = 100
NAMES_GONE = 0.6
"""The factor on the score of an item all of whose names are gone, as that of its files (`recall.fuse`)."""


def _nothing_known(path: str, since: int) -> FileNews:
    return NO_NEWS


def _no_names(text: str) -> Mapping[str, str]:
    return {}


class Files:
    """The files of one worktree, and the names in its code. Made for one answer."""

    def __init__(
        self,
        root: str,
        news: Callable[[str, int], FileNews] = _nothing_known,
        names: Callable[[str], Mapping[str, str]] = _no_names,
    ) -> None:
        """`news` says what happened to a path since a moment, from memory; `names` of a text which names in it are
        known, and which file no longer has them (`sources.KnowsSymbols`)."""
        self._root = root
        self._news = news
        self._names = names
        self._read: dict[str, Mapping[str, str]] = {}

    def is_there(self, path: str) -> bool:
        """Does a file still exist here, be it under another name?"""
        if os.path.exists(path if path.startswith("/") else os.path.join(self._root, path)):
            return True
        return not path.startswith("/") and self._moved(path) != ""

    def _moved(self, path: str) -> str:
        to = self._news(path, 0).moved_to
        return to if to and os.path.exists(os.path.join(self._root, to)) else ""

    def _standing(self, text: str) -> Mapping[str, str]:
        known = self._read.get(text)
        if known is None:
            known = self._read[text] = self._names(text)
        return known

    def names_there(self, text: str) -> float:
        """A factor on the score of an item with these words: below 1 when names in it are gone."""
        known = self._standing(text)
        return 1.0 - (1.0 - NAMES_GONE) * sum(map(bool, known.values())) / len(known) if known else 1.0

    def facts(self, files: Sequence[str], since: int, text: str = "") -> tuple[str, ...]:
        """What to say about the files of an item and the names in its words: where they went, or that much changed. At
        most one of each, the first."""
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
        names = (
            [(name, path) for name, path in self._standing(text).items() if path and path not in gone] if text else []
        )
        return tuple(each for each in (_gone(gone), moved, changed, _gone_names(names)) if each)


def _gone(paths: Sequence[str]) -> str:
    if not paths:
        return ""
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    return f"{_short(paths[0])}{more} no longer exist{'s' if len(paths) == 1 else ''}"


def _gone_names(names: Sequence[tuple[str, str]]) -> str:
    if not names:
        return ""
    (name, path), *rest = names
    more = f" and {len(rest)} more name{'s' if len(rest) > 1 else ''}" if rest else ""
    return f"{_short(name)}{more} no longer exist{'' if rest else 's'} in {_short(path)}"


def _short(path: str) -> str:
    """The end of a path, on one line."""
    flat = " ".join(path.split())
    return flat if len(flat) <= _LONGEST else f"…{flat[-_LONGEST:]}"


def files_at(
    root: str,
    news: Callable[[str, int], FileNews] = _nothing_known,
    names: Callable[[str], Mapping[str, str]] = _no_names,
) -> Files | None:
    """The files of a worktree; None when it is not there itself, so that nothing is known of them."""
    return Files(root, news, names) if root and os.path.isdir(root) else None
