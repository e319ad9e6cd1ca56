"""What the user says to be open still: "the restart is still on his list, he waits for the new host". Pure.

It is the newest word on a matter: what else was done that day is something else.
"""

from __future__ import annotations

import re

from holdfast.patterns import lazy_pattern
from holdfast.prose.prompts.before import with_subject
from holdfast.prose.prompts.pasted import own_words

_LONGEST_READ, _LONGEST, _LEAST_WORDS = 1_000, 220, 5
_SENTENCE = lazy_pattern(r"(?<=[.!?;])\s+|\n+")
_STILL = lazy_pattern(
    r"\b(?:(?:is|are|['’]s|has|have|hasn['’]t|haven['’]t|isn['’]t|aren['’]t|waits?|needs?) still"
    r"|still (?:on|open|with|has(?:n['’]t)?|have(?:n['’]t)?|waits?|waiting|needs?|pending|not|to|missing|isn['’]t"
    r"|aren['’]t)"
    r"|(?:immer noch|noch immer|noch nicht|weiterhin|sigue|siguen|todavía|toujours|encore|ainda|ancora|nog)"
    r" [\w'’]{2,20})\b",
    re.IGNORECASE,
)
_ORDERS = lazy_pattern(
    r"\b(?:fix|repair|why|how come|should|can you|could you|please|pls|warum|por qué|pourquoi)\b", re.IGNORECASE
)
"""Who wants it mended reports a fault."""


def still_open_in(prompt: str) -> list[str]:
    """The sentences that say so, in the user's words; with the one before, where only that names what it is about."""
    text = own_words(prompt)[:_LONGEST_READ]
    if not _STILL.search(text):
        return []
    found = (each.strip() for each in _SENTENCE.split(text))
    return [
        with_subject(text, each).rstrip(".")
        for each in found
        if len(each.split()) >= _LEAST_WORDS
        and len(each) <= _LONGEST
        and not each.endswith(("?", "？"))
        and _STILL.search(each)
        and not _ORDERS.search(each)
    ]
