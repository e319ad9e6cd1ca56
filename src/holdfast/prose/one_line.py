"""A text on one line. Pure."""

from __future__ import annotations

import re

LONGEST_TITLE = 160
_SPACE = re.compile(r"\s+")


def one_line(text: str, longest: int = LONGEST_TITLE) -> str:
    """`text` on one line, cut at a word where possible."""
    flat = _SPACE.sub(" ", text).strip()
    if len(flat) <= longest:
        return flat
    cut = flat[: longest - 1]
    space = cut.rfind(" ")
    return f"{(cut[:space] if space > longest // 2 else cut).rstrip(' ,;:')}…"
