"""Do two lines say the same in other words? Pure.

A subagent's report and the turn that repeats it, or two sessions that end alike, are said once. Precision first: lines
with other numbers, other names of code, or of which one denies something, are two. What is not done and what is still
waited for is the same ("The report is not printed: floor 2 is out of paper", "Floor 2 still waits for its report").
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from holdfast.patterns import lazy_pattern
from holdfast.recall.tokens import terms

_SHARED, _SHARED_OF_FEW, _FEW = 0.65, 0.8, 7
"""The share of all their words that both have; of lines with fewer words it is more."""
_INSIDE = 0.85
"""The share of a line's words that the other has, which says more."""
_LEAST, _LEAST_OF_OPEN = 4, 2
"""Words that a line must have to be compared; fewer are enough where both lines mention something open."""
_LONGEST_READ = 600
_HEAD = lazy_pattern(r"(?:- )?(?:\[[a-z][0-9a-f]{8}\] )?(?:[a-z][a-z ]{2,12}: )?")
_REMARKS = lazy_pattern(
    r"\s?\((?:about|asked): [^()]{0,300}+(?:\([^()]{0,100}\)[^()]{0,200}+){0,3}\)|\s?\([^()]{1,120}+\)\s?$"
    r"|\s— replaces: .{0,300}$"
)
_DENIES = lazy_pattern(
    r"\b(?:not|no|never|nothing|none|nobody|without|cannot|no longer|instead|fails?|failed|unless)\b|n't\b",
    re.IGNORECASE,
)
_OPEN = lazy_pattern(
    r"\bstill (?:open|to|with|waits?|waiting|pending|missing|needs?|blocked|outstanding|unresolved|unclear)\b"
    r"|\bwait(?:s|ing)? (?:for|on|until)\b|\bpending\b|\boutstanding\b|\bblocked (?:by|on)\b|\bto ?do\b"
    r"|\bnot (?:\w+ )?yet\b|\byet to\b|\b(?:is|are) missing\b|\bremains? (?:open|to)\b|\bleft (?:to do|open)\b",
    re.IGNORECASE,
)
_UNDONE = lazy_pattern(
    r"\b(?:is|are|was|were|has|have|did|could|can)(?: not|n't) (?:yet |been )*\w+|\bcannot \w+|\bwithout\b",
    re.IGNORECASE,
)
"""It says of something that it was not done; "no errors" does not."""
_STATE = frozenset(terms("still yet open wait waits waiting pending missing blocked outstanding remains left todo"))
"""They say that something is open, and not what."""
_NUMBER = lazy_pattern(r"\d+(?:[.,]\d+)*")
_NAME = lazy_pattern(
    r"\b\w+_\w+|\b[a-z]+[A-Z]\w*|\b[A-Z]\w*[a-z]\w*[A-Z]\w*|\b[\w.-]+/[\w./-]+|\b\w+\.[a-z]{1,5}\b|--\w[\w-]*"
)


@dataclass(frozen=True, slots=True)
class Matter:
    """What a line says, for comparing."""

    words: frozenset[str]
    numbers: frozenset[str]
    names: frozenset[str]
    denials: int
    is_open: bool = False
    """It mentions something that is not done yet."""
    is_undone: bool = False


@lru_cache(maxsize=1_024)
def matter_of(line: str) -> Matter:
    text = line[:_LONGEST_READ]
    head = _HEAD.match(text)
    text = text[head.end() :] if head else text
    before = ""
    while before != text:
        before, text = text, _REMARKS.sub("", text)
    names = frozenset(each.lower() for each in _NAME.findall(text))
    return Matter(
        words=frozenset(terms(text)),
        numbers=frozenset(_NUMBER.findall(text)),
        names=names,
        denials=len(_DENIES.findall(text)),
        is_open=_OPEN.search(text) is not None,
        is_undone=_UNDONE.search(text) is not None,
    )


def says_the_same(later: Matter, earlier: Matter) -> bool:
    """Does the later line add nothing to the earlier one?"""
    if later.numbers - earlier.numbers or later.names - earlier.names:
        return False
    if later.is_open and (earlier.is_open or earlier.is_undone):
        told = later.words - _STATE
        if len(told) >= _LEAST_OF_OPEN and told <= earlier.words:
            return True
    if bool(later.denials) != bool(earlier.denials):
        return False
    least = min(len(later.words), len(earlier.words))
    if least < _LEAST:
        return False
    shared = len(later.words & earlier.words)
    if shared >= _INSIDE * len(later.words):
        return True
    if earlier.numbers - later.numbers or earlier.names - later.names:
        return False
    return shared >= (_SHARED if least >= _FEW else _SHARED_OF_FEW) * len(later.words | earlier.words)


_NEXT = lazy_pattern(r"(?<=[.!?])\s+(?=[A-Z`\"(])")


def repeats(line: str, before: Iterable[str]) -> bool:
    """Does a line, or the sentence that it begins with, say what a line before says?"""
    told = [matter_of(each) for each in before]
    if not told:
        return False
    first = _NEXT.split(line, maxsplit=1)[0]
    said = [matter_of(line)] + ([matter_of(first)] if first != line else [])
    return any(says_the_same(one, each) for one in said for each in told)
