"""Is this the same text, scrubbed by other rules? Rules change with holdfast's versions; what was kept stays. Pure.

A mark may stand for anything, so the words between the marks of one text must stand in the other, in order.
"""

from __future__ import annotations

import re

_MARK = re.compile(r"\[scrubbed:[a-z0-9-]{1,64}\]")
_LEAST = 8
"""Characters besides marks that two texts must share: a mark alone says nothing."""


def alike(one: str, other: str) -> bool:
    """The same, or the same but for what one of them had removed. Linear."""
    if one == other:
        return True
    return _covers(one, other) or _covers(other, one)


def _covers(marked: str, whole: str) -> bool:
    """Does `marked`, each mark standing for some characters, read as `whole`?"""
    pieces = _MARK.split(marked)
    if len(pieces) == 1 or sum(map(len, pieces)) < _LEAST:
        return False
    first, *middle, last = pieces
    end = len(whole) - len(last)
    if not whole.startswith(first) or not whole.endswith(last) or len(first) > end:
        return False
    at = len(first)
    for piece in middle:
        found = whole.find(piece, at, end)
        if found < 0:
            return False
        at = found + len(piece)
    return True
