"""What a summary does not say. Pure.

The user's words count as kept only when they stand in the summary as they were said. Anything else is kept when most of
its telling words stand close together in the summary.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import islice

from holdfast.shell.tools import listed

_WORD = re.compile(r"[\w./:#@-]{2,}")
_SUMMARY = re.compile(r"<summary>(.*?)(?:</summary>|\Z)", re.DOTALL)
_COMMON = listed(
    "the and for that this with from have has was were are not but you our its into then than them they there which"
    " will would should could can now also use used using only just very more most some any all one two per via out off"
    " on in at to of is it be by or as an we do did done so if no yes add make get set run"
)
_SPAN = 60
"""Words of the summary that are looked at together."""
_MOST_OF = 0.7
_MOST_PLACES = 64
"""Places of one word that are looked at: a word that stands everywhere tells nothing."""
_MOST_WORDS = 64
"""Words of one line that are looked for."""


def summary_of(text: str) -> str:
    """What a model wrote between its summary's tags; all of it when there are none."""
    found = _SUMMARY.search(text)
    return found[1].strip() if found else text.strip()


def known_by(summary: str) -> Callable[[str, bool], bool]:
    """A test for lines: does the summary say it, word for word or in its own words?"""
    words = [word.strip(".:-").lower() for word in _WORD.findall(summary)]
    flat = " ".join(words)
    places: dict[str, list[int]] = {}
    for at, word in enumerate(words):
        if len(at_word := places.setdefault(word, [])) < _MOST_PLACES:
            at_word.append(at)

    def knows(line: str, exact: bool) -> bool:
        asked = [word.strip(".:-").lower() for word in _WORD.findall(line)]
        if not asked:
            return True
        if " ".join(asked) in flat:
            return True
        if exact:
            return False
        telling = set(islice((word for word in asked if word not in _COMMON), _MOST_WORDS))
        return bool(telling) and _close(telling, places)

    return knows


def _close(telling: set[str], places: dict[str, list[int]]) -> bool:
    """Do most of the words stand within one span of the summary?"""
    found = sorted((at, word) for word in telling for at in places.get(word, ()))
    needed = max(1, round(_MOST_OF * len(telling)))
    inside: dict[str, int] = {}
    begin = 0
    for at, word in found:
        inside[word] = inside.get(word, 0) + 1
        while found[begin][0] < at - _SPAN:
            old = found[begin][1]
            inside[old] -= 1
            if not inside[old]:
                del inside[old]
            begin += 1
        if len(inside) >= needed:
            return True
    return False
