"""`<private>…</private>`: removed before anything is kept. Unclosed and nested tags are private to their end."""

from __future__ import annotations

import re

_TAG = re.compile(r"<(/?)private\b[^>]*>", re.IGNORECASE)


def without_private(text: str) -> str:
    """`text` without its private spans."""
    if "<" not in text or not _TAG.search(text):
        return text
    kept: list[str] = []
    depth, start = 0, 0
    for tag in _TAG.finditer(text):
        closing = bool(tag[1])
        if not closing:
            if depth == 0:
                kept.append(text[start : tag.start()])
            depth += 1
        elif depth:
            depth -= 1
            start = tag.end()
    if depth == 0:
        kept.append(text[start:])
    return "".join(kept)
