"""Which sentences of an agent state a decision, a dead end, a next step, a question or a finding. Pure.

Cue words alone: no model, no grammar. A sentence has one kind, the weightiest. Linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from holdfast.patterns import lazy_pattern
from holdfast.prose.sentence_ends import rejoined
from holdfast.rooms.continuity.telling.dead_ends import is_dead_end
from holdfast.rooms.continuity.telling.decisions import is_decision, states_a_value
from holdfast.rooms.continuity.telling.next_steps import is_next_step
from holdfast.rooms.continuity.telling.told_in_two import goes_on, is_dead_end_in_two, is_ruled_out

Said = Literal["decision", "dead_end", "next_step", "question", "finding"]

LONGEST = 400
_LONGEST_READ = 40_000
_MOST = 400
_FENCED = lazy_pattern(r"^[ \t]{0,3}(```|~~~).*?(?:^[ \t]{0,3}\1|\Z)", re.DOTALL | re.MULTILINE)
_ENDS = lazy_pattern(r"(?<=[.!?])\s+(?=[A-Z\"'`(\[*_0-9-])|\n+")
_LIST = lazy_pattern(r"^(?:[-*•+]|\d{1,3}[.)]|#{1,6}|>|\[[ xX]\])\s+")
_MARKUP = lazy_pattern(r"\*\*|__|^\s*#+\s*")
_HEADING = lazy_pattern(
    r"^(?:what(?:'s| is) (?:left|next|missing|open)|next(?: steps?| up)?|to ?-?do|remaining(?: work| steps?)?"
    r"|left to do|open (?:points|items|steps|questions)|still open|follow-?ups?)\s*:?$",
    re.IGNORECASE,
)
_OTHER_HEADING = lazy_pattern(r"^(?:#{1,6}\s+.+|\*\*[^*]{1,60}\*\*:?|[A-Z][\w ,'-]{1,40}:)$")

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


_NAMES = lazy_pattern(
    r"`[^`]{2,80}`|\b[A-Za-z]{1,40}_\w{2,60}\b|\b[a-z]{2,40}[A-Z]\w{1,40}\b|\b[\w-]{1,60}(?:/[\w.-]{1,60}){1,8}\b|\b\w{2,60}\(\)"
)
"""A name of the code, a path or something quoted: a sentence with one may be worth keeping without any cue."""
_NAMING_WORDS = 5


def _any(cues: tuple[str, ...], *, at_start: bool = False) -> re.Pattern[str]:
    return lazy_pattern(rf"{'^' if at_start else ''}\b(?:{'|'.join(cues)})\b", re.IGNORECASE)


_IS_FINDING = _any(_FINDING)
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
        for part in rejoined(_ENDS.split(_LIST.sub("", bare))):
            said = " ".join(_MARKUP.sub("", part).split()).strip(" *_")
            if len(said) > 3:
                yield said[:LONGEST], is_next
                seen += 1
                if seen >= _MOST:
                    return


def kind_of(sentence: str) -> Said | None:
    """What a sentence states; None when it is talk."""
    words = len(sentence.split())
    if words < 3:  # "Tomorrow: retry_limit" has all that it needs
        return "next_step" if words == 2 and _NAMES.search(sentence) and is_next_step(sentence) else None
    if sentence.endswith("?"):
        return None if _IS_TALK.match(sentence) else "question"
    if is_dead_end(sentence) or is_ruled_out(sentence):
        return "dead_end"
    if _IS_TALK.match(sentence):
        return None
    if is_next_step(sentence):
        return "next_step"
    if is_decision(sentence):
        return "decision"
    if _IS_FINDING.search(sentence):
        return "finding"
    if states_a_value(sentence):
        return "decision"
    return "finding" if words >= _NAMING_WORDS and _NAMES.search(sentence) else None


def statements(text: str) -> list[tuple[Said, str]]:
    """What a text states, in its order. A dead end that is told in two sentences is one statement."""
    found: list[tuple[Said, str]] = []
    before, kind_before = "", None
    for sentence, is_next in sentences(text):
        kind: Said | None = "next_step" if is_next else kind_of(sentence)
        if before and not is_next and kind_before != "dead_end" and is_dead_end_in_two(before, sentence):
            if kind_before:
                found.pop()
            kind, sentence = "dead_end", f"{before} {sentence}"[:LONGEST]
        if kind:
            found.append((kind, sentence))
        elif before and not kind_before and goes_on(sentence):
            sentence = f"{before} {sentence}"
        before, kind_before = "" if is_next else sentence, kind
    return found
