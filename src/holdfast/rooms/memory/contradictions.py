"""When newer words say that older ones no longer hold: "no longer", "instead of", "switched from X to Y". Pure.

The older words must be about the very thing that is given up. Who may replace whom is decided by rank (`items.ranks`).
"""

from __future__ import annotations

import re

from holdfast.recall.tokens import terms

_CLAUSE = r"(?P<old>[^.;,:!?\n]{2,80})"
_MOVED = r"\b(?:switch(?:ed|ing)?|mov(?:ed|ing)|migrat(?:ed|ing)|chang(?:ed|ing)|went|going)"
_GONE = r"(?:gone|dropped|deprecated|retired|obsolete|abolished)"


def _patterns(*written: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(each, re.IGNORECASE) for each in written)


_GIVEN_UP = _patterns(
    rf"{_MOVED} (?:[\w-]+ ){{0,4}}?(?:over )?from {_CLAUSE}? (?:over )?to\b",
    rf"\breplac(?:ed|es|ing) {_CLAUSE}? (?:with|by)\b",
    rf"\b(?:instead of|rather than|in place of|as opposed to) {_CLAUSE}",
    rf"\b(?:replaces|supersedes) {_CLAUSE}",
    rf", (?:and )?not {_CLAUSE}",
)
"""They name what is given up."""
_DENIED = _patterns(
    rf"\bno longer (?:be |being )?{_CLAUSE}",
    rf"\b(?:not|n't|never) {_CLAUSE}? any ?more\b",
    rf"\b(?:stopped|dropped|abandoned|retired|gave up(?: on)?|got rid of) {_CLAUSE}",
    rf"(?P<old>[^.;,:!?\n]{{2,60}}?) (?:is|are|was|were|has been|have been) {_GONE}\b",
)
"""They deny what held before."""
_USES = re.compile(
    r"\b(?:use[sd]?|using|via|with|through|by|on|in|prefer\w*|default\w*|runs?|is|are|always|must|should|requires?)\b",
    re.IGNORECASE,
)
_LONGEST_READ = 2_000
_SHORT = 8
"""Terms of a memory that is about one thing."""


def gives_up(new: str) -> bool:
    """Do these words say of anything that it no longer holds?"""
    return any(pattern.search(new) for pattern in (*_GIVEN_UP, *_DENIED))


def given_up(new: str, old: str) -> str:
    """The words of `new` by which `old` no longer holds; '' when it still does."""
    new, old = new[:_LONGEST_READ], old[:_LONGEST_READ]
    known = set(terms(old))
    ours = set(terms(new))
    for patterns, least in ((_GIVEN_UP, 1), (_DENIED, 2)):
        for pattern in patterns:
            for found in pattern.finditer(new):
                named = set(terms(found["old"]))
                if _is_it(named, known, ours, old, least):
                    return " ".join(found[0].split()).strip(" ,")
    return ""


def _is_it(named: set[str], known: set[str], ours: set[str], old: str, least: int) -> bool:
    if not named or not named & known:
        return False
    if len(ours & known) >= 2 and len(named & known) * 2 >= len(named):
        return len(ours & known) * 3 >= len(known)
    return least == 1 and named <= known and len(known) <= _SHORT and bool(_USES.search(old))
