"""When a newer sentence names a value of an older one as given up: "500/s now, it replaces the 200/s", "the 200 is off
the table", "30日は撤回". Pure; every pattern is linear in its text.

What else the older sentence says may still hold: it is told with the newer one, and not instead of it. One figure
proves nothing: both sentences name the same thing, too, and the figure has the same unit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.patterns import lazy_pattern
from holdfast.prose.updates.settled import words_of
from holdfast.prose.updates.states import SINCE_A_CHANGE
from holdfast.recall.tokens import general_terms
from holdfast.shell.tools import listed

_LONGEST_READ = 400
_MOST_SENTENCES = 12
_LEAST_SHARED = 2
_SENTENCE = lazy_pattern(r"(?<=[.!?])\s+|(?<=[。！？])\s*|\n")
_VALUE = (
    r"(?<!\d)(?P<{0}>\d{{1,12}}(?:[.,]\d{{1,9}}){{0,3}})(?!\d) ?(?P<{0}unit>%|° ?[cf]\b|[€$£]|/ ?[a-z]{{1,8}}"
    r"|[a-z]{{1,12}}\b|[日月年分秒時円件人回週]|度)?"
)
_GIVEN_UP = tuple(
    lazy_pattern(pattern.replace("VALUE", _VALUE.format("old")), re.IGNORECASE)
    for pattern in (
        r"\b(?:replac(?:es|ed|ing)|instead of|rather than|no longer|not any more|anstatt|statt|nicht mehr|au lieu de"
        r"|plutôt que|en (?:lugar|vez) de|em vez de|invece di|in plaats van|già)"
        r"(?: (?:the|an?|old|former|earlier|at|after|on|of|only|der|die|das|den|les?|la|los|las|de)){0,3} VALUE",
        r"\b(?:up|down|raised|lowered|changed|moved|cut|extended|shortened|increased|reduced|went)(?: from)?"
        r" VALUE to (?=\d)",
        r"\bvon VALUE auf (?=\d)",
        r"\b(?:from|de|da|van) VALUE (?:to|à|a|naar) (?=\d)",
        r"(?<![A-Za-z0-9_.,])VALUE(?: [a-z]{2,15}){0,2} (?:is|are|was|were) (?:now )?(?:off the table|out|gone"
        r"|withdrawn|history|over"
        r"|dropped|obsolete|no longer|not (?:\w{2,12} ){0,2}any ?more|vom tisch|hinfällig)\b",
        r"VALUE ?(?:は|を|が)? ?(?:撤回|廃止|やめ|取り消|ではな)",
        r"VALUE(?:から|→) ?\d",
    )
)
_RANGES = (_GIVEN_UP[3], _GIVEN_UP[-1])
"""It may only say from when to when: "from 10 to 12 the server is down", "10時から12時まで"."""
_CHANGES = lazy_pattern(
    r"変更|変わ|引き[上下]|増や|減ら|→|\b(?:rais|lower|chang|moved|extend|shorten|increas|reduc|decreas|drop|grow|grew|rose|fell|went"
    r"|go(?:es)?\b|pass[eéa]"
    r"|augment|rédui|aument|reduz|reduc|sub[eió]|baj[aó]|cambi|mudo|pas[aó]\b|verhoog|verlaag|wijzig|gewijzig)",
    re.IGNORECASE,
)
_UNITS = {
    "second": "s", "seconds": "s", "sec": "s", "secs": "s", "sekunden": "s", "minute": "min", "minutes": "min",
    "minuten": "min", "minutos": "min", "hours": "h", "hour": "h", "stunden": "h", "heures": "h", "horas": "h",
    "days": "day", "tage": "tag", "jours": "jour", "días": "día", "weeks": "week", "months": "month", "years": "year",
    "percent": "%", "prozent": "%", "euro": "€", "eur": "€",
}  # fmt: skip
_NO_UNIT = listed(
    "is are was were and or to the a an in on at for with per of now any not from as by und oder ist sind auf mit für"
    " et ou est sont y o es son"
)
_SAID = lazy_pattern(_VALUE.format("old").replace("(?P<old>", r"(?<![A-Za-z0-9_.,])(?P<old>"), re.IGNORECASE)


def may_withdraw(new: str) -> bool:
    text = new[: 4 * _LONGEST_READ]
    return any(pattern.search(text) for pattern in _GIVEN_UP)


def withdrawn(new: str, old: str) -> str:
    """The sentence of `new` that names a value of `old` as given up; '' when none does."""
    told = {(number, unit) for number, unit in _values(_SAID, old[:_LONGEST_READ])}
    if not told:
        return ""
    about, known = (_telling(words_of(text[:_LONGEST_READ])) for text in (new, old))
    for sentence in _SENTENCE.split(new[: 4 * _LONGEST_READ])[:_MOST_SENTENCES]:
        text = sentence.strip()[:_LONGEST_READ]
        if not text or text.endswith(("?", "？")):
            continue
        for pattern in _GIVEN_UP:
            if pattern in _RANGES and not (_CHANGES.search(text) or SINCE_A_CHANGE.search(text)):
                continue
            gone = {value for value in _values(pattern, text) if any(_are_one(value, each) for each in told)}
            if gone and len(about & known) >= _LEAST_SHARED:
                return text
    return ""


def _values(pattern: re.Pattern[str], text: str) -> Iterator[tuple[str, str]]:
    for found in pattern.finditer(text):
        unit = (found["oldunit"] or "").lower().replace(" ", "")
        yield found["old"].replace(",", "."), "" if unit in _NO_UNIT else _UNITS.get(unit, unit)


def _are_one(gone: tuple[str, str], told: tuple[str, str]) -> bool:
    """The same figure, of the same unit: "the 200" is the 200/s that was told before."""
    return gone[0] == told[0] and (gone[1] == told[1] or not gone[1])


def _telling(words: frozenset[str]) -> frozenset[str]:
    return frozenset(word for word in words - general_terms() if not word.replace("_", "").isdigit())
