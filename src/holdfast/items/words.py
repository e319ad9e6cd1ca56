"""Short texts about items: one line, a short id, a pattern for LIKE, the web pages that a text names. Pure."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from functools import lru_cache

from holdfast.events.tokens import count_tokens
from holdfast.items.indexed import Trust
from holdfast.prose.one_line import one_line

SHORT = 8
"""Characters of an id that people and agents type: the last ones, which are random."""
WRITER_MARKS: Mapping[Trust, str] = {
    "user": "",
    "agent": "agent: ",
    "tool": "tool: ",
    "repository": "file: ",
    "web": "web: ",
}
"""Before the words of an item: who wrote them. Only the user's own words stand without a mark (SEC-6, SEC-8)."""
_LONGEST_OBJECTION = 160

USUAL_ID, DEAREST_ID = 8, 12
"""Tokens of a short id in brackets."""
_ID_FIRST = re.compile(r"\[[a-z][0-9a-f]{8}\]")
_FULL = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_SHORT = re.compile(r"([a-z]?)([0-9a-f]{8})")
_URL = re.compile(r"https?://[^\s<>\"')\]}]+")
_MOST_URLS = 8
_WORD = re.compile(r"\w+")
_MARKED = 14
"""Words of a sentence that its mark is made of: what is shown may be cut."""


def against(objection: str) -> str:
    """What an agent says against an item, as the end of its line; '' when none does."""
    return f" — an agent objects: {one_line(objection, _LONGEST_OBJECTION)}" if objection else ""


@lru_cache(maxsize=4_096)
def mark_of(sentence: str) -> str:
    """A short hash by which a sentence is known again, however it is spaced, written in capitals or cut off."""
    words = _WORD.findall(sentence.lower())[:_MARKED]
    return hashlib.blake2s(" ".join(words).encode(), digest_size=5).hexdigest()


def short_id(letter: str, full_id: str) -> str:
    """An id as people and agents are shown it: its family's letter and its last eight characters."""
    return f"{letter}{full_id[-SHORT:]}"


def line_tokens(line: str, each_id: int = USUAL_ID) -> int:
    """What a line costs that begins with a short id. Some ids cost twice what others do, and they are random: by their
    own cost, chance would choose which lines are told. The same for all, it does not."""
    found = _ID_FIRST.match(line)
    return count_tokens(line) if found is None else each_id + count_tokens(line[found.end() :])


def read_id(text: str) -> tuple[str, str] | None:
    """(letter or '', full id or last eight characters) of an id in either form; None when it is no id."""
    text = text.strip().strip("[]").lower()
    if _FULL.fullmatch(text):
        return "", text
    match = _SHORT.fullmatch(text)
    return (match[1], match[2]) if match else None


def pattern(text: str) -> str:
    """A pattern for LIKE that finds every text with these words, and perhaps a few more; '!' escapes. A letter beyond
    ASCII may be any character, because the databases do not agree on its lower case."""
    escaped = text.lower().replace("!", "!!").replace("%", "!%").replace("_", "!_")
    return f"%{''.join('_' if not each.isascii() and each.upper() != each else each for each in escaped)}%"


def urls_named(text: str) -> tuple[str, ...]:
    """The web pages that a text names, each with and without its fragment."""
    found: dict[str, None] = {}
    for match in _URL.finditer(text):
        url = match[0].rstrip(".,;:!?")
        found |= dict.fromkeys((url, url.partition("#")[0]))
    return tuple(found)[:_MOST_URLS]
