"""Corrections that say how it is done here: "we use pnpm here, not npm", "ask me before you …". Pure.

What a program does, what was seen, and plans for a day are none: the verb is one of habit, and the other way is named.
"""

from __future__ import annotations

import re

from holdfast.patterns import lazy_pattern

_LEAD = (
    r"(?:(?:actually|no|nope|btw|by the way|fyi|note|reminder|wait|sorry|hm+|well|just so you know"
    r"|in this (?:repo|project|repository|codebase))[,:]? )"
)
_WE = r"(?:we|our team|this (?:repo|repository|project|codebase|team|package|library|crate))"
_OTHER = r"(?:,| and| but)? (?:and )?(?:not|never|instead of|rather than) (?!(?:sure|yet|only|always|just|on|in|at)\b)"
_HABIT = (
    r"(?:uses?|writes?|deploys? (?:with|by|from|through|via)|builds? with|tests? with|names?|calls?|formats?|indents?"
    r"|targets?|runs? (?:on|with)|stores?|logs?|commits?|pins?|stays? (?:on|with)|sticks? (?:to|with))"
)
_TAIL = r"[^?,.;]{1,60}"
_OUR_WAY = lazy_pattern(
    rf"(?:{_LEAD}{{1,3}}(?:here,? )?{_WE} {_HABIT} {_TAIL}{_OTHER}\S"
    rf"|{_WE} {_HABIT} {_TAIL}?\b(?:here|in this (?:repo|project|repository|codebase)){_OTHER}\S"
    rf"|{_WE} use \S+{_OTHER}\S+[.!]*\Z)",
    re.IGNORECASE,
)
_ASK_FIRST = lazy_pattern(
    r"(?:please |and |also |next time,? |you (?:should|must|have to|need to) )*"
    r"(?:always )?(?:ask|check with|tell|warn|consult) (?:me|us)(?: first)?,? before (?:you \w+|\w+ing\b)",
    re.IGNORECASE,
)
_ALWAYS = lazy_pattern(
    r"you (?:should|must|have to|need to|ought to)(?: please)? always "
    r"(?!(?:see|get|have|be|find|know|feel|receive|end)\b)\w+",
    re.IGNORECASE,
)
_REFUSED = lazy_pattern(
    r"(?:please |no[,.] )?(?:don't|do not)[.!:]+ (?:we|that|this|it|last time)\b"
    r"(?! (?:is|was) (?:fine|ok|good))(?: \S+){2}",
    re.IGNORECASE,
)


_ELSEWHERE = lazy_pattern(
    r"(?:(?:eigentlich|nein|übrigens|en fait|non|au fait|en realidad|no|por cierto)[,:]? )?"
    r"(?:wir (?:benutzen|verwenden|nutzen|nehmen) [^?,.;]{1,60}, nicht \S+[.!]*\Z"
    r"|(?:hier )(?:benutzen|verwenden|nutzen|nehmen) wir [^?,.;]{1,60}, nicht \S+[.!]*\Z"
    r"|(?:ici,? )?on (?:utilise|emploie) [^?,.;]{1,60}, pas (?:de |d')?\S+[.!]*\Z"
    r"|(?:aqu[ií],? )?(?:usamos|utilizamos) [^?,.;]{1,60}, no \S+[.!]*\Z"
    r"|(?:bitte )?frag(?:e)? (?:mich|uns)(?: bitte)?(?: immer| erst| vorher| zuerst)*,? bevor du \w+"
    r"|demande(?:z)?-(?:moi|nous)(?: toujours)? avant d(?:e |')\w+"
    r"|preg[uú]nta(?:me|nos)(?: siempre)? antes de \w+)",
    re.IGNORECASE,
)
"""The same in German, French and Spanish."""


def is_rule(sentence: str) -> bool:
    """Does it say how the work is done here, or what must be asked before?"""
    return any(form.match(sentence) for form in (_ALWAYS, _ASK_FIRST, _OUR_WAY, _ELSEWHERE))


def refuses(sentence: str) -> bool:
    """A refusal with its reason: "don't. we had an outage because of that"."""
    return _REFUSED.match(sentence) is not None
