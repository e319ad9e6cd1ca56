"""How a language says that something is to be done otherwise: the parts that `reading` puts together. Pure.

Texts are compared folded (small letters, no accents), so that "à partir de" and "a partir de" are one.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

from holdfast.patterns import lazy_pattern

CorrectionKind = Literal["rule", "repair"]
"""`rule`: how things are done here. `repair`: what the agent got wrong just now."""


@dataclass(frozen=True, slots=True)
class Language:
    """How one language says it."""

    hints: frozenset[str]
    """Words of which a text in it has one: without any, no pattern is tried, and none is made."""
    lead: re.Pattern[str]
    """What may stand before: "ok", "thanks", "please", "no"."""
    no: re.Pattern[str]
    """A "no" at the beginning."""
    rule: re.Pattern[str]
    """Matched at the beginning, behind the lead."""
    inside: re.Pattern[str]
    """Searched: "we never …" may also stand in the second half."""
    ruled: re.Pattern[str]
    """Searched behind a "no": how things are here."""
    repair: re.Pattern[str]
    """Matched at the beginning, with and without the lead."""
    wrong: re.Pattern[str]
    """What follows a "no" that repairs: "the port is 8443", "not that file"."""
    asks: re.Pattern[str]
    """A question or a condition, at the beginning."""
    neither: re.Pattern[str]
    """Searched: courtesy, doubt, a report, an order to build it."""
    reminds: re.Pattern[str]
    """At the beginning: "remember: …"."""


def folded(text: str) -> str:
    """Small letters without accents; the same for typographic apostrophes."""
    apart = unicodedata.normalize("NFD", text.lower().replace("ß", "ss").replace("’", "'").replace("´", "'"))
    return "".join(each for each in apart if not unicodedata.combining(each))


def pattern(text: str) -> re.Pattern[str]:
    return lazy_pattern(text, re.VERBOSE)


WORD = (
    r"(?!(?:para|pour|por|porque|que|qui|dont|damit|um|warum|wieso|weil|ob|dass|si|quand|wenn|falls|parce"
    r"|cuando|donde|wo)\b|qu')"
    r"[^\s,]+"
)
"""A word of the same clause: what stands behind "so that", "why" or "if" is no order."""
