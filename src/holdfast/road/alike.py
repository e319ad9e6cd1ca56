"""Are two texts the same, scrubbed by different rules? Rules change with holdfast's versions; stored text stays as it
is. Pure.

A mark may stand for anything, so the words between the marks of one text must occur in the other, in order.
"""

from __future__ import annotations

import re

_MARK = re.compile(r"\[scrubbed:[a-z0-9-]{1,64}\]")
_LEAST = 8
"""Characters besides marks that two texts must share: a mark alone says nothing."""


def alike(one: str, other: str) -> bool:
    """The same, or the same except for what was scrubbed from one of them. Linear."""
    if one == other:
        return True
    return _covers(one, other) or _covers(other, one)


def _covers(marked: str, whole: str) -> bool:
    """Does `marked` match `whole`, if each mark stands for some characters?"""
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
