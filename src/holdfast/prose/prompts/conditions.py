"""What the user says must happen first: "pedro has to review it before any of it is merged", "no merge before oskar
said ok", "asked annika what bit 15 means". It waits for somebody, so it is open until that is told. Pure.

A rule ("never deploy before 9") is none: it waits for nobody.
"""

from __future__ import annotations

import re

from holdfast.patterns import lazy_pattern
from holdfast.prose.prompts.before import with_subject

_LONGEST_READ = 1_000
_LONGEST = 200
_MOST = 2
_SENTENCE = lazy_pattern(r"(?<=[.!?;])\s+|\n+")
_RULE = lazy_pattern(
    r"\b(?:never|always|from now on|every time|niemals|immer|nie|jamais|toujours|nunca|siempre)\b", re.IGNORECASE
)
_DONE_BY_THEN = (
    r"(?:has|have|had|is|are|was|were|gave|gives|said|says|saw|sees|ran|runs|signs?|okays?|knows?|comes?|agrees?"
    r"|approves?|confirms?|answers?|decides?|looks?|tests?|reviews?|\w{2,15}ed)\b"
)
_NOT_BEFORE = lazy_pattern(
    r"\b(?:nothing|none|nobody|no \w{2,20}|not|don['’]?t|keep|leave|hold"
    r"|(?P<told>doesn|won|isn|aren|can|mustn|shouldn)['’]?t (?=(?:yet |be |get ){0,2}(?:ship|leave|merge|release"
    r"|publish|deploy|roll|upload|go (?:out|live|anywhere|in(?:to)?|near|on main"
    r"|to (?:main|prod|production|customers|the stores?))\b)))\b[^.;!?]{0,80}"
    r"\b(?:before|until|till|unless) (?!(?:the |all |my |your |our )?(?:build|tests?|specs?|ci|job|run|linter|types)\b"
    rf"|(?:it|you|i|we)\b)(?:\S{{1,30}} ){{1,6}}?{_DONE_BY_THEN}",
    re.IGNORECASE,
)
_FIRST = lazy_pattern(
    r"(?<!the )(?<!\w)(?P<who>\w{2,20}) (?:still |first ){0,2}(?:has to|have to|needs? to|must|should|wants? to)"
    r" \w{2,20}\b[^.;!?]{0,80}\bbefore (?:we|any|anything|i|you|merg\w+|releas\w+|deploy\w*|ship\w*|going"
    r"|(?:it|this|that) (?:goes|gets|ships|is))\b",
    re.IGNORECASE,
)
_ASKED = lazy_pattern(
    r"(?:^|[,;] |\band |\bbut )(?:i |i've |i have |we |we've |have )?(?:just |already )?"
    r"(?:asked|mailed|emailed|e-mailed|pinged|messaged|wrote to|texted) (?!(?:it|that|this|an?|the|some"
    r"|down|you|him|her|them|us|code|tests?|for|if|about|in|on|to)\b)\w{2,20}\b",
    re.IGNORECASE,
)
_ANSWERED = lazy_pattern(
    r"(?:\b(?:is|are|was|were)|['’]s) (?:\w{1,12} )?"
    r"(?:fine|ok(?:ay)?|good|enough|right|allowed|acceptable|no problem)\b"
    r"|\b(?:said|says|confirmed|agreed|answered|replied|approved)\b",
    re.IGNORECASE,
)
"""The answer is told, too: "an hour is fine, I asked Ingrid" waits for nobody."""
_MENDS = lazy_pattern(
    r"\b(?:fix|repair|mend|debug|investigate|why|how come|bug|broken|wrong|should|find out|look into)\b", re.IGNORECASE
)
"""Who wants it mended reports a fault: "the lock isn't released until the process died, fix it" holds nothing back."""
_NOBODY = frozenset(
    ["i", "we", "you", "it", "this", "that", "they", "he", "she", "there", "user", "users", "code", "test", "tests"]
)


def conditions_in(prompt: str) -> list[str]:
    """The sentences, in the user's words, that say who must do something first or who was asked; with the
    sentence before, where only that names what it is about."""
    found: list[str] = []
    for sentence in _SENTENCE.split(prompt[:_LONGEST_READ]):
        text = sentence.strip()
        if not len(text.split()) > 3 or len(text) > _LONGEST or text.endswith(("?", "？")) or _RULE.search(text):
            continue
        first = _FIRST.search(text)
        is_asked = _ASKED.search(text) is not None and not _ANSWERED.search(text)
        if _is_held_back(text, prompt) or (first and first["who"].lower() not in _NOBODY) or is_asked:
            found.append(with_subject(prompt[:_LONGEST_READ], text).rstrip("."))
    return found[:_MOST]


def _is_held_back(text: str, prompt: str) -> bool:
    held = _NOT_BEFORE.search(text)
    return held is not None and not (held["told"] and _MENDS.search(prompt[:_LONGEST_READ]))
