"""Where a sentence ends: not behind "St.", "Dr.", "e.g." or an initial. Pure; linear."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from holdfast.patterns import lazy_pattern

_ABBREVIATED = lazy_pattern(
    r"(?:(?<!\w)(?:e\.g|i\.e|a\.k\.a|z\.\s?B|d\.\s?h|u\.\s?a|p\.\s?ej|p\.\s?ex|etc|vs|cf|approx|resp|incl|excl|max|min"
    r"|bzw|ca|evtl|ggf|inkl|usw|env"
    r"|Nos?|Nr|Fig|Sec|Art|Vol|Ch|pp|St|Ste|Dr|Drs|Mr|Mrs|Ms|Prof|Sr|Sra|Jr|Hr|Fr|Mt|Ft|Gov|Gen|Col|Lt|Inc|Ltd|Corp|Dept"
    r"|Univ|Ave|Blvd|Str|Abs|Tel|Jan|Feb|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)"
    r"|(?<![\w.°$#])(?<!\d )(?:[A-Z]\.)*[A-Za-z])\.\Z"
)
"""A single letter is an initial ("J. Smith", "z. B."), unless a number is before it. "Option A." ends a sentence."""
_IS_CHOICE = lazy_pattern(
    r"(?:option|plan|variant|part|step|phase|case|team|grade|group|drive|vitamin) [A-Z]\.\Z", re.IGNORECASE
)
_LONGEST_WORD = 24


def ends_abbreviated(text: str) -> bool:
    """Does a text end with an abbreviation, so that its sentence goes on?"""
    tail = text[-_LONGEST_WORD:]
    return _ABBREVIATED.search(tail) is not None and _IS_CHOICE.search(tail) is None


def rejoined(parts: Iterable[str]) -> Iterator[str]:
    """The pieces of a text that was cut behind each point, those behind an abbreviation put together again."""
    held: list[str] = []
    for part in parts:
        held.append(part)
        if not ends_abbreviated(part):
            yield " ".join(held)
            held.clear()
    if held:
        yield " ".join(held)
