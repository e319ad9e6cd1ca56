"""What was tried before the thing that worked: told only together with its outcome. Pure.

"I first tried a bigger buffer." says neither that it did not help nor what did. It is joined with the sentences behind
it that tell its outcome; where there is none, it is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from holdfast.events.subjects import need
from holdfast.patterns import lazy_pattern
from holdfast.prose.roles import Role

_WHEN = (
    r"(?:at first|first|initially|originally|before that|earlier|also|then|next|briefly|zuerst|zunächst|anfangs|vorher)"
)
_ATTEMPT = lazy_pattern(
    rf"(?:{_WHEN},? )*(?:i|we)(?:'ve|'d| have| had)? (?:{_WHEN} )*(?:(?:tried|attempted)(?! to\b)|(?<=first )tried"
    r"|experimented|suspected"
    r"|(?<=first )(?:thought|assumed|added|raised|set|used|put|moved|made|wrote|changed|looked|blamed|increased|lowered"
    r"|turned|switched|went))\b"
    r"|(?:my|our) (?:very )?(?:first|initial|earlier|original|second) (?:try|attempt|idea|approach|version|guess|fix"
    r"|suspicion|thought)\b|(?:my|our) (?:guess|suspicion|hunch|bet) was\b"
    r"|(?:the|an) (?:first|initial|earlier) (?:try|attempt|guess)\b"
    rf"|(?:{_WHEN},? )*(?:habe?|hatte|haben) (?:ich|wir)\b[^.;]{{2,160}}\b(?:versucht|probiert|ausprobiert|vermutet)\b"
    rf"|(?:ich|wir) (?:habe?|hatten?|haben) (?:{_WHEN} )*[^.;]{{2,160}}\b(?:versucht|probiert|ausprobiert|vermutet)\b"
    r"|(?:mein|unser) erster (?:versuch|gedanke|ansatz)\b"
    r"|(?:at first|initially|originally),? (?:i|we) \w+|(?:zuerst|zunächst|anfangs) hatten? (?:ich|wir)\b"
    r"|[^.;:]{2,100} (?:was|were|war|waren) (?:my|our|mein\w*|unser\w*) (?:first|initial|erste\w*) (?:try|attempt|idea"
    r"|approach|guess|fix|suspicion|thought|versuch|idee|gedanke|ansatz|verdacht)\b",
    re.IGNORECASE,
)
"""A sentence that mentions a trial: it says when it was (before the other things), or that it was one."""
_OUTCOME = lazy_pattern(
    r"\b(?:but|however|did(?: not|n't)|does(?: not|n't)|could(?: not|n't)|was(?: not|n't)|no|not|nothing|never|still"
    r"|only|worse|in vain|without|until|again|too \w+|reverted|back out|broke|failed|aber|jedoch|nicht|nichts|kein\w*"
    r"|trotzdem|weiterhin|ohne)\b",
    re.IGNORECASE,
)
"""It says its own outcome."""
_HOLDS_NOW = lazy_pattern(
    r"\b(?:now|instead|the (?:real|actual|true) \w+|in the end|what (?:helped|worked|fixed)|jetzt|nun|stattdessen"
    r"|die (?:eigentliche|echte|wahre)\w* \w+)\b",
    re.IGNORECASE,
)
_TAKEN_BACK = lazy_pattern(
    r"\b(?:that|this|the|it|they|these|those|all of (?:it|that|this))(?: \w{1,20})? (?:is|are|was|were|has been"
    r"|have been) (?:reverted|undone|rolled back|backed out|taken (?:back|out)|removed again|out again|dropped again)\b"
    r"|\b(?:i|we)(?:'ve| have)? (?:\w{1,12} )?(?:reverted|undid|rolled back|backed out)"
    r" (?:it|that|this|them|those|these|the (?:change|patch|attempt|idea|fix))\b(?! to\b)"
    r"|\b(?:i|we)(?:'ve| have)? (?:\w{1,12} )?(?:took|removed|dropped|threw|pulled) (?:it|that|this|them)"
    r" (?:\w{1,12} )?(?:out|back|again)\b"
    r"|\b(?:das|es|die änderung) (?:ist|war|wurde|habe ich) (?:\w{1,20} )?(?:zurückgenommen|zurückgerollt"
    r"|wieder (?:raus|weg))\b"
    r"|\b(?:isso|eso|esto|lo he|está|ese cambio está) (?:\w{1,20} )?(?:revertid[oa]|quitad[oa]|desfeit[oa])\b"
    r"|\b(?:c'est|je l'ai|la modification est) (?:\w{1,20} )?(?:annulée?|retirée?)\b",
    re.IGNORECASE,
)
"""What the sentences before it tell was taken back: "That change is reverted."."""
_LONGEST_READ, _JOINED = 400, 260


def is_attempt(text: str) -> bool:
    """Does a sentence mention a trial?"""
    return _ATTEMPT.match(text[:_LONGEST_READ]) is not None


def lacks_outcome(text: str) -> bool:
    """Is it a trial, and does it not say its outcome?"""
    return is_attempt(text) and _OUTCOME.search(text[:_LONGEST_READ]) is None


def with_outcomes(texts: Sequence[str], roles: Sequence[Role]) -> Iterator[tuple[str, Role]]:
    """The sentences of a part with their roles; those that mention a trial as one, with its outcome."""
    at = _dead_end(texts)
    if at:
        yield from _as_tried(texts[:at])
    while at < len(texts):
        if roles[at] == "tried" or not is_attempt(texts[at]):
            yield texts[at], roles[at]
            at += 1
            continue
        told, at, is_known = texts[at], at + 1, not lacks_outcome(texts[at])
        while at < len(texts) and len(told) + len(texts[at]) < _JOINED and not texts[at].endswith("?"):
            goes_on = need(texts[at]) == "must"
            if not goes_on and (is_known or _HOLDS_NOW.search(texts[at][:_LONGEST_READ])):
                break
            told, at, is_known = f"{told} {texts[at]}", at + 1, True
        if is_known:
            yield told, "tried"


def _dead_end(texts: Sequence[str]) -> int:
    """How many sentences of a part lead to one that says that all of it was taken back."""
    back = [at for at, text in enumerate(texts) if at and _TAKEN_BACK.search(text[:_LONGEST_READ])]
    return back[-1] + 1 if back else 0


def _as_tried(texts: Sequence[str]) -> Iterator[tuple[str, Role]]:
    """What was tried, in as few lines as hold it: the last one has the outcome."""
    told = ""
    for text in reversed(texts):
        if told and len(text) + len(told) >= _JOINED:
            break
        told = f"{text} {told}".strip()
    yield told, "tried"
