"""Finds where keywords and long runs of letters and digits stand in a text, and compiles patterns. Keywords by
Aho-Corasick where it is installed, by the standard library where it is not (the command client); both ways give the
same positions.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Protocol

try:
    import ahocorasick_rs
except ImportError:  # the command client runs without site-packages
    FAST = False
else:
    FAST = True

WordHit = tuple[int, int, int]
LONGEST_WORD = 64


class Finder(Protocol):
    def hits(self, folded: bytes) -> list[WordHit]: ...


class AutomatonFinder:
    """Aho-Corasick. Overlapping, because `sk-ant-` must not hide `sk-`, nor `secret` hide `secret_key`."""

    def __init__(self, words: list[bytes]) -> None:
        self._automaton = ahocorasick_rs.BytesAhoCorasick(words, implementation=ahocorasick_rs.Implementation.DFA)

    def hits(self, folded: bytes) -> list[WordHit]:
        return self._automaton.find_matches_as_indexes(folded, overlapping=True)


class PlainFinder:
    """`bytes.find`, word by word."""

    def __init__(self, words: list[bytes]) -> None:
        self._words = words

    def hits(self, folded: bytes) -> list[WordHit]:
        found: list[WordHit] = []
        for index, word in enumerate(self._words):
            at = folded.find(word)
            while at != -1:
                found.append((index, at, at + len(word)))
                at = folded.find(word, at + 1)
        return found


SHORT, PIECE = 16_384, 4_096
"""Bytes that are searched for keywords in one call, and of a longer text: a call holds the interpreter, and others wait
for it."""


def in_order(finder: Finder, folded: bytes) -> Iterator[list[WordHit]]:
    """All keywords, by where they begin, in pieces."""
    if len(folded) <= SHORT:
        yield sorted(finder.hits(folded), key=_start)
        return
    for low in range(0, len(folded), PIECE):
        piece = finder.hits(folded[low : low + PIECE + LONGEST_WORD])
        yield [(word, low + at, low + end) for word, at, end in sorted(piece, key=_start) if at < PIECE]


def _start(hit: WordHit) -> int:
    return hit[1]


def finder(words: list[bytes], fast: bool) -> Finder:
    return AutomatonFinder(words) if fast else PlainFinder(words)


@lru_cache(maxsize=2048)
def compiled(pattern: bytes) -> re.Pattern[bytes]:
    """For attempts at one place: linear, because every repetition in the rules is bounded (a test proves it)."""
    return re.compile(pattern)


LEAST_RUN = 26
"""Every rule without a keyword wants so many letters, digits and `+/_-` in a row."""
_LETTERS = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-")
_AS_MARKS = bytes(0x78 if byte in _LETTERS else 0x20 for byte in range(256))
_MARKS = b"x" * LEAST_RUN


def long_runs(data: bytes) -> Iterator[tuple[int, int]]:
    """Where so many letters and digits stand in a row. Two calls over the whole text: a tenth of a pattern's time."""
    marks = data.translate(_AS_MARKS)
    at = marks.find(_MARKS)
    while at >= 0:
        end = marks.find(b" ", at + LEAST_RUN)
        end = len(data) if end < 0 else end
        yield at, end
        at = marks.find(_MARKS, end)
