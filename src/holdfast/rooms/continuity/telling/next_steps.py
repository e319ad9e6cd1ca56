"""Does a sentence mention work that is still to be done? Pure. Linear in the sentence."""

from __future__ import annotations

import re

from holdfast.patterns import lazy_pattern

_ONE = r"(?:i|we|you|somebody|someone|one)"
_MORE = r"(?:one|two|three|\d+|still|a few)"

_PUT_OFF = (
    r"(?:left|leaving|saved?|saving|kept|keeping|park(?:ed|ing)?|postpon(?:ed|ing)|deferr?(?:ed|ing)|delayed|scheduled"
    r"|planned|reserved|moved|moving|pushed|pushing|put (?:off|aside|back)|set aside|held (?:over|back)|carried over"
    r"|queued up|earmarked|slated|meant|booked|noted|stays?|waits?|due)"
)
_POSTPONED = (
    r"(?:left|parked|postponed|deferred|put off|put aside|pushed(?: back)?|planned|scheduled|set aside|carried over"
    r"|slated|earmarked|held over|wait|leave|saved)"
)
"""What is said of work; a program, too, keeps and moves things until something."""
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_SITTING = r"(?:time|week|month|session|sprint|release|pr|pull request|iteration|sitting|round|quarter)"
_PIECE = r"(?:session|sprint|release|pr|pull request|iteration|commit|change|branch|round|ticket|sitting|version|week)"
_SOON = (
    r"(?:tomorrow|tonight|the (?:evening|weekend|morning|afternoon)"
    rf"|another (?:time|day|evening|{_PIECE})|next {_SITTING}"
    rf"|(?:the|a|its|their) (?:next|later|separate|follow-?up|future|second|coming|own) {_PIECE}"
    r"|the next (?:person|shift|developer|agent|window)|whoever"
    r"|after (?:lunch|the (?:break|release|review|weekend|holidays?|meeting|merge|freeze)))"
)
"""When people go on with something. A program puts things off to its next run, call or tick."""

_BEGINS = (
    r"(?:i |we |i've |we've )?(?:have |am |are )?"
    rf"{_PUT_OFF}(?: \S.{{0,120}}?)? (?:for|to|until|till|on) (?:{_SOON}|later|{_DAY})",
    rf".{{2,80}}: (?:{_SOON}|later|{_DAY})$|when (?:i|we|you)(?:['’]m|['’]re| am| are) back",
    r"(?:not (?:in|for|part of)|out of scope (?:for|of|in)|outside(?: of)?) (?:this|today|the current)[\w ]{0,30}(?=:)",
    rf"(?:for|on|in|by|come|not before|not until|from) (?:{_SOON}|later|{_DAY})(?=:|,? (?:i|we)\b|$| [-–—])",
    rf"{_DAY}(?= ?:)",
    r"(?:parked|postponed|deferred|put off|not today|not now|on hold|another (?:day|time)|next time|tonight|to do)"
    r"(?= ?[:,–—-])",
    r"next(?: steps?| up)?\b[:,]?|to-?do|left to do|remaining|pending|tomorrow|later|afterwards|finally|lastly|now for",
    r"then(?! it\b| the \w+ (?:is|was|fails|returns))|first thing|up next|to finish|still on|follow(?:ing)?[- ]?up",
    r"not (?:yet )?(?:done|covered|tested|started|implemented|written|handled)|will(?! not)",
    rf"(?:the )?last (?:open )?(?:point|thing|step|piece)|there(?:'s| is| are) {_MORE} more",
    r"(?!.{0,80}\b(?:which|says|when|if|what)\b).{2,80} (?:is|are) missing$",
)
_ANYWHERE = (
    rf"(?:is|are|was|were|be|can|must|to|it|that|i|we|being) (?:still |best |better |therefore |now |all )?{_POSTPONED}"
    rf"(?: \S.{{0,80}}?)? (?:for|to|until|till) {_SOON}",
    rf"(?:tomorrow|next week|{_DAY})['’]s (?:problem|job|task|work|item|topic|business|first \w+)",
    r"(?:do|tackled?|fix|finish|continue with|pick up|look at|looked at|get to|come back to|return to|resume|addressed"
    rf"|done)(?: \S.{{0,100}}?)? (?:(?:on|in|at|for) )?(?:{_SOON}|{_DAY})$",
    rf"(?:is|are|'s|something|work|job|task|one|goes|go|comes|come) (?:for|into|in|up) {_SOON}",
    rf"leav(?:e|es|ing) .{{2,120}}? (?:for|to|until) (?:{_SOON}|later$|{_DAY})",
    r"next (?:steps?|up|i(?:'ll| will)|comes|is|thing)|remaining|remains? to|left to do|to-?do|follow-?ups?|pending",
    r"after that|outstanding|unfinished|untested|unwritten|open (?:point|item|question)s?",
    r"still (?:needs?|have to|has to|to (?:do|be|come)|missing|open|wants?|must|left|fails|failing|red|shows?|uses"
    r"|lacks|expects|points|refers|says|outstanding)",
    r"(?<!would )(?:has|have|needs?|ought|is|are|waiting|remains?|wants?) (?:still |also |yet |first )?to be",
    r"(?:has|have) yet to|waiting (?:for|on|to)|(?:is|are|was|were)(?:n't| not) \w+ yet|not yet|yet to be",
    r"(?:have|has)(?:n't| not) (?:yet |been )?\w+|nobody has(?! asked| complained)|so far:?$",
    r"not .{2,60} (?:yet|so far)|not (?:yet )?(?:done|implemented|started|covered|written)|what(?:'s| is) left",
    r"on (?:my|our|the) list|left (?:are|is)",
    rf"{_ONE}(?:'ll| will| want to| plan to| intend to| should| needs? to| have to| has to| must| would like to"
    r"|'d like to|'m going to| am going to|'re going to| are going to) (?:also |now |then |next |still )*"
    r"(?!never|not|see|be able)\w+",
    r"going to \w+|will need|needs? (?:a|an|another|one more|some|updating|fixing|work)|(?<!would )(?:has|have) to \w+",
    r"must (?:also )?be \w+ed (?:too|as well|first|next)",
    r"(?:once|when|as soon as) .{2,80}\b(?:can|will|i'll|we'll|is complete|are in)",
    r"before (?:we|i|it|this|that|the release)(?: can)? (?:merge|ship|release|go|land|is|can)\w*",
    r"before (?:merging|shipping|releasing)|one more (?:place|thing|test|case|round|step)|would be good|afterwards$",
    r"comes next|to be (?:done|written|added|moved)",
)
_IS_NEXT = lazy_pattern(rf"^(?:{'|'.join(_BEGINS)})(?!\w)|(?<!\w)(?:{'|'.join(_ANYWHERE)})(?!\w)", re.IGNORECASE)
_GOES_ON = lazy_pattern(
    rf"(?<!\w){_ONE}(?:'ll| will| must| should) (?:use|keep|store|put|treat|go with|stay)(?!\w)", re.I
)
"""What the speaker will go on doing is a decision."""
_WHY = lazy_pattern(r"(?<=.) (?:because|since|so that) ")


def is_next_step(sentence: str) -> bool:
    said = _WHY.split(sentence, maxsplit=1)[0].strip(" .!*_`\"'()")
    return bool(_IS_NEXT.search(said)) and not _GOES_ON.search(said)
