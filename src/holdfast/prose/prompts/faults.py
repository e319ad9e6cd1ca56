"""Does the user report a fault, or ask why something is so? Then what is wanted is its cause. Pure."""

from __future__ import annotations

import re

from holdfast.patterns import lazy_pattern

_LONGEST_READ = 600
_WHY = lazy_pattern(
    r"\b(?:why|how come|find out|figure out|investigate|diagnose|debug|track down|root cause|what(?:'s| is| was) wrong"
    r"|what happened|flak[ey]\w*|slow|fails?|failing|failed|crash\w*|broken|breaks?|hangs?|leak\w*|stuck|wrong|twice"
    r"|missing|lost|error\w*|empty|down|weird|doesn't|don't|isn't|not working|warum|wieso|weshalb|fehler\w*|langsam"
    r"|kaputt|doppelt|pourquoi|lent\w*|erreur\w*|por qué|falla\w*|lent[oa]s?)\b",
    re.IGNORECASE,
)
_REPORT = lazy_pattern(
    r"(?:(?:hi|hey|hello|ok)[,.!]? )?(?:the|our|my|an?|some|all|every|since|after|when|there|i (?:get|see)"
    r"|we (?:get|see)|users?|customers?|people|der|die|das|unser\w*|seit|la|el|los|las|nuestr\w+|le|les|notre|nos)\b",
    re.IGNORECASE,
)
"""It tells how something is, and asks for nothing: somebody is to look why."""


def reports_a_fault(request: str) -> bool:
    text = request[:_LONGEST_READ]
    return _WHY.search(text) is not None or (_REPORT.match(text) is not None and not text.endswith(("?", "？")))
