"""The core of a told outcome, for where there is no room for all of it: its result, and with a cause what was done
about it. Pure.

A cause alone reads as if it still were so, and what the fix brought ("A sale takes 2 s now.") does not say what it was.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from holdfast.events.subjects import need
from holdfast.patterns import lazy_pattern
from holdfast.prose import cues
from holdfast.prose.closing import FIX, classify, says_how_it_is
from holdfast.prose.passages import cut_at_clause
from holdfast.prose.pointers import is_pointer
from holdfast.prose.sentences import split_line

_SAYS = 1.0
"""The weight of a sentence that says something."""
_LEAST_FACT = 3
"""Words of a sentence with a figure that says something."""
_IS_WHY = lazy_pattern(r"\b(?:that|which|this) is why\b", re.IGNORECASE)
_LEAST_CAUSE = 60
"""Characters that a cause keeps beside what was done about it."""


def mended_in(parts: Sequence[str]) -> int:
    """Which of some sentences says what was done about the cause before it: one that is labelled so, else the first
    that says how things are since then; -1 for none."""
    fixes = [at for at, each in enumerate(parts) if each.startswith(FIX)]
    return next(iter((*fixes, *(at for at, each in enumerate(parts) if says_how_it_is(each)))), -1)


def outcome_in(parts: Sequence[str]) -> int:
    """Which sentence is the result: the first that says something; before what was done about it, the one that
    a word marks as the cause."""
    says = [at for at, each in enumerate(parts) if classify(each).weight >= _SAYS or (not at and _states_a_fact(each))]
    mended = mended_in(parts)
    causes = [
        at for at in says if at < mended and classify(parts[at]).kind == "finding" and not _IS_WHY.search(parts[at])
    ]
    top = next(iter(says), 0)
    top = causes[0] if causes and classify(parts[top]).kind == "answer" else top
    goes_on = is_pointer(parts[top]) and top + 1 < len(parts) and top + 1 != mended
    return top + 1 if goes_on else top


def _states_a_fact(text: str) -> bool:
    """ "Production runs 2.5.0." is short, and says all."""
    return len(text.split()) >= _LEAST_FACT and cues.NUMBER.search(text) is not None


def core(text: str, longest: int) -> str:
    """The result that a text tells, a cause with what was done about it; the cause is cut where the room is short."""
    parts = split_line(text) or [text]
    top = outcome_in(parts)
    mended = top if says_how_it_is(parts[top]) else mended_in(parts)
    if mended <= top:
        return parts[top]
    room = longest - len(parts[mended]) - 1
    return f"{cut_at_clause(parts[top], max(room, _LEAST_CAUSE))} {parts[mended]}"


def what_holds(text: str) -> str:
    """Of a text that begins with how it was, what it says was done; else what it says first."""
    parts = split_line(text) or [text]
    mended = mended_in(parts) if tells_how_it_was(parts[0]) else -1
    told = parts[mended].removeprefix(FIX) if mended > 0 else parts[0]
    if mended <= 0 or need(told):
        return parts[0]
    return f"{told[0].upper()}{told[1:]}" if told[0].isalpha() else told


def tells_how_it_was(text: str) -> bool:
    if says_how_it_is(text) or cues.DID.match(text) or cues.ACTED.match(text):
        return False
    return classify(text).kind == "finding" or cues.WAS.search(text) is not None
