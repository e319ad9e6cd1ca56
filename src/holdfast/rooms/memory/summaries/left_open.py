"""What the closing words leave open, as lines: what is not done and what the agent asked, each with its subject. Pure.

What one paragraph leaves open is one line. An offer ("Would you like me to …") is none by itself: what it offers is
named elsewhere, or is told as offered.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from holdfast.events.subjects import ABOUT, about, need
from holdfast.items.words import one_line
from holdfast.patterns import lazy_pattern
from holdfast.rooms.memory.reading import closing, cues
from holdfast.rooms.memory.reading.closing import Statement
from holdfast.rooms.memory.standing.threads import OFFERED, telling
from holdfast.shell.tools import listed

_MOST_LEFT = 4
_MOST_ASKED = 2
_LONGEST_LINE = 260
_LONGEST_JOINED = 200
_LONGEST_SUBJECT = 120
_NAMED_ELSEWHERE = 0.5
"""The share of an offer's words that other sentences name, when it is about them."""
_PRONOUN = lazy_pattern(r"(?:it|they|this|these|those|that|he|she|sie|es|das|dies\w*)\b", re.IGNORECASE)
_LETTERS = lazy_pattern(r"\w{2,}")
_VAGUE = listed("it that this them these those too same one ones there so")
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
    lines = [_asked(said, at, title, found, worked=worked) for at in asked[-_MOST_ASKED:]]
    return [*found[:_MOST_LEFT], *(line for line in lines if line)]


def _not_done(said: Sequence[Statement], title: str, request: str) -> list[str]:
    """One line for each part of the answer that leaves something open; two sentences of a plain paragraph that are
    about different things are two."""
    lines: list[str] = []
    block = -1
    for at, each in enumerate(said):
        if each.kind != "open":
            continue
        text = one_line(each.text, _LONGEST_LINE)
        goes_on = each.block == block and bool(lines) and _goes_on(each)
        block = each.block
        if goes_on:
            if len(lines[-1]) + len(text) < _LONGEST_JOINED and ABOUT not in lines[-1]:
                lines[-1] = f"{lines[-1]} {text}"
        elif told := _announced(said, at, title, request):
            lines.append(told)
        else:
            block = -1
    return lines


_SAME_THING = lazy_pattern(r"(?:until|otherwise|then|so|therefore|before|bis|sonst)\b", re.IGNORECASE)


def _goes_on(statement: Statement) -> bool:
    """Does it say more of what the sentence before it leaves open?"""
    is_labelled = statement.role in ("open", "note")
    return is_labelled or need(statement.text) != "" or _SAME_THING.match(statement.text) is not None


def _announced(said: Sequence[Statement], at: int, title: str, request: str) -> str:
    """What is open. "Not tested against a real server yet." is shown with what it is about; '' when a pronoun means
    something that nobody can tell."""
    text = one_line(said[at].text, _LONGEST_LINE)
    if need(text) != "must":
        return text
    is_pronoun = _PRONOUN.match(text) is not None
    near = [each for each in said[:at] if each.block == said[at].block or not (is_pronoun and said[at].role)]
    subject = next((each.text for each in reversed(near) if _may_be_subject(each, said[at])), "")
    subject = subject or ("" if is_pronoun and said[at].role else title)
    if subject.startswith(text.rstrip("….")):
        subject = request or text
    if not subject:
        return ""
    return about(text, subject, _LONGEST_SUBJECT) if subject not in text else text


def _may_be_subject(before: Statement, statement: Statement) -> bool:
    return before.weight >= closing.TELLING or (before.block == statement.block and before.weight > 0)


def _asked(said: Sequence[Statement], at: int, title: str, found: Sequence[str], *, worked: bool) -> str:
    """A question of the agent; an offer only as what is offered, and only if nothing else names it."""
    question = one_line(said[at].text, _LONGEST_LINE)
    lead = cues.OFFERS.match(question) or (cues.ASKS_LEAVE.match(question) if worked else None)
    if lead is None:
        return _with_subject(said, at, title)
    before = next((each for each in reversed(said[:at]) if each.kind not in ("none", "question", "check")), None)
    if _is_vague(question):
        if before is None or before.kind in ("open", "change") or before.block != said[at].block:
            return ""
        return _offered(about(question[lead.end() :].rstrip("?？ "), before.text, _LONGEST_SUBJECT))
    words = telling(question[lead.end() :])
    others = [telling(each.text) for each in said if each.kind not in ("none", "question")]
    if found or not words or any(len(words & each) >= _NAMED_ELSEWHERE * len(words) for each in others):
        return ""
    return _offered(question[lead.end() :].rstrip("?？ "))


def _offered(text: str) -> str:
    return f"{OFFERED}{text.removeprefix('also ')}"


def _is_vague(question: str) -> bool:
    words = set(_LETTERS.findall(question.lower()))
    return len(words - _ASKING) < 2 or bool(words & _VAGUE and len(words - _ASKING) < 4)


def _with_subject(said: Sequence[Statement], at: int, title: str) -> str:
    """A question that does not name what it is about is shown with the sentence before it."""
    question = one_line(said[at].text, _LONGEST_LINE)
    if not _is_vague(question):
        return question
    told = [each.text for each in said[:at] if each.kind not in ("none", "question", "check")]
    return about(question, told[-1] if told else title, _LONGEST_SUBJECT)
