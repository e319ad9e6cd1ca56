"""Reads the words with which an agent ends a turn: which sentence says what came of it (MEM-16). Pure.

Each sentence gets a kind and a weight. A cause and a decision weigh most, then a change; numbers and names of code add
to it; courtesy, offers, narration and lists of files weigh nothing. No model: the cues are in `cues`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from holdfast.events.subjects import about, need, without_connective
from holdfast.items.words import one_line
from holdfast.rooms.memory.reading import cues
from holdfast.rooms.memory.reading.openness import leaves_open
from holdfast.rooms.memory.reading.sentences import Sentence, sentences

Kind = Literal["decision", "finding", "change", "answer", "open", "question", "check", "none"]
LONGEST = 260
_JOINED = 210
_SAYING = 1.0
TELLING = 2.0
"""A sentence of this weight says what came of a turn."""
_BASE: dict[Kind, float] = {
    "decision": 4.0,
    "finding": 4.0,
    "change": 2.4,
    "answer": 1.0,
    "open": 1.0,
    "question": 0.0,
    "check": 0.6,
    "none": 0.0,
}
_LABEL = re.compile(r"([A-ZÀ-Þ][\w' -]{2,28}?)\s*(?::|—|–)\s+(?=\S)")
_MOST_READ = 120
_LONGEST_READ = 500
"""Characters of a sentence that are looked at."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence, what it is, and how much it says."""

    text: str
    kind: Kind
    weight: float


def statements(message: str) -> list[Statement]:
    """The sentences of a closing message, in their order. Headings are not among them."""
    found: list[Statement] = []
    before = ""
    for sentence in sentences(message)[:_MOST_READ]:
        if sentence.is_heading:
            before = ""
            continue
        if before and cues.ANNOUNCED.fullmatch(before):
            sentence = replace(sentence, heading="Cause")
        statement = _read(sentence, first=not found)
        if statement.weight >= _SAYING and statement.kind != "open":
            statement = _with_subject(before, statement)
        found.append(statement)
        before = statement.text if len(statement.text) <= _JOINED else sentence.text
    return found


@lru_cache(maxsize=8_192)
def classify(text: str) -> Statement:
    """One sentence alone, such as a line of a summary. The same lines are read at every prompt: they are remembered."""
    return _read(Sentence(text), first=False)


def best(found: Iterable[Statement]) -> Statement | None:
    """The sentence that says what came of it: the weightiest, the earliest of equals; None when none says enough."""
    telling = [each for each in found if each.weight >= TELLING and each.kind != "open"]
    return max(telling, key=lambda each: each.weight, default=None)


def learned(found: Sequence[Statement], most: int) -> list[str]:
    """The weightiest findings and decisions, in their order."""
    telling = [each for each in found if each.kind in ("decision", "finding") and len(each.text.split()) >= 4]
    chosen = sorted(telling, key=lambda each: -each.weight)[:most]
    return [one_line(each.text, LONGEST) for each in telling if each in chosen]


def changed(found: Sequence[Statement], told: str) -> str:
    """The weightiest sentence that says what was changed, where what is told says why; '' when there is none."""
    if classify(told).kind not in ("finding", "decision"):
        return ""
    made = [
        each
        for each in found
        if each.kind == "change"
        and each.weight >= TELLING
        and each.text not in told
        and not cues.BOOKKEEPING.search(each.text)
    ]
    return one_line(max(made, key=lambda each: each.weight).text, LONGEST) if made else ""


def _read(sentence: Sentence, *, first: bool) -> Statement:
    text = sentence.text[:_LONGEST_READ]
    label = _LABEL.match(text)
    under = _under(label[1]) if label else ""
    kind = _kind(text, under or _under(sentence.heading))
    weight = _BASE[kind]
    if kind in ("none", "question") or weight == 0:
        return Statement(sentence.text, kind, 0.0)
    words = len(text.split())
    wide = not text.isascii() and words < 4 and len(text) > 12  # a language that writes no spaces
    weight += 1.5 if under in ("finding", "decision") else 0.0
    weight += min(1.0, 0.4 * len(cues.IDENTIFIER.findall(text)[:3])) + (0.4 if cues.NUMBER.search(text) else 0.0)
    weight += 0.8 if cues.FINDING.search(text) and cues.DECISION.search(text) else 0.0
    weight += 0.3 if first else 0.0
    weight -= 1.2 if cues.HEDGE.search(text) else 0.0
    weight -= 0.0 if wide or words >= 4 else 2.0
    weight -= 0.8 if words > 45 else 0.0
    return Statement(sentence.text, kind, max(0.0, round(weight, 2)))


def _under(heading: str) -> str:
    return next((name for name, pattern in cues.HEADINGS if heading and pattern.match(heading)), "")


def _kind(text: str, under: str) -> Kind:
    if cues.EMPTY.fullmatch(text) or cues.ANNOUNCED.fullmatch(text) or cues.COURTESY.search(text):
        return "none"
    if text.endswith(("?", "？")):
        return "question"
    if under == "files" or cues.NARRATION.match(text) or cues.OFFER.search(text) or _is_list_of_files(text):
        return "none"
    if cues.ABOUT_THE_USER.match(text) and not cues.FINDING.search(text):
        return "none"
    if under == "open":
        return "open"
    if under == "proposal":
        return "none"
    if leaves_open(text):
        return "open"
    if cues.CHECKED.search(text) and not cues.FINDING.search(text):
        return "check"
    if under == "decision" or cues.DECISION.search(text):
        return "decision"
    if under == "finding" or cues.FINDING.search(text):
        return "finding"
    if under == "change" or cues.CHANGE.search(text):
        return "change"
    return "check" if under == "check" else "answer"


def _is_list_of_files(text: str) -> bool:
    """ "Edited src/a.py, src/b.py" and "`src/a.py` (new)" say which files, and not what or why."""
    rest = cues.PATH.sub("", text)
    if rest == text:
        return False
    words = re.findall(r"\w+", rest)
    return len(words) <= 3


def _with_subject(before: str, statement: Statement) -> Statement:
    """A sentence that does not say what it is about is told with the sentence before it."""
    needs = need(statement.text)
    if not needs:
        return statement
    if not before or before.endswith("?") or cues.EMPTY.fullmatch(before):
        text = without_connective(statement.text) if needs == "better" else statement.text
        return replace(statement, text=text, weight=statement.weight - (0.8 if statement.weight >= TELLING else 0.0))
    if len(before) + len(statement.text) < _JOINED:
        return replace(statement, text=f"{before} {statement.text}")
    if needs == "better":
        return replace(statement, text=without_connective(statement.text))
    # Its subject says more than it does alone.
    return replace(statement, text=about(statement.text, before), weight=max(0.0, statement.weight - 0.3))
