"""Reads the words with which an agent ends a turn: which sentence states the outcome (MEM-16). Pure.

Each sentence gets a kind and a weight. A cause and a decision weigh most, then a change; numbers and names of code add
to it; courtesy, offers, narration and lists of files weigh nothing. No model: the cues are in `cues`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from holdfast.events.subjects import ABOUT, about, need, without_connective
from holdfast.patterns import lazy_pattern
from holdfast.prose import cues
from holdfast.prose.assents import is_held_back, without_assent
from holdfast.prose.attempts import is_attempt, lacks_outcome
from holdfast.prose.one_line import one_line
from holdfast.prose.openness import leaves_open, waits_for_a_word
from holdfast.prose.pointers import denies_first, is_pointer
from holdfast.prose.prompts.replies import with_what_holds
from holdfast.prose.remarks import is_left_alone
from holdfast.prose.roles import Role, role_of
from holdfast.prose.sentences import Sentence, sentences

StatementKind = Literal["decision", "finding", "change", "answer", "open", "question", "check", "tried", "none"]
LONGEST = 260
_JOINED = 210
_SAYING = 1.0
TELLING = 2.0
"""A sentence of this weight states the outcome of a turn."""
_BASE: dict[StatementKind, float] = {
    "decision": 4.0,
    "finding": 4.0,
    "change": 2.4,
    "answer": 1.0,
    "open": 1.0,
    "question": 0.0,
    "check": 0.6,
    "tried": 1.0,
    "none": 0.0,
}
_LABEL = re.compile(r"([A-ZÀ-Þ][\w' -]{2,28}?)\s*(?::|—|–)\s+(?=\S)")
_PRONOUN = re.compile(r"(?:it|they|this|that|i|we|es|sie) ", re.IGNORECASE)
_HAS_ENDING = re.compile(r"\.[A-Za-z]\w{0,4}(?::\d|`|\Z)")
_MOST_READ = 120
_LONGEST_READ = 500
"""Characters of a sentence that are looked at."""


_ADVISES = lazy_pattern(
    r"\b(?:when|whenever|if|where) (?:you|one) (?:must|have to|need to|can(?:not|'t))\b", re.IGNORECASE
)
"""It tells anyone what to do in general, and leaves nothing to do here."""
_UNDONE = lazy_pattern(r"(?:not|never|nicht|noch nicht|pas|no) (?:yet )?[\w-]+(?: [\w-]+)?(?::|\.?\Z)", re.IGNORECASE)
"""It says what was not done: "Not rolled out: Tom holds the lock."."""
_TOGETHER: frozenset[Role] = frozenset({"finding", "decision", "tried"})
"""What a labelled part says of these is told as a whole: the cause and what it came from."""
_STATING: frozenset[Role] = frozenset({"finding", "decision", "tried", "open"})
"""Under these a name and two words say something: "Cause: `Session.close` runs twice"."""
_STATES: frozenset[StatementKind] = frozenset({"decision", "finding", "change", "answer"})
_LEADS, _OPENS = 3.0, 1.0
"""What opening the answer adds to the weight of a cause, a decision or a change, and of any other sentence."""
_TOO_SHORT = 2.0
"""What a sentence of fewer words loses."""
_LEAST_LEAD, _LONG_LEAD = 4, 7
"""Words of a sentence that opens an answer and says something: of a cause, a decision or a change, of any other."""
_DID_IT = (
    r"(?:I(?:'ve| have)?|we(?:'ve| have)?|ich habe|wir haben) (?:\w+ ){0,4}?"
    r"(?:this|that|it|das|es|them|everything|alles)\b"
)
_BARE = lazy_pattern(rf"(?:yes|no|ja|nein|doch|oui|non|s[ií])\b|{_DID_IT}", re.IGNORECASE)
"""An opening that answers the prompt and does not say what it is about: "I've tracked this down and fixed it."."""
_BARE_DEED = lazy_pattern(_DID_IT, re.IGNORECASE)
_SHORT_DECISION = 6
"""Words of a decision that is told with its reasons."""
_LONGEST_CHANGE = 170
_REASONED = 160
_DECIDED = 7.5
"""The weight of a decision with its reasons."""
_MOST_TRIED = 1.9
"""What was tried in vain, or met beside the work, never is the outcome of a turn."""
FIX = "Fix: "
"""Before what was done about a cause, where its words do not say that it was done: "One query for the whole day."."""
_MOST_ASIDE = 0.6
"""What was left as it was answers nothing either."""
_POINTED = 0.5
"""What a cause gains whose place another sentence announces."""
_ACTED = 0.6
"""What was done is told rather than how small or fast it is now."""
_SHORT_REPORT = 10
"""Words of a sentence that only mentions a commit."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence, what it is, and how much it says."""

    text: str
    kind: StatementKind
    weight: float
    role: Role = ""
    """What its label or its heading says that it is."""
    block: int = 0
    """The part of the answer that it stands in."""
    follows: bool = False
    """It goes on from the paragraph before."""
    is_point: bool = False
    """It is a point of a list."""


def statements(message: str) -> list[Statement]:
    """The sentences of a closing message, in their order. Headings are not among them."""
    found: list[Statement] = []
    before, block = "", -1
    for sentence in _together(with_what_holds(sentences(message)[:_MOST_READ])):
        is_announced = bool(before) and cues.ANNOUNCED.fullmatch(before) is not None
        if sentence.is_heading:
            before = before if is_announced else ""
            continue
        if is_announced:
            sentence = replace(sentence, role="finding")
        elif before and not sentence.role and (cues.ADMITTED.fullmatch(before) or cues.STATE_ONLY.fullmatch(before)):
            sentence = _as_cause(sentence)
        if sentence.block != block and not sentence.follows:
            before = ""
        statement = _read(sentence, first=not found)
        if not found and cues.STATE_ONLY.fullmatch(sentence.text):
            statement = replace(statement, kind="open", weight=0.0)
        if statement.weight >= _SAYING and statement.kind not in ("open", "tried"):
            was_tried = bool(found) and found[-1].kind == "tried" and sentence.block != block
            # What was tried in vain is another matter.
            lead = "" if was_tried and need(statement.text) == "better" else before
            statement = _with_subject(lead, statement)
        if statement.kind == "open" and (result := _done_before(sentence, first=not found)):
            found.append(result)
        found.append(statement)
        before, block = statement.text if len(statement.text) <= _JOINED else sentence.text, sentence.block
    return _with_parts(_with_reasons(_with_what_came(_with_what_it_points_to(found))))


def _with_what_it_points_to(found: list[Statement]) -> list[Statement]:
    """ "The reason is in the data." says where the cause is; the sentence behind it says which."""
    for at, each in enumerate(found[:-1]):
        after = found[at + 1]
        if each.kind not in ("finding", "answer") or after.block != each.block or after.kind not in _STATES:
            continue
        bare = after.text.partition(ABOUT)[0]
        if not (is_pointer(each.text) or denies_first(each.text, bare.removeprefix(each.text).strip())):
            continue
        text = bare if each.text in bare else f"{each.text} {bare}"
        if len(text) <= LONGEST:
            weight = max(each.weight, after.weight) + _POINTED
            found[at] = replace(each, kind="none", weight=0.0)
            found[at + 1] = replace(after, text=text, kind="finding", weight=weight)
    return found


_PROVED = lazy_pattern(
    r"(?:i|we)(?:'ve| have)? (?:also |then |just )?(?:re-?ran|ran|re-?played|tested|verified|checked|confirmed|measured"
    r"|compared|watched|pulled|let)\b|(?:ten|\d+|two|three|five|several|all) (?:\w+ )?(?:runs?|tries|attempts|hours?)\b"
    r"|in the same (?:test|run|setup)\b|(?:ich habe|wir haben) (?:\w+ ){0,6}(?:geprüft|getestet|gemessen|verglichen)\b",
    re.IGNORECASE,
)
_NOT_DONE = lazy_pattern(
    r"(?:i|we) (?:did not|didn't|have not|haven't|could not|couldn't|left|was not|wasn't|can't|cannot)\b"
    r"|(?:ich habe|wir haben|ich konnte|no he|je n'ai pas|não)\b[^.;]{0,80}\b(?:nicht|pas|podido|cambiado)\b",
    re.IGNORECASE,
)
"""It opens a paragraph about what was left out."""


def _with_parts(found: list[Statement]) -> list[Statement]:
    """Each sentence as its place in the answer says: behind a change, what the agent did to see that it works proves
    it; a paragraph that opens with what was not done tells nothing of the outcome."""
    has_changed, left_out = False, -1
    if found and _only_announces(found[0]) and any(map(_says_what, found[1:])):
        found[0] = replace(found[0], kind="none", weight=0.0)
    for at, each in enumerate(found):
        opens = not each.is_point and not each.role and (at == 0 or found[at - 1].block != each.block)
        if opens:
            left_out = each.block if _NOT_DONE.match(each.text) and at and not is_left_alone(each.text) else -1
        if has_changed and not each.role and each.kind in ("finding", "change", "answer") and _PROVED.match(each.text):
            found[at] = replace(each, kind="check", weight=min(each.weight, _BASE["check"]))
        elif each.block == left_out and each.kind in _STATES:
            found[at] = replace(each, kind="answer", weight=min(each.weight, _BASE["answer"]))
        has_changed = has_changed or (each.kind == "change" and each.weight >= TELLING)
    return found


_WE_DID = lazy_pattern(
    r"(?:i|we)(?:'ve| have)? (?:\w{2,20}ly )?[a-z-]{3,20}ed\b"
    r"|(?:the|this|that|your|all|everything|it)\b(?: [\w-]{2,20}){0,3}? (?:is|are|was|were|has been|have been)"
    r"(?: now| all)? (?:completed?|done|finished|ready|in place|implemented|fixed)(?: now)?[.!]?\Z",
    re.IGNORECASE,
)


def _only_announces(each: Statement) -> bool:
    """ "I've successfully refactored the parser." says that it was done, and not what."""
    says = cues.IDENTIFIER.search(each.text) or cues.NUMBER.search(each.text) or each.role
    return each.kind in ("change", "answer") and not says and bool(_WE_DID.match(each.text)) and _is_short(each.text)


def _is_short(text: str) -> bool:
    return len(text.split()) <= _LONG_LEAD


def _says_what(each: Statement) -> bool:
    names = cues.IDENTIFIER.search(each.text) or cues.NUMBER.search(each.text) or each.role in ("change", "result")
    return each.kind in _STATES and each.weight >= _SAYING and (bool(names) or not _is_short(each.text))


_BUT = re.compile(r"(?:;|,? (?:but|however|although|though|aber|jedoch|pero|mais)\b|\.? [—–]) ?", re.IGNORECASE)


def _done_before(sentence: Sentence, *, first: bool) -> Statement | None:
    """ "The screen is on Compose now, but two tests still fail." leaves something open, and says what was done."""
    cut = _BUT.search(sentence.text[:_LONGEST_READ])
    clause = sentence.text[: cut.start()] if cut else ""
    if len(clause.split()) < _LEAST_LEAD or leaves_open(clause) or sentence.role == "open" or cues.FAILS.search(clause):
        return None
    result = _read(replace(sentence, text=f"{clause.rstrip(' .,')}."), first=first)
    if result.kind not in ("change", "answer") or cues.UNSHIPPED.search(clause) or cues.DENIED.search(clause):
        return None
    return result if result.weight >= _SAYING and not need(result.text) else None


def _as_cause(sentence: Sentence) -> Sentence:
    """What stands behind "Yes, that was a bug." is its cause, unless it says what was done."""
    if need(sentence.text) or cues.CHANGE.search(sentence.text) or leaves_open(sentence.text):
        return sentence
    says_it = cues.FINDING.search(sentence.text[:_LONGEST_READ])
    return replace(sentence, role="finding", text=sentence.text if says_it else f"Cause: {sentence.text}")


def _with_what_came(found: list[Statement]) -> list[Statement]:
    """In a list of changes "CSV is no longer written." is told with the point before it, which says what is."""
    for at, each in enumerate(found[1:], 1):
        before = found[at - 1]
        if (
            each.role in ("change", "result")
            and before.role == each.role
            and each.kind == "decision"
            and before.kind == "change"
            and len(each.text.split()) <= _SHORT_DECISION
            and len(before.text) + len(each.text) < _REASONED
        ):
            found[at] = replace(each, text=f"{before.text} {each.text}")
    return found


def _together(found: Sequence[Sentence]) -> list[Sentence]:
    """The sentences of a labelled part as one, within the length of a line."""
    told: list[Sentence] = []
    for each in found:
        last = told[-1] if told else None
        if (
            last is not None
            and last.block == each.block
            and each.role in _TOGETHER
            and not each.text.endswith("?")
            and len(last.text) + len(each.text) < _JOINED
            and not (each.role != "tried" and leaves_open(each.text))
        ):
            told[-1] = replace(last, text=f"{last.text} {each.text}")
        else:
            told.append(each)
    return told


def _with_reasons(found: list[Statement]) -> list[Statement]:
    """A decision that names only its result ("Decision: MapLibre.") is told with what follows."""
    for at, each in enumerate(found):
        if each.kind != "decision" or each.role != "decision" or len(each.text.split()) > _SHORT_DECISION:
            continue
        text = each.text
        for reason in found[at + 1 :]:
            if reason.kind in ("none", "question", "open", "check") or len(text) + len(reason.text) > _REASONED:
                break
            text = f"{text} {reason.text}"
        found[at] = replace(each, text=text, weight=max(each.weight, _DECIDED)) if text != each.text else each
    return found


@lru_cache(maxsize=8_192)
def classify(text: str) -> Statement:
    """One sentence alone, such as a line of a summary. The same lines are read at every prompt: they are remembered."""
    return _read(Sentence(text), first=False)


def best(found: Sequence[Statement], *, acted: bool = False, of_fault: bool = True) -> Statement | None:
    """The sentence that states the outcome: the weightiest, the earliest of equals; None when none says enough.

    Who reports puts the outcome first: the sentence that opens the answer outweighs what is said of it later, but not
    what a label names as the cause or the decision. Where something was done (`acted`), a plain sentence says enough:
    "The beta banner is gone." And unless a fault was reported (`of_fault`), what opens the answer is the result, and a
    cause behind it explains a detail.
    """
    lead = _lead(found, of_fault=of_fault)
    leads = lead is not None and (_is_specific(lead, acted=acted) or not of_fault)
    adds = 0.0 if lead is None else _LEADS if leads else _OPENS
    adds += _TOO_SHORT if lead and len(lead.text.split()) < _LEAST_LEAD else 0.0  # "Done: `limit` is 3." is enough
    weighed = [
        (each.weight + (adds if lead and each.text.startswith(lead.text) else 0.0), each)
        for each in found
        if each.kind != "open"
    ]
    least = TELLING if adds < _LEADS else TELLING - _LEADS
    if not any(each.weight >= least for _, each in weighed):
        return _plain(found) if acted else None
    top = max(weighed, key=lambda pair: pair[0])[1]
    return _with_next(found, top) if top is lead else top


def _plain(found: Sequence[Statement]) -> Statement | None:
    """The first sentence that says how something is, however short; else one that says more than that tests pass."""
    told = [each for each in found if each.kind in _STATES and each.weight >= _SAYING and need(each.text) != "must"]
    told = [each for each in told if len(each.text.split()) >= _LEAST_LEAD or cues.IDENTIFIER.search(each.text)]
    checked = [each for each in found if each.kind == "check" and cues.HOLDS.search(each.text)]
    return next(iter((*told, *checked)), None)


def _with_next(found: Sequence[Statement], lead: Statement) -> Statement:
    """A lead of a few words ("Done: `limit` is 3.") is told with the sentence behind it."""
    at = found.index(lead) + 1
    after = found[at] if at < len(found) else None
    if len(lead.text.split()) >= _LEAST_LEAD or after is None or after.block != lead.block:
        return lead
    if after.kind not in _STATES or len(lead.text) + len(after.text) >= _JOINED:
        return lead
    return replace(lead, text=f"{lead.text} {after.text}", weight=max(lead.weight, after.weight))


def _is_specific(lead: Statement, *, acted: bool) -> bool:
    """ "I've updated the retry logic." opens an answer and says less than the cause behind it. Where something was
    done, a plain sentence says what was found: "The certificate ran out last night."."""
    if lead.kind == "answer" and (not acted or cues.CHANGE.search(lead.text[:_LONGEST_READ])):
        return False
    names = cues.IDENTIFIER.search(lead.text) or cues.NUMBER.search(lead.text)
    return names is not None or len(lead.text.split()) > _LONG_LEAD


def _lead(found: Sequence[Statement], *, of_fault: bool) -> Statement | None:
    """The sentence that opens an answer, when it states something and says what that is about."""
    telling = [each for each in found if each.kind != "none" and not _only_looked(each) and not _only_judges(each)]
    first = telling[0] if telling else None
    if first and len(telling) > 1 and telling[1].block == first.block and not _is_clause(first.text):
        first = telling[1]  # behind "Migration finished."
    if first is None or first.role not in ("", "result", "change") or first.kind not in _STATES:
        return None
    if need(first.text) or _BARE.match(first.text):
        return None
    words = len(first.text.split())
    least = _LONG_LEAD if first.kind == "answer" and of_fault else 3 if _is_clause(first.text) else _LEAST_LEAD
    return first if words >= least else None


_COPULA = re.compile(r"\b(?:is|are|has|have|ist|sind|hat|es|son|est|sont)\b", re.IGNORECASE)


def _is_clause(text: str) -> bool:
    """Does a sentence of any length say something: "Ids are UUIDv7."? "Migration finished." does not."""
    words = len(text.split())
    return (
        words >= _LEAST_LEAD or cues.IDENTIFIER.search(text) is not None or (words > 2 and bool(_COPULA.search(text)))
    )


def _only_looked(each: Statement) -> bool:
    """ "I looked through the logs of the last week." opens an answer and says nothing of it."""
    return each.kind == "answer" and ":" not in each.text and cues.LOOKED_AT.match(each.text) is not None


_JUDGES = lazy_pattern(
    r"[^.;:,]{0,80}\b(?:looks?|seems?|is|are) (?:(?:mostly|generally|otherwise|overall|all|quite|pretty|very|really) )?"
    r"(?:good|fine|solid|great|clean|nice|ok(?:ay)?|reasonable|sound|well written)"
    r"(?: (?:overall|so far|in general|to me|otherwise|at first(?: sight)?))?[.!]?",
    re.IGNORECASE,
)


def _only_judges(each: Statement) -> bool:
    """ "The PR looks good overall." opens a review; what was found stands behind it."""
    return each.kind == "answer" and _JUDGES.fullmatch(each.text) is not None


def learned(found: Sequence[Statement], most: int) -> list[str]:
    """The weightiest findings and decisions, in their order."""
    telling = [each for each in found if each.kind in ("decision", "finding") and len(each.text.split()) >= 4]
    chosen = sorted(telling, key=lambda each: -each.weight)[:most]
    return [one_line(each.text, LONGEST) for each in telling if each in chosen]


def dead_ends(found: Sequence[Statement], most: int) -> list[str]:
    """What was tried and did not help."""
    return [one_line(each.text, LONGEST) for each in found if each.kind == "tried" and each.weight][:most]


def changed(found: Sequence[Statement], told: str) -> str:
    """What was changed, where what is told says why; '' when nobody says it. Of a list under "Fix" the first points,
    else the weightiest sentence. Behind a cause that no word marks as one, it is the next sentence."""
    at = next((at for at, each in enumerate(found) if each.text == told), -1)
    if classify(told).kind not in ("finding", "decision"):
        after = found[at + 1 : at + 2] if at >= 0 and not says_how_it_is(told) else []
        made = [each for each in after if each.kind == "change" and each.block == found[at].block]
        return one_line(made[0].text, LONGEST) if made and told not in made[0].text else ""
    made = [
        each
        for each in found
        if each.kind == "change"
        and each.weight >= (_SAYING if each.role == "change" else TELLING)
        and each.text not in told
        and not (cues.BOOKKEEPING.search(each.text) or _BARE_DEED.match(each.text))
    ]
    if not made:
        return ""
    top = max(made, key=lambda each: each.weight)
    if top.role != "change":
        return one_line(top.text, LONGEST)
    text = last = ""
    for each in made:
        if each.role == "change" and (not text or len(text) + len(each.text) < _LONGEST_CHANGE):
            before = text.removesuffix(last) if each.text.startswith(last) else f"{text} "  # it may stand in the next
            text, last = f"{before}{each.text}".strip(), each.text
    first = next(each.text for each in made if each.role == "change")
    return one_line(text if classify(first).kind == "change" else f"{FIX}{text}", LONGEST)


def says_how_it_is(text: str) -> bool:
    """Does a sentence say how things are since the change, and not only how they were?"""
    return cues.HOLDS.search(text[:_LONGEST_READ]) is not None


def _read(sentence: Sentence, *, first: bool) -> Statement:
    said = without_assent(sentence.text)
    agrees, sentence = said != sentence.text, replace(sentence, text=said)
    text = said[:_LONGEST_READ]
    label = _LABEL.match(text)
    role = sentence.role or (role_of(label[1]) if label else "")
    kind = "open" if agrees and is_held_back(text) else _kind(text, role)
    weight = _BASE[kind]
    if kind in ("none", "question") or weight == 0:
        return Statement(sentence.text, kind, 0.0, role, sentence.block, sentence.follows, sentence.is_point)
    words = len(text.split())
    wide = not text.isascii() and words < 4 and len(text) > 12  # a language that writes no spaces
    weight += 1.5 if role in ("finding", "decision") else 0.0
    weight += min(1.0, 0.4 * len(cues.IDENTIFIER.findall(text)[:3])) + (0.4 if cues.NUMBER.search(text) else 0.0)
    weight += 0.8 if cues.FINDING.search(text) and cues.DECISION.search(text) else 0.0
    weight += 0.3 if first else 0.0
    weight -= 1.2 if cues.HEDGE.search(text) else 0.0
    weight -= 0.0 if wide or words >= _LEAST_LEAD else _TOO_SHORT
    weight -= 0.8 if words > 45 else 0.0
    weight += _ACTED if kind == "change" and cues.ACTED.match(text) and not cues.BOOKKEEPING.search(text) else 0.0
    weight = min(weight, _MOST_TRIED) if kind == "tried" or cues.BESIDES.match(text) else weight
    weight = min(weight, _MOST_ASIDE) if kind == "check" and cues.ASIDE.search(text) else weight
    weight = max(0.0, round(weight, 2))
    return Statement(sentence.text, kind, weight, role, sentence.block, sentence.follows, sentence.is_point)


def _kind(text: str, role: Role) -> StatementKind:
    if cues.EMPTY.fullmatch(text) or cues.ANNOUNCED.fullmatch(text) or cues.COURTESY.search(text):
        return "none"
    if text.endswith(("?", "？")):
        return "question"
    if not role and cues.ABOUT_THE_REPORT.match(text) and not cues.IDENTIFIER.search(text):
        return "none"
    if role in ("files", "confirmed", "proposal") and not leaves_open(text):
        return "none"
    if cues.NARRATION.match(text) or cues.OFFER.search(text) or (role not in _STATING and _is_list_of_files(text)):
        return "none"
    if cues.COMMITTED.match(text) and len(text.split()) <= _SHORT_REPORT and not leaves_open(text):
        return "none"
    if cues.LEFT_AS_ASKED.match(text):
        return "none"
    if waits_for_a_word(text):
        return "open"
    if cues.TAKES_NOTE.match(text):
        return "none"
    if (cues.ABOUT_THE_USER.match(text) or cues.CONFIRMS.match(text)) and not cues.FINDING.search(text):
        return "none"
    if role == "tried" or cues.TRIED.search(text):
        return "tried"
    if is_attempt(text):
        return "none" if lacks_outcome(text) else "tried"
    is_open = leaves_open(text) and not _ADVISES.search(text)
    if role == "open" and not is_open and _NOW.search(text) and not need(text):
        return _said(text, "")  # "Two things to know: the index is unique now."
    if role == "open" or (is_open and not (role == "finding" and cues.FINDING.search(text))):
        return "none" if _is_nothing_open(text) else "open"
    return _said(text, role)


_NOW = lazy_pattern(r"\b(?:now|jetzt|nun|désormais|maintenant|ahora|adesso)\b", re.IGNORECASE)
_DENIES = lazy_pattern(r"(?:not|un(?:tested|verified|tried)|nicht|no)\b", re.IGNORECASE)
"""A label that says itself what was not done: "Not verified: there is no capture of a real one."."""


def _is_nothing_open(text: str) -> bool:
    """ "Nothing is left to do." and "Committed as …" stand under "Next steps", and leave nothing open."""
    bare = text[label.end() :] if (label := _LABEL.match(text)) else text
    if label and _DENIES.match(label[1]):
        return False
    if cues.NOTHING.match(bare) or cues.COMMITTED.match(bare):
        return True
    return cues.CHECKED.search(bare) is not None and not leaves_open(bare)


def _said(text: str, role: Role) -> StatementKind:
    """What a sentence is that leaves nothing open: its label decides, else its words."""
    did = cues.DID.match(text) or cues.ACTED.match(text)
    looked = cues.LOOKED_AT.match(text) and not _ACTED_TOO.search(text)
    if role not in _STATING and not did and (cues.ASIDE.search(text) or is_left_alone(text)):
        return "check"
    if role == "check" or (cues.CHECKED.search(text) and not cues.FINDING.search(text) and not _says_more(text)):
        return "check"
    if role == "decision" or role == "finding" or role == "change":
        return role
    if cues.DECISION.search(text):
        return "decision"
    if cues.FINDING.search(text) and not _only_tells_the_way(text):
        return "finding"
    if role == "result" or (
        (did or cues.CHANGE.search(text)) and not (looked or _UNDONE.match(text) or cues.NOT_MENDED.search(text))
    ):
        return "change"
    return "answer"


_ACTED_TOO = lazy_pattern(
    r"(?:\band|\bthen|,|;|—|–)(?: (?:i|we|then|so|now|have|it|that|is|are)){0,4} "
    r"(?:fixed|added|implemented|removed|renamed|replaced|rewrote|refactored|introduced|extracted|moved|migrated|made"
    r"|changed|set|put|cut|corrected|repaired|switched|capped|raised|lowered|dropped|deleted|split|reverted|now)\b",
    re.IGNORECASE,
)
"""Behind what the agent looked at: "I checked the parser and fixed the offset."."""


def _says_more(text: str) -> bool:
    """ "Both tests pass; they find nodes by text now." says what was changed, too, and so does "`FULL` it is, with WAL
    kept: the load test passes"."""
    if cues.CHECKED.search(rest := text.partition("; ")[2]) is None and says_how_it_is(rest):
        return True
    first, colon, _ = text.partition(": ")
    return bool(colon) and not cues.CHECKED.search(first) and _is_clause(first) and bool(cues.IDENTIFIER.search(first))


_WHICH = lazy_pattern(r",? which [^.;:]*")


def _only_tells_the_way(text: str) -> bool:
    """ "I compared both logs, which took long because the clocks differ." tells how the agent went about it, and not
    what it saw."""
    return cues.LOOKED_AT.match(text) is not None and not cues.FINDING.search(_WHICH.sub("", text))


def _is_list_of_files(text: str) -> bool:
    """ "Edited src/a.py, src/b.py" and "`src/a.py` (new)" say which files, and not what or why."""
    rest = cues.PATH.sub(lambda found: "" if _HAS_ENDING.search(found[0]) else found[0], text)  # 7.1 is no file
    if rest == text or _PRONOUN.match(text) or says_how_it_is(text):
        return False
    words = re.findall(r"\w+", rest)
    return len(words) <= 3


def _with_subject(before: str, statement: Statement) -> Statement:
    """A sentence that does not say what it is about is told with the sentence before it."""
    needs = need(statement.text)
    if not needs:
        return statement
    if before.endswith("?") and needs == "must" and len(before) + len(statement.text) < _JOINED:
        return replace(statement, text=f"{before} {statement.text}")  # "Why not per row? It was slower."
    if not before or before.endswith("?") or cues.EMPTY.fullmatch(before):
        text = without_connective(statement.text) if needs == "better" else statement.text
        return replace(statement, text=text, weight=statement.weight - (0.8 if statement.weight >= TELLING else 0.0))
    if len(before) + len(statement.text) < _JOINED:
        return replace(statement, text=f"{before} {statement.text}")
    if needs == "better":
        return replace(statement, text=without_connective(statement.text))
    # Its subject says more than it does alone.
    return replace(statement, text=about(statement.text, before), weight=max(0.0, statement.weight - 0.3))
