"""What the user asks to be remembered: "remember: …" before it, or "keep that in mind" behind it (MEM-31). Pure."""

from __future__ import annotations

import re

from holdfast.patterns import lazy_pattern

_LEAD = r"(?:(?:please|pls|and|also|so|ok(?:ay)?|btw|oh|bitte|und|ach ja)[,:]? )*"
_BEFORE = lazy_pattern(
    rf"{_LEAD}(?:remember(?: that)?:? |(?:keep in mind|bear in mind|merke? dir|denk dran)(?:,? (?:that|dass))?[:,]? "
    r"|(?:note (?:for (?:later|the future|next time)|to self)|for (?:the record|next time|the future)|bitte merken)"
    r"[:,] )",
    re.IGNORECASE,
)
_AFTER = lazy_pattern(
    rf"{_LEAD}(?:remember (?:that|this|it)|keep (?:that|this|it) in mind|don'?t forget(?: (?:that|this|it))?"
    r"|(?:write|note) (?:that|this|it) down|merke? dir (?:das|bitte)|bitte merken|nicht vergessen)"
    r"(?: (?:please|pls|bitte|for (?:later|next time|the future)))?[.!]*",
    re.IGNORECASE,
)
_STATES = lazy_pattern(
    r"\b(?:is|are|was|has|have|must|should|can|will|goes|go|runs?|stays?|needs?|uses?|belongs?|never|always|only|not|we"
    r"|ist|sind|hat|haben|muss|müssen|darf|dürfen|soll|sollen|werden|wird|läuft|laufen|gilt|nie|immer|nur|nicht|wir)\b"
    r"|n't\b",
    re.IGNORECASE,
)
_STANDS = lazy_pattern(
    r"\b(?:never|always|must not|mustn't|only ever|nie|niemals|immer|nunca|siempre|jamais|toujours)\b", re.IGNORECASE
)
_PASSES = lazy_pattern(
    r"\b(?:now|today|tonight|tomorrow|yesterday|since|left|currently|at the moment|still|again|yet|just|down|red|broken"
    r"|until|was|were|will|fail(?:s|ed|ing)?|minutes?|(?:this|next|last) (?:week|morning|month|time|afternoon|evening)"
    r"|could|might|perhaps|heute|morgen|gestern|jetzt|gerade|seit|momentan|derzeit|noch|wieder|kaputt|rot|war|waren|minuten)\b",
    re.IGNORECASE,
)
"""It is so for a while: no rule, unless it says "never"."""
_OF_MINE = lazy_pattern(
    r"\b(?:i (?:have|am|was|will|had|need|want|must)|i'(?:ve|m|ll|d)|ich (?:habe|bin|war|muss|will|brauche))\b",
    re.IGNORECASE,
)
_LEADS_IN = re.compile(r"(?:and|also|und|auch)\b[:,]? ", re.IGNORECASE)
_TOLD_OF = lazy_pattern(r"(?:when|how|what|why|where|who|to|the time|last|wann|wie|was|warum|wo|wer)\b", re.IGNORECASE)
_LEAST = 3
"""Words of something that can be remembered."""


def asks_for_the_last(sentence: str) -> bool:
    """Does it ask to remember what was said before it: "Keep that in mind."?"""
    return _AFTER.fullmatch(sentence) is not None


def asked_to_remember(sentence: str) -> str:
    """What is to be remembered, behind "remember: "; '' when the sentence asks for nothing of the kind."""
    found = _BEFORE.match(sentence)
    return _stated(sentence[found.end() :]) if found else ""


def remembered(sentence: str) -> str:
    """A sentence before "remember that", as something to keep; '' when it states nothing."""
    return _stated(_LEADS_IN.sub("", sentence, count=1))


def _stated(text: str) -> str:
    says_it = len(text.split()) >= _LEAST and _STATES.search(text) and not _TOLD_OF.match(text)
    if _OF_MINE.search(text) or (_PASSES.search(text) and not _STANDS.search(text)):
        return ""
    return text if says_it and not text.endswith("?") else ""
