"""Finds words of the web in what an agent said, so that they keep their mark when the agent repeats them (SEC-6). Pure.

A sentence that repeats eight consecutive words of a page was taken from it; fewer may be chance. Linear in both texts,
and bounded: a page counts with its first twenty thousand words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

IN_A_ROW = 8
WEB = "web: "
_MOST_WORDS = 20_000
_MOST_CHARACTERS = 200_000
_WORD = re.compile(r"\w+")


def marked(sentences: Sequence[str], pages: Iterable[str]) -> list[str]:
    """The sentences; those that repeat a page begin with `web: `."""
    rows = [_rows(sentence) for sentence in sentences]
    wanted = set().union(*rows) if rows else set()
    if not wanted:
        return list(sentences)
    taken = set().union(*(wanted & _rows(page) for page in pages))
    return [f"{WEB}{text}" if not taken.isdisjoint(row) else text for text, row in zip(sentences, rows, strict=True)]


def _rows(text: str) -> set[tuple[str, ...]]:
    """All rows of eight consecutive words; of a shorter sentence none."""
    words = [match[0] for match in islice(_WORD.finditer(text[:_MOST_CHARACTERS].lower()), _MOST_WORDS)]
    return set(zip(*(words[at:] for at in range(IN_A_ROW)), strict=False))


def texts_in(value: Any) -> str:
    """All texts of a tool's answer, whatever its shape, without recursion; as many as count."""
    found: list[str] = []
    room = _MOST_CHARACTERS
    waiting = [value]
    while waiting and room > 0:
        here = waiting.pop()
        if isinstance(here, str):
            found.append(here)
            room -= len(here)
        elif isinstance(here, dict):
            waiting += reversed(here.values())
        elif isinstance(here, list):
            waiting += reversed(here)
    return "\n".join(found)
