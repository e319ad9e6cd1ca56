"""The cause and the solution of a repaired failure, out of the agent's closing words. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from holdfast.patterns import lazy_pattern
from holdfast.prose.one_line import one_line
from holdfast.prose.sentence_ends import rejoined

_SENTENCE = lazy_pattern(r"(?<=[.!?])\s+|\n+")
_MARKS = lazy_pattern(r"^[\s#>*\-\d.)]+|[*_`]{1,3}")
_CAUSE = lazy_pattern(
    r"\b(?:root cause|cause was|caused by|because|due to|the (?:problem|bug|issue|culprit|reason) (?:was|is)|"
    r"turned out|was (?:never|not|missing|wrong)|were (?:never|not|missing)|did ?n[o']t|forgot)\b",
    re.IGNORECASE,
)
_SOLUTION = lazy_pattern(
    r"\b(?:fix(?:ed|es)?|repair(?:ed|s)?|solv(?:ed|es)|chang(?:ed|es)|replac(?:ed|es)|add(?:ed|s)|remov(?:ed|es)|now |"
    r"install(?:ed|s)|renam(?:ed|es)|mov(?:ed|es)|updat(?:ed|es)|set )",
    re.IGNORECASE,
)
_FILE = lazy_pattern(r"\b[\w/-]{1,120}\.(?!\d)[a-z]\w{0,5}\b(?!\()")
_LONGEST = 20_000
_MOST = 300


_QUOTED = lazy_pattern(r"['\"`‘“]([\w@][\w@./:-]{2,60})['\"`’”]")
_TEST = lazy_pattern(r"\b(?:test_\w{2,80}|\w{2,80}_test|\w{2,80}(?:Error|Exception))\b|\b[A-Z]{1,4}\d{3,5}\b")


def quoted(text: str) -> set[str]:
    """What a failure names: words in quotes, tests, kinds of errors and their numbers."""
    plain = text[:_LONGEST]
    return {*_QUOTED.findall(plain), *_TEST.findall(plain)}


def said_of(said: str, names: Sequence[set[str]]) -> list[str]:
    """For each of some matters the part of an agent's words that is about it: the sentences that name it and no other.
    Of one that is alone all but those that are about another file."""
    sentences = list(rejoined(_SENTENCE.split(said[:_LONGEST])))
    if len(names) == 1:
        return ["\n".join(_not_about_others(sentences, names[0]))]
    parts = []
    for number, own in enumerate(names):
        others = set().union(*(each for at, each in enumerate(names) if at != number))
        alone = own - others
        parts.append("\n".join(each for each in sentences if any(name in each for name in alone)))
    return parts


def _not_about_others(sentences: Sequence[str], own: set[str]) -> Iterator[str]:
    """The sentences but for those that name another file, and those behind them that name none."""
    is_ours = True
    for each in sentences:
        files = {found.rsplit("/", 1)[-1] for found in _FILE.findall(each)}
        if any(name in each for name in own):
            is_ours = True
        elif files:
            is_ours = False
        if is_ours:
            yield each


def cause_and_solution(said: str) -> tuple[str, str]:
    """(root cause, solution) as the agent told them; '' where it did not."""
    sentences = [_MARKS.sub("", part).strip() for part in rejoined(_SENTENCE.split(said[:_LONGEST]))]
    told = [part for part in sentences if len(part.split()) > 3 and not part.endswith("?")]
    cause = next((part for part in told if _CAUSE.search(part)), "")
    solution = next((part for part in told if part != cause and _SOLUTION.search(part)), "")
    return one_line(cause, _MOST), one_line(solution, _MOST)
