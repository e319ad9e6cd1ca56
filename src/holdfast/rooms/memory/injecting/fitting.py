"""Cuts the lines of a brief or a history: to their length, or to what they say first. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from holdfast.events.subjects import ABOUT, need
from holdfast.patterns import lazy_pattern
from holdfast.prose.closing import classify, says_how_it_is
from holdfast.prose.cores import mended_in, outcome_in
from holdfast.prose.one_line import one_line
from holdfast.prose.openness import leaves_open
from holdfast.prose.passages import cut_at_clause
from holdfast.prose.sentences import split_line
from holdfast.rooms.memory.standing.anew import SINCE_THEN
from holdfast.rooms.memory.standing.threads import Thread, kind_of, pressing

LONGEST_LINE = 300
"""Characters of a line in the brief and at a file."""
_LEAST_ROOM, _MOST_OF_FIX = 80, 0.7
"""Characters that words keep beside long remarks; and the share of them that what was done may have."""
_LONGEST_NEWS = 100
_TAIL = 20
_SAYS = 1.0
"""The weight of a sentence that says something."""
_SAYS_MORE = 1.4
"""The weight of a sentence that names something, too."""
_LEAST_CUT = 8
"""Words that a line keeps: "Undone." and "I have not run it." alone say too little."""
_LONGEST_CUT, _LONGEST_CUT_THREAD, _SHORT_LEAD = 100, 150, 50
"""Characters of a line that was cut, and of a thread (who must act often stands behind what is open); and of a first
sentence that stays all the same."""
_LONGEST_RESULTS = 210
"""Characters of a line that was cut and tells two results."""
LINE = lazy_pattern(
    r"(?P<head>\[\w+\] (?:agent: )?)(?P<said>.*?)(?P<facts>(?: \([^()]*\))+(?: — (?:replaces|an agent objects): .*)?)",
    re.DOTALL,
)


def within(line: str) -> str:
    """A line within its length, cut at a sentence: what it begins with and what was done about it stay."""
    found = LINE.fullmatch(line) if len(line) > LONGEST_LINE else None
    if found is None:
        return one_line(line, LONGEST_LINE)
    old, mark, news = found["said"].partition(SINCE_THEN)
    news = one_line(news, _LONGEST_NEWS)
    room = max(_LEAST_ROOM, LONGEST_LINE - len(found["head"]) - len(found["facts"]) - len(mark) - len(news))
    said = f"{_shortened(old, room)}{mark}{news}"
    if "agent: " not in found["head"] and not said.endswith(("…", found["said"][-_TAIL:])):
        said = f"{_shortened(found['said'], room - 2)} …"  # a person's words: an exception may stand at their end
    return f"{found['head']}{said}{found['facts']}"


def _shortened(said: str, room: int) -> str:
    parts = split_line(said)
    mended = mended_in(parts)
    fix = parts[mended] if mended > 0 and not says_how_it_is(parts[0]) else ""
    fix = fix if len(fix) < _MOST_OF_FIX * room else ""
    kept = {0: cut_at_clause(parts[0], room - len(fix) - bool(fix))}
    kept |= {parts.index(fix): fix} if fix else {}
    for at, each in enumerate(parts[1:], 1):
        if at in kept:
            continue
        if sum(map(len, kept.values())) + len(kept) + len(each) > room:
            break
        kept[at] = each
    return _closed(" ".join(kept[at] for at in sorted(kept)))


def cut(line: str, *, leads: bool) -> str:
    """A line with its weightiest sentence (of a thread, if it `leads`, the most pressing), and with as many from its
    beginning as are short. A cause keeps what was done about it: alone it reads as if it still were so."""
    found = LINE.fullmatch(line)
    if found is None or ABOUT in found["said"]:
        return line
    parts = split_line(found["said"])
    if leads:  # who must act is told before what it is about
        top = min(
            range(len(parts)),
            key=lambda at: (not leaves_open(parts[at]), pressing(Thread(parts[at], kind_of(parts[at]))), at),
        )
    else:  # what was said first is the outcome, unless it says nothing
        top = outcome_in(parts)
    kept = {top, top - 1} if top and need(parts[top]) else {top}
    if not leads:
        kept = _with_results(parts, top, kept)
    longest = _LONGEST_CUT_THREAD if leads else _LONGEST_CUT
    for at, sentence in enumerate(parts):
        length, words = (sum(count(parts[each]) for each in kept) for count in (len, lambda each: len(each.split())))
        if words >= _LEAST_CUT and length + len(sentence) > longest and (at or len(sentence) > _SHORT_LEAD):
            break
        kept.add(at)
    return f"{found['head']}{_closed(' '.join(parts[at] for at in sorted(kept)))}{found['facts']}"


def _closed(said: str) -> str:
    """Words of the user that were cut end where they were cut: what stands behind them is not the user's."""
    return f"{said.rstrip('.')}…”" if said.count("“") > said.count("”") else said


def _with_results(parts: Sequence[str], top: int, kept: set[int]) -> set[int]:
    """A cause with what was done about it, and with the result of another turn behind that as far as it is short; else
    the two results."""
    mended = top if says_how_it_is(parts[top]) else mended_in(parts)
    if mended < 0:
        return kept
    more = says_how_it_is if mended == top else _says_more
    other = next((at for at in range(mended + 1, len(parts)) if more(parts[at]) and not need(parts[at])), -1)
    if other < 0:
        return kept | {mended}
    for each in (kept | {mended, other}, {mended, other}):
        if sum(len(parts[at]) for at in each) <= _LONGEST_RESULTS and not need(parts[min(each)]):
            return each
    return kept | {mended}


def _says_more(text: str) -> bool:
    return says_how_it_is(text) or classify(text).weight >= _SAYS_MORE
