"""`<private>…</private>`: removed before anything is kept. Unclosed and nested tags are private to their end."""

from __future__ import annotations

import re

# Only the beginning of a tag is matched: where an opening one ends does not matter, and a pattern that looked for its
# end would take quadratic time on a text full of beginnings. `<private-network>` is another tag.
_TAG = re.compile(r"<(?:(/)private(?=[\s/>]|\Z)|private\s*/>|(private)(?=[\s/>]|\Z))", re.IGNORECASE)


def without_private(text: str) -> str:
    """`text` without its private spans."""
    if "<" not in text:
        return text
    kept: list[str] = []
    depth, start = 0, 0
    for tag in _TAG.finditer(text):
        if tag[2]:
            if depth == 0:
                kept.append(text[start : tag.start()])
            depth += 1
        elif tag[1] and depth:
            depth -= 1
            start = text.find(">", tag.end()) + 1
            if not start:
                return "".join(kept)
    if depth == 0:
        kept.append(text[start:])
    return "".join(kept)
