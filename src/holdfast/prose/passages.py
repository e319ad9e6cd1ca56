"""The outcome of a turn, in the agent's own sentences, side by side: a cause with what was done about it, a
change with its reason, an announcement with its list. Pure.

A cause alone reads as if it still were so; what was done alone does not say why.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from holdfast.events.subjects import ABOUT, need
from holdfast.patterns import lazy_pattern
from holdfast.prose import cues
from holdfast.prose.closing import Statement, changed, says_how_it_is
from holdfast.prose.one_line import one_line
from holdfast.prose.sentences import split_line

LONGEST = 256
"""Characters: the line of an item has its id, its writer and its age beside them."""
_LONGEST_LIST = 220
_LONGEST_READ = 500
_MOST_OF_FIX = 0.7
"""The share of a passage that what was done may have beside its cause."""
_SHORT = 8
"""Words of a sentence that needs the one before it: "Starts at 0 now."."""
_LEAST_SAID = 4
"""Words of a sentence that is told only beside others, unless it names something: "Commit feito."."""
_SAYS, _TELLS = 1.0, 3.0
_SHORT_LEAD = 70
"""Characters of a passage that the next paragraph may explain."""
_REASONS = frozenset({"finding", "decision", "tried"})
_DONE = frozenset({"change", "answer"})
_RESULTS = frozenset({"change", "decision", "answer", "finding"})
_BETWEEN = frozenset({"none", "check", "question", "open"})
"""What may stand between a cause and its fix: they are left out, nobody needs them to understand either."""


def passage(found: Sequence[Statement], top: Statement, *, acted: bool) -> str:
    """The sentence that states the outcome of a turn, with those beside it that it is not true or not clear without.
    `acted`: something was changed, so that a cause has a fix."""
    told = _passage(found, top, acted=acted)
    return _with_what_was_decided(found, told) if acted and len(told) < _SHORT_LEAD else told


def _with_what_was_decided(found: Sequence[Statement], told: str) -> str:
    """A short sentence that opens an answer ("A tag opens the lift."), with the cause or the decision that opens the
    next paragraph: what was done says less than how it was meant."""
    at = next((at for at, each in enumerate(found) if each.text == told), -1)
    if at != 0 or len(found) < 2 or found[1].block == found[0].block or found[1].is_point:
        return told
    after = found[1]
    if after.kind not in _RESULTS or _is_tested_only(after) or len(told) + len(after.text) >= LONGEST:
        return told
    least = _TELLS if _names(told) else _SAYS
    return _joined(told, after.text) if after.weight >= least else told


def _passage(found: Sequence[Statement], top: Statement, *, acted: bool) -> str:
    at = _place(found, top)
    if at < 0 or top.kind == "tried":
        return top.text.rstrip(":")
    is_cause = acted and _is_mended_elsewhere(found, at)
    if is_cause and (whole := _labelled(found)):
        return _with_neighbours(found, whole)
    if not is_cause and (whole := _whole(found, at)):
        return whole
    if top.text.endswith(":") or (found[at].is_point and top.kind in _DONE):
        return _with_points(found, at, top.text)
    if acted and (whole := _labelled(found)):
        return whole
    if _says_what_holds(top) and not (acted and top.role == "result" and not _is_done(top)):
        told = _with_reason(found, at, top.text)
    else:
        told = _with_fix(found, at, top) if acted else _with_deed(found, at, top.text)
    return _with_neighbours(found, _with_opening(found, at, told))


def _is_mended_elsewhere(found: Sequence[Statement], at: int) -> bool:
    """Does the paragraph tell a cause only, and a part behind it what was done about it?"""
    block = [each for each in found if each.block == found[at].block]
    if any(_is_fix(each) or cues.SAYS_FIXED.match(each.text) for each in block):
        return False
    later = [each for each in found[at + 1 :] if each.block != found[at].block]
    if any(_is_fix(each) and (each.role == "change" or _is_deed(each.text)) for each in later):
        return True
    if found[at].kind in ("finding", "answer") and any(
        each.follows and _is_fix(each) and _is_done(each) for each in later
    ):
        return True
    return found[at].kind == "finding" and _opens_next(found, at) is not None


def _opens_next(found: Sequence[Statement], at: int) -> Statement | None:
    """The sentence that opens the plain paragraph behind a cause and names what it is about in code: where something
    was done, it says how that works since then."""
    last = max(place for place, each in enumerate(found) if each.block == found[at].block)
    told = [each for each in found[last + 1 :] if each.kind not in ("tried", "check", "none")][:1]
    if not told or not told[0].follows or told[0].kind not in _DONE or _is_tested_only(told[0]):
        return None
    name = cues.IDENTIFIER.match(told[0].text)
    is_past = cues.WAS.search(told[0].text) or cues.NOT_MENDED.search(told[0].text) or _PROPOSED.search(told[0].text)
    return told[0] if name and not is_past else None


_IS_WHY = lazy_pattern(r"\b(?:that|which|this) is why\b", re.IGNORECASE)
_PROPOSED = lazy_pattern(r"\b(?:should|could|would|must|has to|have to|needs? to)\b", re.IGNORECASE)


def _whole(found: Sequence[Statement], at: int) -> str:
    """A short paragraph as it stands: who cuts it changes what it says. '' where it is long, or where a part of it is
    told elsewhere or says nothing."""
    block = [each for each in found if each.block == found[at].block]
    if len(block) < 2 or any(each.is_point or each.role or each.kind not in _RESULTS for each in block):
        return ""
    parts: list[str] = []
    for each in block:
        if parts and parts[-1] in each.text:
            parts.pop()  # it was joined with the sentence before it
        parts.append(each.text.partition(ABOUT)[0])
    told = " ".join(parts)
    says = [each for each in block if not (cues.BOOKKEEPING.search(each.text) or cues.LOOKED_AT.match(each.text))]
    return told if len(told) <= LONGEST and len(says) == len(block) else ""


def _with_neighbours(found: Sequence[Statement], told: str) -> str:
    """What is told with the sentences that stand behind it in its paragraph, as far as they fit and say something."""
    inside = [at for at, each in enumerate(found) if each.text in told]
    if not inside:
        return told
    for each in found[inside[-1] + 1 :]:
        if each.block != found[inside[-1]].block or each.is_point or each.kind in ("question", "open", "tried"):
            break
        if each.kind == "check" and not cues.IDENTIFIER.search(each.text):
            continue  # only that the tests pass
        if each.kind == "none" or cues.LOOKED_AT.match(each.text) or cues.BOOKKEEPING.search(each.text):
            break
        if (len(each.text.split()) < _LEAST_SAID and not _names(each.text)) or _STILL.search(each.text):
            break
        if len(told) + len(each.text) >= LONGEST:
            break
        told = _joined(told, each.text)
    return told


_STILL = lazy_pattern(r"\b(?:still|not yet|noch|todavía|encore|ainda|ancora)\b", re.IGNORECASE)
"""What later work may change."""


def _names(text: str) -> bool:
    return bool(cues.IDENTIFIER.search(text) or cues.NUMBER.search(text))


def _labelled(found: Sequence[Statement]) -> str:
    """The cause and the fix of an answer that has a label for each, as they stand; '' when one is missing."""
    cause = next((at for at, each in enumerate(found) if each.role == "finding" and each.kind == "finding"), -1)
    done = next((at for at, each in enumerate(found) if each.role == "change" and each.kind == "change"), -1)
    if cause < 0 or found[cause].is_point:
        return ""
    if done < 0:  # only the cause has a label
        told = (each.text for each in found[cause + 1 :] if not each.role and _is_fix(each) and _is_deed(each.text))
        return _joined(found[cause].text, fix) if (fix := next(told, "")) else ""
    fix = changed([each for each in found if each.role == "change"], found[cause].text)
    if not fix:
        return ""
    return _joined(found[cause].text, fix) if cause < done else _joined(fix, found[cause].text)


def _with_deed(found: Sequence[Statement], at: int, text: str) -> str:
    """A cause with the sentence behind it in which the agent says what it did, though no tool shows it."""
    after = found[at + 1] if at + 1 < len(found) else None
    if after is None or after.block != found[at].block or not _is_deed(after.text.removeprefix(text).strip()):
        return text
    return _joined(text, after.text)


def _says_what_holds(each: Statement) -> bool:
    """Does it say how things are since then, or what was done? A cause, and what happened before, do not."""
    return each.role in ("change", "result") or says_how_it_is(each.text) or _is_deed(each.text)


_SINCE = lazy_pattern(r"\b(?:now|no longer|instead|from now on|jetzt|nun|ya no|maintenant|agora)\b", re.IGNORECASE)


def _is_done(each: Statement) -> bool:
    return _SINCE.search(each.text[:_LONGEST_READ]) is not None or _is_deed(each.text)


def _with_opening(found: Sequence[Statement], at: int, text: str) -> str:
    """With what stands before it and leads to it: the sentence that opens its paragraph, those between them, and a
    paragraph of one sentence before that, as far as they fit. Who cuts a sentence out of its paragraph cuts off why."""
    first = at
    while first and found[first - 1].block == found[at].block:
        first -= 1
    before = list(range(first, at))
    alone = first - 1
    if alone >= 0 and found[first].follows and (not alone or found[alone - 1].block != found[alone].block):
        before.append(alone)
    chosen: list[int] = []
    for each in (*before[:1], *reversed(before[1:])):
        if (
            _leads(found[each], text)
            and sum(len(found[one].text) + 1 for one in (*chosen, each)) + len(text) <= LONGEST
        ):
            chosen.append(each)
    lead = " ".join(found[each].text for each in sorted(chosen))
    return f"{lead} {text}" if lead else text


def _leads(each: Statement, text: str) -> bool:
    if each.is_point or each.kind not in _RESULTS or each.text in text or each.weight < _SAYS:
        return False
    if cues.LOOKED_AT.match(each.text) or cues.BOOKKEEPING.search(each.text) or need(each.text):
        return False
    return each.text[-1:] in ".!"


def _is_deed(text: str) -> bool:
    return cues.DID.match(text) is not None or cues.ACTED.match(text) is not None


def _place(found: Sequence[Statement], top: Statement) -> int:
    """Where a sentence stands, also when it was joined with the one before or behind it."""
    alike = [at for at, each in enumerate(found) if each.text == top.text]
    alike = alike or [at for at, each in enumerate(found) if top.text.startswith(each.text)]
    return alike[0] if alike else -1


def _with_points(found: Sequence[Statement], at: int, text: str) -> str:
    """ "I changed three things:" with the points below it; a point with those beside it, as far as they fit."""
    if found[at].is_point:
        first = at
        while first and found[first - 1].is_point and found[first - 1].kind in _RESULTS:
            first -= 1
        before = " ".join(each.text for each in found[first:at] if not text.startswith(each.text))
        text = f"{before} {text}" if before and len(before) + len(text) < LONGEST else text
    for each in found[at + 1 :]:
        if each.kind not in _RESULTS or not (each.is_point or text.endswith(":")) or cues.BOOKKEEPING.search(each.text):
            break
        if len(text) + len(each.text) >= _LONGEST_LIST:
            break
        last = (split_line(text) or [text])[-1]
        # It was joined with the sentence before it.
        text = f"{text.removesuffix(last)}{each.text}" if each.text.startswith(last) else f"{text} {each.text}"
    return f"{text[:-1]}." if text.endswith(":") else text


def _with_fix(found: Sequence[Statement], at: int, top: Statement) -> str:
    """A cause with what was done about it: the next sentence that says so, else what a list of changes names, else all
    that the paragraph says behind it."""
    after = [each for each in found[at + 1 :] if each.kind not in _BETWEEN or cues.SAYS_FIXED.match(each.text)]
    beside = [
        each for each in after if each.block == found[at].block or (each.follows and found[at].block < each.block)
    ]
    near = beside[0] if beside and beside[0].block == found[at].block else None
    mended = next((each for each in beside if _is_fix(each)), None)
    if mended and mended.block == found[at].block and (whole := _up_to(found, at, mended)):
        return _after_what_it_explains(found, at, whole)
    fix = mended.text if mended else changed(found, top.text)
    fix = fix or (opening.text if (opening := _opens_next(found, at)) else "")
    says = near is not None and near.kind == "answer" and cues.IDENTIFIER.search(near.text) is not None
    fix = fix or (near.text if near and says and not _is_tested_only(near) else "")
    fix = fix or next((each.text for each in beside if cues.SAYS_FIXED.match(each.text)), "")
    if not fix and top.role == "result":  # a summary that tells how it was
        was = cues.WAS.search(top.text) is not None
        told = (each for each in after if _is_fix(each) and (_is_done(each) if was else _is_deed(each.text)))
        fix = next((each.text for each in told), "")
    if fix:
        return _after_what_it_explains(found, at, _joined(top.text, fix))
    before = found[at - 1] if at else None
    if before and _is_fix(before) and not before.is_point:
        return _joined(before.text, top.text)
    text = top.text
    for each in beside:
        if each.block != found[at].block or each.is_point or len(text) + len(each.text) >= _LONGEST_LIST:
            break
        text = _joined(text, each.text)
    return _with_reason(found, at, text) if text == top.text else text


def _up_to(found: Sequence[Statement], at: int, fix: Statement) -> str:
    """A cause with all that its paragraph says up to what was done about it; '' where that is too long, or where a part
    of it says nothing."""
    text = found[at].text
    for each in found[at + 1 : found.index(fix) + 1]:
        if each.is_point or each.kind not in _RESULTS or _is_tested_only(each):
            return ""
        text = _joined(text, each.text) if len(text) + len(each.text) < LONGEST else ""
        if not text:
            return ""
    return text


def _after_what_it_explains(found: Sequence[Statement], at: int, text: str) -> str:
    """A cause that names nothing ("nobody noticed because all days are alike"), with the sentence before it that
    does."""
    before = found[at - 1] if at else None
    if before is None or before.block != found[at].block or before.kind not in _RESULTS or cues.IDENTIFIER.search(text):
        return text
    if not cues.IDENTIFIER.search(before.text) or cues.LOOKED_AT.match(before.text):
        return text
    return _joined(before.text, text) if len(before.text) + len(text) < LONGEST else text


def _is_tested_only(each: Statement) -> bool:
    return cues.LOOKED_AT.match(each.text) is not None or cues.BOOKKEEPING.search(each.text) is not None


def _is_fix(each: Statement) -> bool:
    if each.kind not in _RESULTS or cues.BOOKKEEPING.search(each.text):
        return False
    last = (split_line(each.text) or [each.text])[-1]
    if cues.NOT_MENDED.search(last) or _IS_WHY.search(last):
        return False
    return _says_what_holds(each)


def _with_reason(found: Sequence[Statement], at: int, text: str) -> str:
    """What was done, with the sentence before it that says why, else the one behind it, else what a label names as the
    cause."""
    if cues.FINDING.search(text[:_LONGEST_READ]):
        return text
    before = found[at - 1] if at else None
    if before and _are_side_by_side(before, found[at]) and _leads_to(before, found[at]):
        return _joined(before.text, text)
    after = found[at + 1] if at + 1 < len(found) else None
    if after and _are_side_by_side(found[at], after) and after.kind in ("finding", "decision") and not after.is_point:
        return _joined(text, after.text)
    named = next((each for each in found if each.role == "finding" and each.kind == "finding"), None)
    if named is None or found[at].role not in ("change", "result", ""):
        return text
    return _joined(named.text, text) if found.index(named) < at else _joined(text, named.text)


def _leads_to(before: Statement, done: Statement) -> bool:
    """Is it the reason for what was done? In one paragraph also a sentence that no word marks as one."""
    if before.is_point or before.kind in _REASONS:
        return not before.is_point
    if before.kind not in _DONE or before.block != done.block or cues.LOOKED_AT.match(before.text):
        return False
    if cues.WAS.search(before.text[:_LONGEST_READ]) and says_how_it_is(done.text):
        return True
    return _is_deed(done.text) or len(done.text.split()) < _SHORT


def _are_side_by_side(one: Statement, other: Statement) -> bool:
    return one.block == other.block or other.follows


def _joined(one: str, other: str) -> str:
    bare, _, subject = other.partition(ABOUT)
    if subject and one.startswith(subject.rstrip(")").rstrip("…")):
        other = bare  # what it is about stands before it
    one = f"{one[:-1]}." if one.endswith(":") else one  # what it announced was code
    if one.rstrip(".") in other:
        return other
    if other in one or (len(other) > _MOST_OF_FIX * LONGEST and len(one) + len(other) >= LONGEST - 1):
        return one
    one = cut_at_clause(one, LONGEST - len(other) - 2)
    return f"{one}{'' if one[-1:] in '.!?…:' else '.'} {other}"


def cut_at_clause(text: str, longest: int) -> str:
    """A sentence within a length: cut where a part of it ends, else at a word."""
    if len(text) <= longest:
        return text
    ends = [text.rfind(mark, longest // 2, longest) for mark in (", ", "; ", ": ", " — ", " – ")]
    return f"{text[: max(ends)]}…" if max(ends) > 0 else one_line(text, longest)
