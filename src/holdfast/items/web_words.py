"""Finds words of the web and of tools in what an agent said, so that they keep their mark when the agent repeats them
(SEC-6). Pure.

A text that repeats eight consecutive words of a page was taken from it; fewer may be chance. Linear in both texts,
and bounded: a page counts with its first twenty thousand words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

IN_A_ROW = 8
WEB = "web: "
TOOL = "tool: "
_MOST_WORDS = 20_000
_MOST_CHARACTERS = 200_000
_WORD = re.compile(r"\w+")
_BETWEEN = re.compile(r"((?<=[.!?])\s+|\n+)")

WordRow = tuple[str, ...]


def marked(sentences: Sequence[str], pages: Iterable[str]) -> list[str]:
    """The sentences; those that repeat a page begin with `web: `."""
    rows = [_rows(sentence) for sentence in sentences]
    taken = _taken(set().union(*rows), pages)
    return [text if taken.isdisjoint(row) else _with_mark(text) for text, row in zip(sentences, rows, strict=True)]


def marked_texts(texts: Sequence[str], pages: Iterable[str], mark: str = WEB) -> list[str]:
    """Texts whose sentences that repeat a page begin with the mark; a text begins with it when the repetition spans its
    sentences. The pages are read once."""
    rows = [_rows(text) for text in texts]
    taken = _taken(set().union(*rows), pages)
    return [
        text if taken.isdisjoint(row) else _marked_text(text, taken, mark)
        for text, row in zip(texts, rows, strict=True)
    ]


def _marked_text(text: str, taken: set[WordRow], mark: str) -> str:
    parts = _BETWEEN.split(text)
    parts[::2] = [part if taken.isdisjoint(_rows(part)) else _with_mark(part, mark) for part in parts[::2]]
    new = "".join(parts)
    return new if mark in new or WEB in new else f"{mark}{text}"


def is_marked(text: str) -> bool:
    """Does it repeat a page or a tool's answer, as far as that was known when it was stored?"""
    return WEB in text or TOOL in text


def may_repeat(text: str) -> bool:
    """Is the text long enough to be known again?"""
    return len(_words(text)) >= IN_A_ROW


def unmarked(text: str) -> str:
    """The same text without marks."""
    return text.replace(WEB, "").replace(TOOL, "")


def _with_mark(text: str, mark: str = WEB) -> str:
    return text if text.startswith((WEB, mark)) else f"{mark}{text}"


def _rows(text: str) -> set[WordRow]:
    """All rows of eight consecutive words; of a shorter text none."""
    words = _words(text)
    return set(zip(*(words[at:] for at in range(IN_A_ROW)), strict=False))


def _taken(wanted: set[WordRow], pages: Iterable[str]) -> set[WordRow]:
    """Those of the rows that stand in one of the pages."""
    firsts = {row[0] for row in wanted}
    taken: set[WordRow] = set()
    for page in pages if wanted else ():
        words = _words(page)
        rows = (tuple(words[at : at + IN_A_ROW]) for at, word in enumerate(words) if word in firsts)
        taken.update(row for row in rows if row in wanted)
    return taken


def _words(text: str) -> list[str]:
    return [match[0] for match in islice(_WORD.finditer(text[:_MOST_CHARACTERS].lower()), _MOST_WORDS)]


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
