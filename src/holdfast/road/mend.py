"""Mending what a payload's texts may hold: NULs, lone surrogates, private spans, our own marks, endless strings.

Standard library only: the command client mends too, before it spools.
"""

from __future__ import annotations

from typing import Any

from holdfast.events.fence import without_fences
from holdfast.road.cut import cut_unscrubbed
from holdfast.road.private import without_private

STRING_LIMIT = 256 * 1024
"""Characters of one string that go further: scrubbing is linear, and the loop must not wait for it."""


def mend_text(text: str) -> str:
    if not text.isascii():
        text = text.encode("utf-8", "replace").decode("utf-8")
    if "\x00" in text:
        text = text.replace("\x00", "\ufffd")
    return without_fences(without_private(text))


def mend(payload: dict[str, Any]) -> int:
    """Mend every string of the tree, in place and without recursion; how many characters were cut."""
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
