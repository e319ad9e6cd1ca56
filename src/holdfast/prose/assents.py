"""A sentence that begins with a word of assent and then says something: how things are since ("Makes sense, it's DIN
33466 now."), or what stays as it is until somebody has acted ("Will do: the branch stays unmerged until Ana has read
it."). Pure."""

from __future__ import annotations

import re

from holdfast.patterns import lazy_pattern
from holdfast.prose import cues
from holdfast.prose.openness import leaves_open

_PROMISES = lazy_pattern(r"(?:i['’]ll|i will|we['’]ll|we will|ich werde|je |voy a|lo )\b", re.IGNORECASE)
_ASSENTS = lazy_pattern(
    r"(?:all right|alright|sounds good|fair enough|good point|of course|fine|very well|einverstanden|in ordnung|gut"
    r"|klar|mach(?:e|en)? (?:ich|wir)|de acuerdo|vale|d['’]accord|entendu|va bene|certo|dobrze|prima)"
    r"(?: (?:then|dann))?[,.:!–— -]+",
    re.IGNORECASE,
)
_STAYS = lazy_pattern(
    r"\b(?:stays?|remains?|leave|keep|hold|bleib(?:t|en)|lasse[n]?|dejo|queda|reste|laisse|resta|lascio"
    r"|blijft|laat)\b(?:[^.;]|\.(?=\S)){0,90}?\b(?:until|till|before|bis|solange|bevor|hasta|antes"
    r"|jusqu['’]|avant|finché|prima|totdat|tot)\b(?! now\b)",
    re.IGNORECASE,
)
_POINTS_BACK = lazy_pattern(
    r"\b(?:(?:until|till|before|once) (?:then|that|he|she|they|it)|bis dahin|bis (?:er|sie|es)|hasta entonces"
    r"|jusque-là|(?:fino|até) (?:ad |a )?(?:allora|lá|então)|tot dan)\b",
    re.IGNORECASE,
)
"""What it waits for was told before."""
_SHIPS = lazy_pattern(
    r"\b(?:unmerged|merg\w{1,4}|branch\w{0,2}|releas\w{1,4}|deploy\w{0,4}|prod|production|staging"
    r"|ship\w{0,4}|publish\w{0,3}"
    r"|unapplied|untouched|unchanged|frozen|on hold|PRs?|v?\d{1,4}(?:\.\d{1,6}){1,3})\b",
    re.IGNORECASE,
)
"""What stays so is work, and not how a program behaves."""
_IS_HOW_IT_WORKS = lazy_pattern(
    r"\b(?:until|till|before|bis|bevor|hasta|jusqu['’]) (?:the|a|an|it|its|der|die|das|el|la|le) "
    r"(?:\w+ )?(?:timeout|page|request|queue|response|animation|connection|session|process|worker|server|file|form)\b",
    re.IGNORECASE,
)
_MARK = ",:;.!—–-"
_LONGEST = 500


def without_assent(text: str) -> str:
    """The sentence without the assent, where the rest says how things are or what is held back; else as it is."""
    found = cues.CONFIRMS.match(text[:_LONGEST]) or _ASSENTS.match(text[:_LONGEST])
    if found is None or not any(mark in _MARK for mark in found[0].rstrip()[-1:]):
        return text
    if found[0][-1] in "-–—":
        return text  # "fine-grained"
    rest = text[found.end() :]
    says = (cues.HOLDS.search(rest[:_LONGEST]) and not _PROMISES.match(rest)) or is_held_back(rest)
    return rest[:1].upper() + rest[1:] if says else text


def is_held_back(text: str) -> bool:
    """Does it say that something stays as it is until something has happened?"""
    text = text[:_LONGEST]
    if _IS_HOW_IT_WORKS.search(text):
        return False
    if _POINTS_BACK.search(text) and not (cues.IDENTIFIER.search(text) or cues.NUMBER.search(text)):
        return False
    stays = _STAYS.search(text)
    return leaves_open(text) or bool(stays and (_SHIPS.search(text) or cues.IDENTIFIER.search(text)))
