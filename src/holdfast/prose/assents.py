"""A sentence that begins with a word of assent and then says how things are since: "Makes sense, it's DIN 33466 now."
Pure."""

from __future__ import annotations

import re

from holdfast.patterns import lazy_pattern
from holdfast.prose import cues

_PROMISES = lazy_pattern(r"(?:i['’]ll|i will|we['’]ll|we will|ich werde|je |voy a|lo )\b", re.IGNORECASE)
_MARK = ",:;.!—–-"
_LONGEST = 500


def without_assent(text: str) -> str:
    """The sentence without the assent, where the rest says how things are; else the sentence as it is."""
    found = cues.CONFIRMS.match(text[:_LONGEST])
    if found is None or not any(mark in _MARK for mark in found[0].rstrip()[-1:]):
        return text
    rest = text[found.end() :]
    if not cues.HOLDS.search(rest[:_LONGEST]) or _PROMISES.match(rest):
        return text
    return rest[:1].upper() + rest[1:]
