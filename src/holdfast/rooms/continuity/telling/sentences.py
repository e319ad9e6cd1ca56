"""Which sentences of an agent state a decision, a dead end, a next step, a question or a finding. Pure.

Cue words alone: no model, no grammar. A sentence has one kind, the weightiest. Linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

Said = Literal["decision", "dead_end", "next_step", "question", "finding"]

LONGEST = 400
_LONGEST_READ = 40_000
_MOST = 400
_FENCED = re.compile(r"^[ \t]{0,3}(```|~~~).*?(?:^[ \t]{0,3}\1|\Z)", re.DOTALL | re.MULTILINE)
_ENDS = re.compile(r"(?<=[.!?:])\s+(?=[A-Z\"'`(\[*_0-9-])|\n+")
_LIST = re.compile(r"^(?:[-*•+]|\d{1,3}[.)]|#{1,6}|>|\[[ xX]\])\s+")
_MARKUP = re.compile(r"\*\*|__|^\s*#+\s*")
_HEADING = re.compile(
    r"^(?:what(?:'s| is) (?:left|next|missing|open)|next(?: steps?| up)?|to ?-?do|remaining(?: work| steps?)?"
    r"|left to do|open (?:points|items|steps|questions)|still open|follow-?ups?)\s*:?$",
    re.IGNORECASE,
)
_OTHER_HEADING = re.compile(r"^(?:#{1,6}\s+.+|\*\*[^*]{1,60}\*\*:?|[A-Z][\w ,'-]{1,40}:)$")

_DEAD_END = (
    r"did(?:n't| not) (?:work|help|fix|change anything|pan out)",
    r"does(?:n't| not) (?:work|help)",
    r"no luck|dead[- ]end|red herring|false (?:lead|start)|discard(?:ed|ing)|rejected|gave up|giving up",
    r"rul(?:ed|ing|e) (?:it |that |this )?out|revert(?:ed|ing)|roll(?:ed|ing) (?:it |that )?back|abandon(?:ed|ing)",
    r"not (?:an option|possible|viable|feasible|the (?:cause|culprit|problem))|(?:cannot|can't) be used",
    r"made (?:it|things) worse|wrong (?:approach|lead|track|path|tree)|was(?:n't| not) the (?:cause|problem)",
    r"(?:tried|attempted) .{3,200}\bbut|do(?:n't| not) (?:try|do|go down) (?:that|this|it) again",
    r"turned out (?:to be )?(?:too|not|im|un)|still (?:deadlocks|hangs|crashes)|no(?:t| longer) worth",
)
_DECISION = (
    r"decid(?:ed|ing)|decision|chose|chosen|choos(?:e|ing)|opt(?:ed|ing)? for|settl(?:ed|ing) on|agreed|by design",
    r"go(?:ing)? with|went with|(?:the|our) (?:plan|design|convention|rule|approach) is|trade-?off|in favou?r of",
    r"instead of|rather than|stick(?:ing)? (?:with|to)|from now on|switch(?:ed|ing)? to",
    r"we(?:'ll| will| must| should)? (?:use|keep|store|have|put|treat|stay)",
    r"i(?:'ll| will) (?:use|keep|store|put|treat|go)|i(?:'m| am) (?:using|keeping|going)",
    r"(?:will|must|should|shall) (?:stay|remain|be kept|be stored|be used|live|not be|never)",
    r"replac(?:ed|ing) .{2,120} (?:with|by)|pick(?:ed|ing)? .{2,120} (?:because|over|since|so)",
)
_NEXT = (
    r"next(?: steps?| up)?\b[:,]?|remaining|left to do|to-?do|follow(?:ing)?[- ]up|not yet|pending|after that",
    r"still (?:need|have|has|to|missing|open|want|must|left|fails|failing)|once (?:that|this|it)|waiting (?:for|on)",
    r"not (?:yet )?(?:done|implemented|started|covered|written)|then i(?:'ll| will)|what(?:'s| is) left",
    r"i(?:'ll| will) (?:now |then |next )?(?:add|write|fix|run|move|update|wire|check|continue|finish|look|start)",
    r"i(?:'ll| will) (?:now |then |next )?(?:implement|remove|turn)|needs? (?:to be|a|an|updating|another)",
    r"before (?:we|i) (?:can )?(?:merge|ship|release)",
)
_FINDING = (
    r"root cause|the (?:bug|problem|cause|reason|issue|culprit|fix) (?:is|was)|caused by|turn(?:s|ed) out|because",
    r"found (?:that|out|the)|it (?:is|was) .{2,80} that|which (?:means|explains)|explains why|due to|only happens",
    r"never (?:gets|got|was|is)",
)
_TALK = (
    r"ok(?:ay)?|done|great|sure|thanks|perfect|good|let me|now let me|i'll start by|i'll take a look|looking|checking",
    r"reading|running|anything else|happy to|would you like me",
    r"(?:shall i|do you want me to) (?:go on|continue|proceed)",
)


_NAMES = re.compile(
    r"`[^`]{2,80}`|\b[A-Za-z]{1,40}_\w{2,60}\b|\b[a-z]{2,40}[A-Z]\w{1,40}\b|\b[\w-]{1,60}(?:/[\w.-]{1,60}){1,8}\b|\b\w{2,60}\(\)"
)
"""A name of the code, a path or something quoted: a sentence with one may be worth keeping without any cue."""
_NAMING_WORDS = 5


def _any(cues: tuple[str, ...], *, at_start: bool = False) -> re.Pattern[str]:
    return re.compile(rf"{'^' if at_start else ''}\b(?:{'|'.join(cues)})\b", re.IGNORECASE)


_IS_DEAD_END, _IS_DECISION, _IS_NEXT, _IS_FINDING = map(_any, (_DEAD_END, _DECISION, _NEXT, _FINDING))
_IS_TALK = _any(_TALK, at_start=True)


def sentences(text: str) -> Iterator[tuple[str, bool]]:
    """The sentences of a text without code blocks; True for those under a heading such as "Next steps"."""
    flat = _FENCED.sub("\n", text[:_LONGEST_READ])
    is_next = False
    seen = 0
    for line in flat.split("\n"):
        bare = line.strip()
        if not bare:
            continue
        heading = _MARKUP.sub("", _LIST.sub("", bare)).strip(" *")
        if _HEADING.match(heading):
            is_next = True
            continue
        if _OTHER_HEADING.match(bare):
            is_next = False
        if is_next and not _LIST.match(bare) and not line.startswith((" ", "\t")):
            is_next = False
        for part in _ENDS.split(_LIST.sub("", bare)):
            said = " ".join(_MARKUP.sub("", part).split()).strip(" *_")
            if len(said) > (3 if is_next else 8):
                yield said[:LONGEST], is_next
                seen += 1
                if seen >= _MOST:
                    return


def kind_of(sentence: str) -> Said | None:
    """What a sentence states; None when it is talk."""
    words = len(sentence.split())
    if words < 3:
        return None
    if sentence.endswith("?"):
        return None if _IS_TALK.match(sentence) else "question"
    if _IS_DEAD_END.search(sentence):
        return "dead_end"
    if _IS_TALK.match(sentence):
        return None
    if _IS_NEXT.search(sentence):
        return "next_step"
    if _IS_DECISION.search(sentence):
        return "decision"
    if _IS_FINDING.search(sentence):
        return "finding"
    return "finding" if words >= _NAMING_WORDS and _NAMES.search(sentence) else None


def statements(text: str) -> list[tuple[Said, str]]:
    """What a text states, in its order."""
    found: list[tuple[Said, str]] = []
    for sentence, is_next in sentences(text):
        kind = "next_step" if is_next else kind_of(sentence)
        if kind:
            found.append((kind, sentence))
    return found
