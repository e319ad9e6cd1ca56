"""Does a sentence only say where a cause is, so that the sentence behind it says which? "The reason is in the data."
Pure."""

from __future__ import annotations

import re

from holdfast.patterns import lazy_pattern
from holdfast.prose import cues

_POINTS_TO = lazy_pattern(
    r"(?:(?:so|but|and) )?(?:the|my|our|its) (?:\w+ ){0,2}?(?:reasons?|causes?|problem|culprit|explanation|bug|issue"
    r"|fault|trouble|difference) (?:for (?:it|this|that) )?(?:is|was|are|were|lies|lay|sits|sat|comes from|came from) "
    r"(?!(?:now |all |already )?(?:fixed|gone|solved|resolved|mended|closed|repaired)\b)"
    r"(?:[\w'’-]+ ?){1,11}\.",
    re.IGNORECASE,
)
_LONGEST = 75
_IS_NOT = lazy_pattern(
    r"(?:no[,:] )?(?:it|this|that)(?:['’]s not| is not| isn['’]t| was not| wasn['’]t) (?:[\w'’-]+ ?){1,6}\.",
    re.IGNORECASE,
)
_IT_IS = lazy_pattern(r"(?:it|this|that)(?:['’]s| is| was)\b(?! not\b)", re.IGNORECASE)


def is_pointer(text: str) -> bool:
    """A sentence that names code or a figure says something itself."""
    if len(text) > _LONGEST or cues.IDENTIFIER.search(text) or cues.NUMBER.search(text):
        return False
    return _POINTS_TO.fullmatch(text) is not None


def denies_first(text: str, after: str) -> bool:
    """ "It isn't a leak." says what a cause is not; the sentence behind it, "It's four copies.", says what it is."""
    return len(text) <= _LONGEST and _IS_NOT.fullmatch(text) is not None and _IT_IS.match(after) is not None
