"""Finds where keywords stand in a text, and compiles patterns: by Aho-Corasick and RE2 where installed, by
the standard library where they are not (the command client). Both ways give the same positions.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Protocol

try:
    import ahocorasick_rs
    import re2
except ImportError:  # the command client runs without site-packages
    FAST = False
else:
    FAST = True

Hit = tuple[int, int, int]
LONGEST_WORD = 64


class Finder(Protocol):
    def hits(self, folded: bytes) -> list[Hit]: ...


class AutomatonFinder:
    """Aho-Corasick. Overlapping, because `sk-ant-` must not hide `sk-`, nor `secret` hide `secret_key`."""

    def __init__(self, words: list[bytes]) -> None:
        self._automaton = ahocorasick_rs.BytesAhoCorasick(words, implementation=ahocorasick_rs.Implementation.DFA)

    def hits(self, folded: bytes) -> list[Hit]:
        return self._automaton.find_matches_as_indexes(folded, overlapping=True)


class PlainFinder:
    """`bytes.find`, word by word."""

    def __init__(self, words: list[bytes]) -> None:
        self._words = words

    def hits(self, folded: bytes) -> list[Hit]:
        found: list[Hit] = []
        for index, word in enumerate(self._words):
            at = folded.find(word)
            while at != -1:
                found.append((index, at, at + len(word)))
                at = folded.find(word, at + 1)
        return found


PIECE = 65_536
"""Bytes that are searched for keywords in one call: a call holds the interpreter, and others wait for it."""


def in_order(finder: Finder, folded: bytes) -> list[Hit]:
    """All keywords, by where they begin."""
    if len(folded) <= PIECE:
        return sorted(finder.hits(folded), key=_start)
    found: list[Hit] = []
    for low in range(0, len(folded), PIECE):
        piece = finder.hits(folded[low : low + PIECE + LONGEST_WORD])
        found += [(word, low + at, low + end) for word, at, end in sorted(piece, key=_start) if at < PIECE]
    return found


def _start(hit: Hit) -> int:
    return hit[1]


def finder(words: list[bytes], fast: bool) -> Finder:
    return AutomatonFinder(words) if fast else PlainFinder(words)


@lru_cache(maxsize=2048)
def compiled(pattern: bytes) -> re.Pattern[bytes]:
    """For attempts at one place. There `re` takes a tenth of the time of RE2's Python binding, and it stays
    linear because every repetition in the rules is bounded (a test proves it)."""
    return re.compile(pattern)


@lru_cache(maxsize=16)
def _linear(pattern: bytes) -> "re.Pattern[bytes]":
    return re2.compile(pattern)  # type: ignore[no-any-return]


def everywhere(pattern: bytes, data: bytes, fast: bool) -> Iterator[tuple[int, int]]:
    """All matches of a pattern in the whole text: the one place where RE2's speed over long text counts."""
    for match in (_linear(pattern) if fast else compiled(pattern)).finditer(data):
        yield match.span()
