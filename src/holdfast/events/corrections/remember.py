"""What the user asks to be remembered: "remember: …" before it, or "keep that in mind" behind it; and what the user
calls a rule: "house rule: …", "…. That's a rule." (MEM-31). Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

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
_NAME = (
    r"(?:(?:hard|house|team|project|general|golden|new|simple|fixed|feste|neue|nueva|nouvelle|nuova) )?"
    r"(?:rule|convention|policy|regel|règle|regla|regra|regola)"
)
_NAMED = lazy_pattern(
    rf"{_LEAD}(?:(?:our |my |one |another |an? |eine |une |una )?{_NAME}"
    r"(?: (?:here|from now on|for (?!(?:that|this|it)\b)[^:?]{2,40}|in this \w+|ab jetzt|hier))?"
    r"(?:(?<=[a-z]) is)?(?: that)? ?: ?"
    rf"|(?:our|my) {_NAME}(?: here)? is (?:that |to )?|(?:always|do it|keep it) like (?:that|this)(?: from now on)?: )",
    re.IGNORECASE,
)
_IS_A_RULE = lazy_pattern(
    rf"{_LEAD}(?:(?:that['’]?s|that is|this is|it['’]?s|das ist|c'est|es|é|è) (?:an?|the|our|my|eine|une|una) {_NAME}"
    r"(?: (?:here|now|from now on|btw|for (?:everyone|everybody|all(?: of us)?)))*(?:,? no (?:discussion|exceptions?))?"
    r"|(?:and )?(?:always|every time|no exceptions|without exception)(?:,? (?:please|pls|no exceptions))?)[.!]*",
    re.IGNORECASE,
)
_CALLED = lazy_pattern(rf"\b{_NAME}\b", re.IGNORECASE)
_OF_ALL = lazy_pattern(
    r"(?:[^:?]{2,60}: )?(?:and |so )?(?:every|each|all|any|no|nobody|nothing|only|never|jede\w?|alle|kein\w*)\b",
    re.IGNORECASE,
)
_OF_ALL_BUT = lazy_pattern(r"(?:[^:?]{2,60}: )?(?:every|each) [^.?]{4,120}, (?:and |but )?never (?:an?|any) \S")
""" "Every release gets a tag, and never a second build of it": for all there are, and what is ruled out."""
_HAPPENS = lazy_pattern(
    r"\b(?:complain\w*|block(?:s|ed)|match(?:es|ed)|triggers?|fires|den(?:y|ies|ied)|ignored?|missing|hangs?|crash\w*"
    r"|freez\w*|slow|wrong|empty|twice|errors?|lost|loses?|returns?|shows?|schlägt|hängt|langsam)\b",
    re.IGNORECASE,
)
"""What a program does, and no rule of how to work."""
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
_POINTS = lazy_pattern(r"\A(?:for|in|on|with) (?:that|this|these|those|it|them)\b[^:]{0,20}: ", re.IGNORECASE)
_LEADS_IN = re.compile(r"\A(?:and|also|und|auch)\b[:,]? ", re.IGNORECASE)
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


def named_a_rule(sentences: Sequence[str], at: int) -> str:
    """This sentence if the user calls it a rule, before it, or in one of the next two; '' for any other."""
    sentence = sentences[at]
    told = _POINTS.sub("", _LEADS_IN.sub("", sentence, count=1), count=1)
    if sentence.endswith("?") or _OF_MINE.search(sentence) or _HAPPENS.search(sentence):
        return ""
    if found := _NAMED.match(sentence):
        rest = sentence[found.end() :]
        return told if len(rest.split()) >= _LEAST and not _passes(rest) else ""
    if len(told.split()) <= _LEAST or _passes(told):
        return ""
    named = next(
        (place for place in (1, 2) if _IS_A_RULE.fullmatch("".join(sentences[at + place : at + place + 1]))), 0
    )
    if named == 2 and not (_is_for_all(told) and not _is_for_all(sentences[at + 1])):
        return ""
    says = _is_for_all(told) or (_STATES.search(told) and _CALLED.search(sentences[at + named]))
    if named == 1 and not _is_for_all(told) and at and _is_for_all(sentences[at - 1]):
        return ""  # it says why the one before it is a rule
    return told if (named and says) or _OF_ALL_BUT.match(told) else ""


def _is_for_all(sentence: str) -> bool:
    return _OF_ALL.match(sentence) is not None or _STANDS.search(sentence) is not None


def _passes(text: str) -> bool:
    return _PASSES.search(text) is not None and not _STANDS.search(text)


def remembered(sentence: str) -> str:
    """A sentence before "remember that", as something to keep; '' when it states nothing."""
    return _stated(_LEADS_IN.sub("", sentence, count=1))


def _stated(text: str) -> str:
    says_it = len(text.split()) >= _LEAST and _STATES.search(text) and not _TOLD_OF.match(text)
    if _OF_MINE.search(text) or _passes(text):
        return ""
    return text if says_it and not text.endswith("?") else ""
