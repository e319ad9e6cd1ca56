"""The few words of an item that answer a search, and where its words stand in them. Pure."""

from __future__ import annotations

import re
from collections.abc import Set

from holdfast.prose.sentence_ends import rejoined
from holdfast.recall.tokens import terms

LONGEST_READ = 8_000
"""Characters of an item that are looked at."""
_RUN = re.compile(r"[\w'’./\\:@+-]+")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_SPACE = re.compile(r"\s+")
_BEFORE = 6
"""Words that are shown before the first one that was asked for."""


def snippet(text: str, asked: Set[str], longest: int, beside: str = "") -> str:
    """The sentences with the most of these terms, in their order, on one line; '' when none has any, or when it would
    only repeat what stands beside it."""
    parts = [_SPACE.sub(" ", part).strip() for part in rejoined(_SENTENCE.split(text[:LONGEST_READ]))]
    parts = [part for part in dict.fromkeys(parts) if part and not _repeats(part, beside)]
    worth = {part: len(asked & set(terms(part))) for part in parts}
    telling = sorted((part for part in parts if worth[part]), key=lambda part: -worth[part])
    if not telling:
        return ""
    if len(telling[0]) > longest:
        return _around(telling[0], asked, longest)
    chosen: list[str] = []
    left = longest
    for part in telling:
        if len(part) + 3 <= left or not chosen:
            chosen.append(part)
            left -= len(part) + 3
    return " … ".join(part for part in parts if part in chosen)


def _repeats(part: str, beside: str) -> bool:
    """Does it stand there already, be it without its label ("Answered: …")?"""
    return part in beside or (": " in part and part.partition(": ")[2] in beside)


def _around(sentence: str, asked: Set[str], longest: int) -> str:
    words = sentence.split()
    first = next((at for at, word in enumerate(words) if asked & set(terms(word))), 0)
    begin = max(0, first - _BEFORE)
    shown = ("… " if begin else "") + " ".join(words[begin:])
    return shown if len(shown) <= longest else f"{shown[: longest - 1].rstrip()}…"


def marks(text: str, asked: Set[str]) -> list[tuple[int, int]]:
    """Where words with these terms stand in a text."""
    return [found.span() for found in _RUN.finditer(text) if asked & set(terms(found[0]))]
