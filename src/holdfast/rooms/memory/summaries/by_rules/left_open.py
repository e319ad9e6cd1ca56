"""What the closing words leave open, as lines: what is not done and what the agent asked, each with its subject. Pure.

What one paragraph leaves open is one line. An offer ("Would you like me to …") is none by itself: what it offers is
named elsewhere, or is told as offered.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from holdfast.events.subjects import ABOUT, about, need
from holdfast.patterns import lazy_pattern
from holdfast.prose import closing, cues
from holdfast.prose.closing import Statement
from holdfast.prose.one_line import one_line
from holdfast.prose.openness import leaves_open, waits_for_a_word
from holdfast.prose.remarks import is_fact, is_standing, orders_a_deed, waits_for_somebody
from holdfast.prose.roles import role_of, without_open_label
from holdfast.prose.updates.deeds import OF_WORK
from holdfast.prose.updates.settled import needs_words
from holdfast.recall.tokens import general_terms
from holdfast.rooms.memory.standing.threads import OFFERED, most_pressing, telling, tells_of_failure
from holdfast.shell.tools import listed

RECOMMENDED = "Recommended: "
"""Before what the agent proposed, where it waits for somebody's word."""
_MOST_LEFT = 4
_MOST_ASKED = 2
_LONGEST_LINE = 260
_LONGEST_SUBJECT = 120
_MOST_BEFORE = 3
"""Sentences before an open one that are told with it."""
_TERSE = 70
"""Characters of a line that the next paragraph explains."""
_SHORT = 9
"""Words of a sentence that says that something was not done, and not what follows from it."""
_NAMED_ELSEWHERE = 0.5
"""The share of an offer's words that other sentences name, when it is about them."""
_PRONOUN = lazy_pattern(r"(?:it|they|this|these|those|that|he|she|sie|es|das|dies\w*)\b", re.IGNORECASE)
_LETTERS = lazy_pattern(r"\w{2,}")
_VAGUE = listed("it that this them these those same one ones there so")
CHAT = listed(
    "ok okay yes no yeah yep sure right fair good great nice perfect fine clear cool agreed agree ah oh hm well so now"
    " then please do go on it is that this the and but we you me my one more done works lgtm hi hello morning again"
    " thanks thank fix continue proceed try also too can could would should want to with for of in at a an be have has"
    " let lets just"
)
_ASKING = (
    CHAT
    | _VAGUE
    | listed(
        "also should shall change update add make keep use like need are does did will us look into all instead prefer"
    )
)


def left_open(said: Sequence[Statement], title: str, request: str, *, asks: bool, worked: bool) -> list[str]:
    """`request` is what was asked for, if it names a subject. `asks`: a question is more than small talk. `worked`:
    something was changed, so that "Should I …" offers more."""
    found = _not_done(said, title, request)
    asked = [
        at for at, each in enumerate(said) if asks and each.kind == "question" and not cues.COURTESY.search(each.text)
    ]
    lines = []
    for at in asked[-_MOST_ASKED:]:
        line = _asked(said, at, title, found, worked=worked)
        lead = _leads_to(said, at, found) if line and not line.startswith(OFFERED) else ""
        if lead:  # one matter is one thread: who answers has settled both
            found.remove(lead)
            lead = lead.partition(ABOUT)[0]
            line = f"{lead} {line}" if len(lead) + len(line) < _LONGEST_LINE else line
        lines.append(line)
    return [*most_pressing(found, _MOST_LEFT), *(line for line in lines if line)]


def _not_done(said: Sequence[Statement], title: str, request: str) -> list[str]:
    """One line for each part of the answer that leaves something open; two sentences of a plain paragraph that are
    about different things are two. What stands behind a question in its part explains the question."""
    lines: list[str] = []
    block, asked = -1, -1
    for at, each in enumerate(said):
        asked = each.block if each.kind == "question" else asked
        if each.kind != "open" or is_standing(each.text) or is_fact(each.text):  # also under a heading that says "open"
            continue
        if _GIT_SAYS.fullmatch(each.text) or _only_explains(each):
            continue
        if each.block == asked and each.role in ("open", "note") and not waits_for_somebody(each.text):
            continue
        text = one_line(without_open_label(each.text), _LONGEST_LINE)
        if lines and lines[-1].endswith(text):
            continue
        goes_on = each.block == block and bool(lines) and (_goes_on(each) or _is_same_matter(each, lines[-1]))
        goes_on = goes_on or (bool(lines) and _is_terse(said, at, lines[-1]))
        block = each.block
        if goes_on:
            bare = lines[-1].partition(ABOUT)[0]
            if len(bare) + len(text) < _LONGEST_LINE:
                lines[-1] = f"{bare} {text}"
        elif told := _announced(said, at, title, request):
            lines.append(told)
        else:
            block = -1
    return lines


def _only_explains(statement: Statement) -> bool:
    """Does it say how a fault comes about, or no more than that one was found? "Cause: each charge holds the lock until
    the bank has answered." waits for nobody, and reads as if it were so when the fault is long mended."""
    if cues.STATE_ONLY.fullmatch(statement.text):
        return not leaves_open(statement.text)
    return statement.role == "finding" and not waits_for_somebody(statement.text)


_GIT_SAYS = lazy_pattern(
    r"(?:(?:(?:all|the|both|host) ){0,2}(?:tests?|suite|build|checks?|everything|`[^`]{1,60}`"
    r"|lint)\b[^.;,:]{0,40}[.,;:] "
    r"(?:but |and )?)?(?:nothing|not|none of (?:it|this|that)|(?:it|this|that)(?:['’]s| is) not"
    r"|i (?:have not|haven['’]t|did not"
    r"|didn['’]t)|(?:noch )?nichts?|todavía no|sin|aún no|rien) (?:yet |is |has |been |hay |est |nada"
    r" |(?:anything|it|this) ){0,3}"
    r"(?:commit(?:ted)?|eingecheckt|committet|commitead[oa]|commité|hacer commit)(?: anything| it| this"
    r"| yet| so far| any of (?:it|this)"
    r"| for now| todavía| aún| encore){0,2}(?:,? so (?:that )?you can (?:look|review|read)[^.;]{0,60})?[.!]?",
    re.IGNORECASE,
)
"""The repository says it, and nobody says when it ends: "Nothing committed yet."."""


def _is_terse(said: Sequence[Statement], at: int, line: str) -> bool:
    """Does the line before only say that something was not done ("Not deployed. It is still on 1.17."), and this
    sentence, which opens the next paragraph, who or what stands in the way?"""
    before = said[at - 1] if at else None
    if before is None or before.kind != "open" or said[at].is_point or before.block + 1 != said[at].block:
        return False
    bare = line.partition(ABOUT)[0]
    return bare.endswith(before.text) and len(bare) <= _TERSE and need(bare) != ""


_SAME_THING = lazy_pattern(r"(?:until|otherwise|then|so|therefore|before|bis|sonst)\b", re.IGNORECASE)


def _goes_on(statement: Statement) -> bool:
    """Does it say more of what the sentence before it leaves open?"""
    is_labelled = statement.role in ("open", "note")
    return is_labelled or need(statement.text) != "" or _SAME_THING.match(statement.text) is not None


def _is_same_matter(statement: Statement, line: str) -> bool:
    """Do two sentences of a paragraph name the same thing?"""
    ours, theirs = (telling(text) - needs_words(text) - OF_WORK for text in (statement.text, line.partition(ABOUT)[0]))
    least = min(len(ours), len(theirs))
    return not statement.is_point and least > 1 and 2 * len(ours & theirs) >= least


def _announced(said: Sequence[Statement], at: int, title: str, request: str) -> str:
    """What is open. "Not tested against a real server yet." is shown with what it is about; '' when a pronoun means
    something that nobody can tell."""
    text = one_line(without_open_label(said[at].text), _LONGEST_LINE)
    if acts := _who_acts(said, at, text):
        return one_line(acts if acts.startswith(text) else f"{text} {acts}", _LONGEST_LINE)
    before = said[at - 1] if at else None
    if before and before.role == "advice" and before.block == said[at].block and waits_for_a_word(text):
        return one_line(f"{RECOMMENDED}{before.text} {text}", _LONGEST_LINE)
    if lead := _antecedent(said, at, text):
        return f"{lead} {text}"
    if not _needs_subject(text, said[at]):
        return text
    is_pronoun = _PRONOUN.match(text) is not None
    beside = [each for each in said[:at] if each.block == said[at].block]
    near = [each.text for each in beside if each.weight > 0 or cues.IDENTIFIER.search(each.text)]
    subject = near[-1] if near else "" if is_pronoun and said[at].role else _matter(said, text, title)
    if not subject or subject.startswith(text.rstrip("….")):
        subject = request if not (is_pronoun and said[at].role) else ""
    if not subject:
        return "" if is_pronoun or not telling(text) - general_terms() else text
    return about(text, subject, _LONGEST_SUBJECT) if subject not in text else text


_POINTS_BACK = lazy_pattern(
    r"[^,;:.]{0,80}?\b(?:it|its|this|these|those|them|they|their|he|him|his|she|her|both|either|neither|former|latter"
    r"|which one|one of (?:them|these|those)|(?:of|know) one|the (?:\w{2,15} )?ones?(?=[.,;:!]|$)"
    r"|that(?! (?:i|we|you|it|they|the|an?|is|are|was|were|has|have|can|will|does|do)\b))\b",
    re.IGNORECASE,
)
"""Its first clause has a word that stands for something before it."""


def _antecedent(said: Sequence[Statement], at: int, text: str) -> str:
    """The sentences before it in its paragraph, as long as each points back ("I haven't written that down."); '' for
    none. Who cuts a sentence out of its paragraph cuts off what it is about."""
    lead, first = "", text
    for place in reversed(range(max(0, at - _MOST_BEFORE), at)):
        before = said[place]
        if before.block != said[at].block or before.kind in ("none", "question", "open", "tried"):
            break
        if text.startswith(before.text.rstrip(".")):
            continue  # the first clause of the same sentence
        if not (need(first) or _POINTS_BACK.match(first)):
            break
        if before.text[-1:] not in ".!" or len(before.text) + len(lead) + len(text) >= _LONGEST_LINE:
            break
        lead, first = f"{before.text} {lead}".strip(), before.text
    return lead


_ACTS = lazy_pattern(
    r"\b(?:\w+ (?:should|must|has to|have to|needs? to)|must be|has to be|have to be|needs? to be|should be|jemand"
    r"|(?:muss|müssen|sollte[nt]?) (?:\w+ ){0,6}werden)\b",
    re.IGNORECASE,
)


def _who_acts(said: Sequence[Statement], at: int, text: str) -> str:
    """ "I have not run it." says less than the sentence behind it: "The first run deletes 40,000 files, so somebody
    should look at the list." '' when that says nothing of who must act, or the line is whole without it."""
    if len(text.split()) <= _SHORT and (stuck := _stuck(said, at, text)):
        return stuck
    after = said[at + 1] if at + 1 < len(said) else None
    if after is None or after.block != said[at].block or after.kind in ("question", "none"):
        return ""
    if after.kind == "open" and not need(after.text) and need(text) != "must":
        return ""
    if len(text.split()) > _SHORT or len(text) + len(after.text) >= _LONGEST_LINE or not _ACTS.search(after.text):
        return ""
    return after.text


def _stuck(said: Sequence[Statement], at: int, text: str) -> str:
    """A few words that something did not go out, with what stands in the way and who acts, as the sentences behind say
    it: "The run is not submitted. Slurm refused it. Ana has to extend the account." '' where the first says neither."""
    if not (cues.DENIED.search(text) and tells_of_failure(text)):
        return ""
    told = text
    for each in said[at + 1 : at + 3]:
        bare = each.text.removeprefix(told).strip()  # a statement may begin with the sentence that it points to
        goes_on = tells_of_failure(bare) or _ACTS.search(bare) or waits_for_somebody(bare)
        if each.block != said[at].block or each.kind in ("question", "none") or not goes_on:
            break
        if len(told) + len(bare) >= _LONGEST_LINE:
            break
        told = f"{told} {bare}"
    return told if told != text else ""


_TO_DECIDE = lazy_pattern(
    r"\b(?:decid\w+|decision|whether|(?:not|un)sure|(?:un|not )clear|your call|up to you|choose|choice"
    r"|open (?:points?|questions?)|questions?|entscheid\w*|unklar|offene (?:punkte?|fragen?))\b",
    re.IGNORECASE,
)


def _leads_to(said: Sequence[Statement], at: int, found: Sequence[str]) -> str:
    """The open line of the same paragraph that the question at the end of it is about; '' for none."""
    block = [each for each in said[:at] if each.block == said[at].block and each.kind == "open"]
    for each in reversed(block):
        text = one_line(without_open_label(each.text), _LONGEST_LINE)
        line = next((line for line in found if line.partition(ABOUT)[0].endswith(text)), "")
        is_same = len(telling(text) & telling(said[at].text)) > 1 or _TO_DECIDE.search(text)
        if line and is_same:
            return line
    return ""


_CAVEAT = lazy_pattern(r"(?P<label>[\w'’ -]{2,40}?)(?::|[ \t][—–-])[ \t]+(?=\S)")
_COUNTED = lazy_pattern(r"\b(?:an?|one|two|three|some|only|small|another|last) ", re.IGNORECASE)
_VERB = lazy_pattern(
    r"\b(?:is|are|was|were|be|has|have|had|does|do|did|can|could|may|must|will|would|should|needs?|waits?|fails?|stays?"
    r"|ist|sind|war|hat|haben|muss|müssen|kann|wird|werden|fehl(?:t|en))\b|n't\b",
    re.IGNORECASE,
)
_NUMBER_ONLY = lazy_pattern(
    r"\b(?:has|have|is|are|shows?|gets?|with|at|on) (?:only |about )?\d[\d.,]*[.!]?\Z", re.IGNORECASE
)
_LONGEST_NAME = 4
"""Words of a name that says nothing of what is named."""


def _needs_subject(text: str, statement: Statement) -> bool:
    """ "Not covered: audio files.", "One caveat: I couldn't try it.", "The EU cluster still has 20.": of what?"""
    if need(text) == "must" or _NUMBER_ONLY.search(text):
        return True
    label = _CAVEAT.match(text)
    known = role_of(_COUNTED.sub("", label["label"])) if label else ""
    rest = text[label.end() :] if label and known in ("open", "note") else text
    if rest is not text and need(rest) == "must":
        return True
    is_open = known == "open" or statement.role == "open"
    is_name = len(rest.split()) <= _LONGEST_NAME and not _VERB.search(rest) and not cues.IDENTIFIER.search(rest)
    return is_open and is_name and not orders_a_deed(rest)


_STATES = ("change", "answer", "finding", "decision")


def _matter(said: Sequence[Statement], text: str, title: str) -> str:
    """What the answer is about: its first sentence that says something, else its title."""
    telling_ones = (each for each in said if each.weight >= closing.TELLING and each.kind not in ("open", "question"))
    first = next((each.text for each in telling_ones if each.text != text), "")
    states = [each.text for each in said if each.kind in _STATES and not each.is_point]
    first = first or next(
        (each for each in states if not each.startswith(text) and telling(each) - general_terms()), ""
    )
    return first or ("" if title.startswith(_TRACES) else title)


_TRACES = ("Edited ", "Ran ", "Created ")


def _asked(said: Sequence[Statement], at: int, title: str, found: Sequence[str], *, worked: bool) -> str:
    """A question of the agent; an offer only as what is offered, and only if nothing else names it."""
    question = one_line(said[at].text, _LONGEST_LINE)
    lead = cues.OFFERS.match(question) or (cues.ASKS_LEAVE.match(question) if worked else None)
    if lead is None:
        return _with_subject(said, at, title)
    before = next((each for each in reversed(said[:at]) if each.kind not in ("none", "question", "check")), None)
    if _is_vague(question):
        # What stands in the paragraph before is what it is about, unless that tells what was done.
        if before is None or before.kind in ("open", "change") or said[at].block - before.block > 1:
            return ""
        return _offered(about(question[lead.end() :].rstrip("?？ "), before.text, _LONGEST_SUBJECT))
    words = telling(question[lead.end() :])
    others = [telling(each.text) for each in said if each.kind not in ("none", "question")]
    others += [telling(line) for line in found]
    if not words or any(len(words & each) >= _NAMED_ELSEWHERE * len(words) for each in others):
        return ""
    return _offered(question[lead.end() :].rstrip("?？ "))


def _offered(text: str) -> str:
    return f"{OFFERED}{text.removeprefix('also ')}"


_PARTICLES = listed("up down back off out over away through along forward ahead again")
"""Beside a verb they name nothing: "Should I roll back?"."""


def _is_vague(question: str) -> bool:
    words = set(_LETTERS.findall(question.lower())) - _PARTICLES
    return len(words - _ASKING) < 2 or bool(words & _VAGUE and len(words - _ASKING) < 4)


def _with_subject(said: Sequence[Statement], at: int, title: str) -> str:
    """A question that does not name what it is about is shown with the sentence before it."""
    question = one_line(said[at].text, _LONGEST_LINE)
    if not _is_vague(question):
        return question
    told = [each.text for each in said[:at] if each.kind not in ("none", "question", "check")]
    clear = [each for each in told[-_MOST_BEFORE:] if not need(each) or cues.IDENTIFIER.search(each)]
    return about(question, next(reversed(clear or told), title), _LONGEST_SUBJECT)
