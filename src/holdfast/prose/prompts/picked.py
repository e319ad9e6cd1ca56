"""What "the second one" means: the user chose by the place, and what stood there was said before. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from holdfast.patterns import lazy_pattern

_LONGEST_REPLY, _LONGEST_READ, _LONGEST_OPTION = 80, 4_000, 90
_MOST_OPTIONS = 9
_NTH = (
    ("first", "1st", "1", "a", "former", "erste", "premier", "première", "primero", "primera"),
    ("second", "2nd", "2", "b", "zweite", "deuxième", "second", "seconde", "segundo", "segunda"),
    ("third", "3rd", "3", "c", "dritte", "troisième", "tercero", "tercera"),
    ("fourth", "4th", "4", "d", "vierte", "quatrième", "cuarto", "cuarta"),
)
_LAST = ("last", "latter", "letzte", "letztere", "dernier", "dernière", "último", "última")
_NAMES = "|".join(sorted({name for names in (*_NTH, _LAST) for name in names}, key=len, reverse=True))
_PLACE = lazy_pattern(
    r"(?:(?:no+|nope|yes|yep|ok(?:ay)?|hm+|sure|please|then|actually|nein|ja|lieber|non|oui|plutôt|sí|mejor|dann)"
    r"[,.!:]? +){0,3}"
    r"(?:(?:i (?:meant?|prefer|want|choose|pick)|i'd (?:take|go with)|let's (?:take|go with|use)|take|use|go with"
    r"|go for|pick|choose|nimm|nehmen wir|prends|usa|toma) )?"
    r"(?:(?:the|option|number|variant|version|den|die|das|le|la|el|no\.?) ){0,2}"
    rf"(?P<which>{_NAMES})[nrs]?"
    r"(?: (?:one|option|variant|version|approach|way|choice|variante|opción|solution|lösung))?"
    r"(?:,? (?:please|pls|then|bitte|dann|stp|por favor))*[.! ]*",
    re.IGNORECASE,
)
_LISTED = lazy_pattern(
    r"(?:^|[\s(:])(?:\*\*)?(?:option )?(?P<mark>[1-9]|[a-dA-D])[.):](?:\*\*)? +"
    r"(?P<text>[^\n?]{2,200}?)(?=[\s(;,]+(?:or |and |oder |ou |o )?(?:\*\*)?(?:[1-9]|[a-dA-D])[.):] |\n|[?]|\Z)",
    re.MULTILINE,
)
_BULLET = lazy_pattern(r"^[ \t]*[-*•] +(?P<text>[^\n]{2,200})$", re.MULTILINE)
_EITHER = lazy_pattern(
    r"\b(?:use|take|go with|keep|choose|prefer|have|run on|be|between|to|nehmen|nutzen|verwenden|prendre|utiliser|usar)"
    r" (?P<one>[^?.\n:;]{2,80}?),? (?:or|oder|ou|o) (?:rather |lieber |plutôt )?(?P<other>[^?.\n:;]{2,80})\?",
    re.IGNORECASE,
)


def place_in(reply: str) -> str:
    """The word for the place when a reply only chooses by it: "second"; '' when it says more, or something else."""
    found = _PLACE.fullmatch(reply.strip()[:_LONGEST_REPLY]) if len(reply) <= _LONGEST_REPLY else None
    return found["which"].lower() if found else ""


def picked(place: str, said: str) -> str:
    """What stood at a place in what was said; '' when nobody can tell."""
    options = _options(said[-_LONGEST_READ:])
    at = len(options) - 1 if place in _LAST else next((at for at, names in enumerate(_NTH) if place in names), -1)
    found = options[at].strip(" *_`.,;") if 0 <= at < len(options) and len(options) > 1 else ""
    return "" if len(found) > _LONGEST_OPTION or _PLACE.fullmatch(found) else found


def _options(said: str) -> Sequence[str]:
    """What was offered, in its order: a numbered list, a list, or "this or that?"."""
    numbered: list[re.Match[str]] = list(_LISTED.finditer(said))[:_MOST_OPTIONS]
    marks = [each["mark"].lower() for each in numbered]
    if len(marks) > 1 and marks in (list("123456789")[: len(marks)], list("abcd")[: len(marks)]):
        return [each["text"] for each in numbered]
    bullets = [each["text"] for each in _BULLET.finditer(said)]
    if 1 < len(bullets) <= _MOST_OPTIONS:
        return bullets
    either = list(_EITHER.finditer(said))
    return [either[-1]["one"], either[-1]["other"]] if either else []
