"""Mending what a payload's texts may hold: NULs, lone surrogates, private spans, our own marks, endless strings.

Standard library only: the command client mends too, before it spools.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from holdfast.events.fence import without_fences
from holdfast.road.cut import cut_unscrubbed
from holdfast.scrub.private import hide_private, without_private

STRING_LIMIT = 256 * 1024
"""Characters of one string that go further: scrubbing is linear, and the loop must not wait for it."""
ITEM_LENGTH = 64
"""What an item costs beside its characters: scrubbing a short string takes as long as that many characters more."""


def mend_text(text: str) -> str:
    if not text.isascii():
        text = text.encode("utf-8", "replace").decode("utf-8")
    if "\x00" in text:
        text = text.replace("\x00", "\ufffd")
    return without_fences(without_private(text))


def mend(payload: dict[str, Any]) -> int:
    """Mend every string of the tree, in place and without recursion; how many characters were cut."""
    hide_private(payload)
    cut = 0

    def one(text: str) -> str:
        nonlocal cut
        text, gone = cut_unscrubbed(mend_text(text), STRING_LIMIT)
        cut += gone
        return text

    stack: list[Any] = [payload]
    while stack:
        node = stack.pop()
        pairs = list(node.items()) if isinstance(node, dict) else list(enumerate(node))
        for key, value in pairs:
            if isinstance(value, str):
                node[key] = one(value)
            elif isinstance(value, dict | list):
                stack.append(value)
            if isinstance(key, str) and (mended := one(key)) != key:
                node[_free(node, mended)] = node.pop(key)
    return cut


def _free(node: dict[str, Any], key: str) -> str:
    """`key`, or another like it when it is taken: of two keys that mend to the same, neither value is lost."""
    number, free = 1, key
    while free in node:
        number += 1
        free = f"{key} ({number})"
    return free


def shorten(payload: dict[str, Any], length: int) -> int:
    """Leave out the items beyond `length`, the deepest first: the ids stand at the top. How many were left out.

    An item costs its own length and a little more, because a million short ones take long too. Long strings are cut
    later.
    """
    left, gone = length, 0
    waiting: deque[Any] = deque([payload])
    while waiting:
        node = waiting.popleft()
        keys = list(node) if isinstance(node, dict) else range(len(node))
        for position, key in enumerate(keys):
            if left <= 0:
                gone += len(keys) - position
                if isinstance(node, dict):
                    for late in keys[position:]:
                        del node[late]
                else:
                    del node[position:]
                break
            value = node[key]
            left -= ITEM_LENGTH + (min(len(value), STRING_LIMIT) if isinstance(value, str) else 0)
            if isinstance(value, dict | list):
                waiting.append(value)
    return gone
