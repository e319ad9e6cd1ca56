"""What the user does not want, or not now: "forget the load test", "die Übersetzung brauchen wir nicht", "not now". It
settles what waits for it. Pure; every pattern is linear in its text."""

from __future__ import annotations

import re
from functools import lru_cache

from holdfast.patterns import lazy_pattern
from holdfast.prose.updates.settled import words_of

_LONGEST_READ = 600
_MOST_SENTENCES = 8
_LEAD = (
    r"(?:(?:ok(?:ay)?|please|and|but|then|well|nah|no+|nope|nein|ach|also|und|aber|bitte|non|alors|pues|let's|lets"
    r"|we can"
    r"|you can|just|actually|for now|btw)[,.!… ]{1,3}){0,4}"
)
_WHAT = r"(?P<what>[^.;!?\n]{2,120}?)"
_END = (
    r"(?=[.;!?\n]|, |\Z| (?:for now|for later|because|since|till|until|as we|weil|erst ?mal|vorerst"
    r"|pour l'instant|por ahora)\b)"
)


def _any(*written: str) -> tuple[re.Pattern[str], ...]:
    return tuple(lazy_pattern(f"{_LEAD}{each}", re.IGNORECASE) for each in written)


_REFUSES = _any(
    rf"(?:forget(?: about)?|never ?mind|skip|ignore|don't (?:bother|worry) (?:with|about)|(?:there is "
    rf"|there's )?no need"
    rf" (?:to|for)|not worth|(?:we|i) (?:don't|do not|won't|no longer|will not) (?:need|want|care about"
    rf"|do)) {_WHAT}{_END}",
    rf"(?:leave|let) (?!an?\b|me\b|us\b|it\b|that\b|this\b){_WHAT}(?: (?:alone|out|be|as (?:it|they) (?:is|are)"
    rf"|untouched|open)\b|{_END})",
    r"(?P<what>[^.;!?,\n]{2,80}?) (?:is|are|'s) (?:fine|ok|okay|good|good enough) (?:as (?:it|they) (?:is|are)"
    r"|without|like that)\b",
    r"(?P<what>[^.;!?,\n]{2,80}?) (?:can|may|could|should) (?:stay|wait|remain|be left)\b",
    r"(?P<what>[^.;!?,\n]{2,80}?) (?:(?:is|are|'s) (?:no longer|not|n't) (?:needed|wanted|necessary|relevant"
    r"|required|worth)"
    r"|(?:is|are) (?:obsolete|moot|off the table|out of scope|cancell?ed|a non-issue)|isn't needed|aren't needed)\b",
    rf"(?:vergiss|vergesst|lasst?|spar dir|lassen wir|überspring\w*) {_WHAT}(?: (?:weg|so|sein|bleiben|liegen|aus"
    rf"|erst ?mal)\b|{_END})",
    r"(?P<what>[^.;!?,\n]{2,80}?) (?:brauchen|wollen|machen) wir (?:erst ?mal |doch |dann )?(?:nicht|keine)\b"
    r"|(?P<which>[^.;!?,\n]{2,80}?) (?:kann|können|darf) (?:erst ?mal |so |ruhig )?(?:bleiben|warten|weg)\b"
    r"|(?P<that>[^.;!?,\n]{2,80}?) (?:ist|sind) (?:hinfällig|nicht (?:mehr )?(?:nötig|notwendig|wichtig)|egal"
    r"|vom tisch)\b",
    rf"(?:oublie[zs]?|laisse[zs]? (?:tomber )?|pas besoin d(?:e |')|on n'a (?:plus|pas) besoin d(?:e "
    rf"|')) ?{_WHAT}{_END}",
    rf"(?:olv[ií]da(?:te)?(?: de)?|deja|no hace falta|no necesitamos|ya no necesitamos) {_WHAT}{_END}",
)
_NOT_NOW = lazy_pattern(
    r"(?:(?:no+|nah|nope|nein|non|ok(?:ay)?|please|bitte)[,.! ]{1,3}){0,2}(?:not now|not yet|(?:maybe |perhaps )?later"
    r"|(?:another|some other) time|no,? thanks?(?: you)?|leave it|skip (?:it|that)|forget (?:it|that)|never ?mind"
    r"|don't(?: bother)?|jetzt nicht|nicht jetzt|später|nein,? danke|lass (?:es|das)(?: sein)?|pas maintenant|plus tard"
    r"|non,? merci|laisse tomber|ahora no|más tarde|no,? gracias|déjalo)(?=[.,;:!]|\Z| (?:please|for now|thanks))",
    re.IGNORECASE,
)
_ONLY_YES = lazy_pattern(
    r"(?:(?:yes|yep|yeah|sure|ok(?:ay)?|please|ja|gerne?|oui|sí|si)[,.! ]{0,3}){0,3}(?:go ahead|go for it|do it"
    r"|do that|please do"
    r"|please|bitte|mach (?:das|es)|vas-y|fais-le|hazlo|adelante)?[.! ]*\Z",
    re.IGNORECASE,
)
_ONLY_NO = lazy_pattern(r"(?:no+|nope|nah|nein|non)(?: thanks?)?[.! ]*\Z", re.IGNORECASE)
_SENTENCE = lazy_pattern(r"(?<=[.!?;\n])\s+|\n| (?:—|–) |, (?=(?:skip|forget|never mind|leave|vergiss|lass)\b)")


@lru_cache(maxsize=2_048)
def refused(text: str) -> tuple[frozenset[str], ...]:
    """The words of each thing that the user does not want, or not now."""
    sentences = [each.strip() for each in _SENTENCE.split(text[:_LONGEST_READ])[:_MOST_SENTENCES]]
    found = [_refused(each) for each in sentences if not each.endswith(("?", "？"))]
    return tuple(words for words in found if words)


def _refused(sentence: str) -> frozenset[str]:
    for pattern in _REFUSES:
        if found := pattern.match(sentence):
            what = next((words for words in found.groupdict().values() if words), "")
            return words_of(what)
    return frozenset()


def answers(text: str) -> bool:
    """Does the user say yes, no, or not now, without a word of what?"""
    text = text.strip()[:_LONGEST_READ]
    if text and _ONLY_YES.fullmatch(text):
        return True
    return _NOT_NOW.match(text) is not None or _ONLY_NO.fullmatch(text) is not None
