"""Cuts the parts of what an agent said into sentences. Pure.

A sentence knows what its label or its heading says that it is: under "Root cause" a plain sentence is a finding.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from holdfast.events.content import without_reminders
from holdfast.events.subjects import completed, need
from holdfast.patterns import lazy_pattern
from holdfast.prose.attempts import lacks_outcome, with_outcomes
from holdfast.prose.cues import CEREMONY, DECISION, EMPTY, FINDING, SAYS_FIXED, TRIED
from holdfast.prose.roles import Role, label_for, role_of
from holdfast.prose.sentence_ends import ends_abbreviated, rejoined
from holdfast.prose.units import Unit, units

BEGINS = r"[\"'“(`]?[A-ZÀ-ÞА-Я0-9`]|[a-z][a-zA-Z0-9-]{0,60}(?:[_/(]|\.\w)"
"""How a sentence begins: with a capital letter or a figure, or with a name of code ("retry.py keeps one key")."""
_LINE_END = lazy_pattern(rf"(?<=[.!?])\s+(?={BEGINS})")
_END = lazy_pattern(rf"(?<=[.!?])\s+(?={BEGINS})|(?<=[。！？])\s*")
_SHORTEST = 3
_LONGEST_READ = 500


@dataclass(frozen=True, slots=True)
class Sentence:
    text: str
    role: Role = ""
    """What its label or its heading says that it is."""
    is_heading: bool = False
    block: int = 0
    """The part of the answer that it stands in: a paragraph, a point of a list, a quote."""
    follows: bool = False
    """Its block goes on from the block before: both are plain paragraphs under one heading."""
    is_point: bool = False
    """It stands in a list or in a table."""


def sentences(message: str) -> list[Sentence]:
    return list(_cut(message))


def spoken(message: str) -> list[str]:
    """The sentences of what an agent said, as texts, without headings."""
    return [each.text for each in _cut(message) if not each.is_heading]


def _cut(message: str) -> Iterator[Sentence]:
    last: Unit | None = None
    is_first = True
    for block, unit in enumerate(_with_lead(units(without_reminders(message)))):
        if unit.kind == "heading":
            yield Sentence(unit.text, "", is_heading=True, block=block)
            last = None
            continue
        if len(unit.text) < _SHORTEST:
            continue
        role = role_of(unit.label)
        follows = last is not None and last.kind == unit.kind == "paragraph" and not unit.inline and not last.inline
        stands_for_all = unit.is_bold or not unit.inline or unit.kind == "quote"
        texts = _with_reason(
            _labelled(_led(list(_told(unit)), is_first=is_first and unit.kind == "paragraph"), unit, role)
        )
        is_first = False
        roles: list[Role] = [role if stands_for_all or not at else "" for at in range(len(texts))]
        for text, tried in with_outcomes(texts, roles):
            yield Sentence(text, tried, block=block, follows=follows, is_point=unit.kind in ("point", "row"))
        last = unit


_LONGEST_LEAD, _LONGEST_BODY = 2, 5
"""Words of a lead that is the answer ("50.", "MapLibre.", "30 minutes."), and of what a label names before its reason
follows ("Considered and rejected: Redis streams.")."""
_REPLY = lazy_pattern(r"(?:yes|no|yep|nope|ja|nein|oui|non|sí|si)[.!]", re.IGNORECASE)
_PICKED = lazy_pattern(
    r"(?:i|we|ich|wir)(?:'ve| have| haben?)? (?:picked|chose|took|kept|used|dropped|went with|decided on|nehmen|nehme)"
    r" [^\s.]\S*(?: \S+)?[.!]",
    re.IGNORECASE,
)
"""What was chosen, and not why: the next sentence says that."""
_SENTENCE = lazy_pattern(
    r".*:|.*\b(?:i|we|you|it|this|that|they|these|those|all|everything|both|tests?|here|there|ich|wir|es|das)\b"
    r"|(?:good|great|nice|thanks?|hi|hello)\b",
    re.IGNORECASE,
)
"""It has a subject, or is courtesy."""
_NAMED = lazy_pattern(r"[A-ZÀ-Þ][\w/&' -]{2,40}: (?P<body>\S.*)")


def is_lead_of(text: str) -> bool:
    """Is it so short that it says nothing without the question, and yet the answer to it?"""
    if _PICKED.fullmatch(text):
        return True
    if len(text.split()) > _LONGEST_LEAD or text[-1] not in ".!":
        return False
    return bool(_REPLY.fullmatch(text)) or not (_SENTENCE.match(text) or EMPTY.fullmatch(text) or _is_ceremony(text))


def _with_lead(found: list[Unit]) -> list[Unit]:
    """The parts of an answer; what is no more than a lead, and a trial whose outcome stands in the next paragraph, are
    joined with that."""
    told: list[Unit] = []
    for unit in found:
        last = told[-1] if told else None
        if last and last.kind == unit.kind == "paragraph" and not (last.inline or unit.inline):
            is_lead = len(told) == 1 and is_lead_of(last.text)
            if is_lead or (need(unit.text) == "must" and lacks_outcome(last.text)):
                told[-1] = replace(last, text=f"{last.text} {unit.text}")
                continue
        told.append(unit)
    return told


def _led(texts: list[str], *, is_first: bool) -> list[str]:
    """The sentences of the first part, a lead joined with the sentence behind it."""
    if not is_first or len(texts) < 2 or not is_lead_of(texts[0]):
        return texts
    return [f"{texts[0]} {texts[1]}", *texts[2:]]


def split_line(line: str) -> list[str]:
    """The sentences of a line; an abbreviation ends none."""
    return list(rejoined(_LINE_END.split(line)))


def _with_reason(texts: list[str]) -> list[str]:
    """A label that only names something ("Considered and rejected: Redis streams.") is told with the next sentence."""
    named = _NAMED.fullmatch(texts[0]) if len(texts) > 1 else None
    if named is None or len(named["body"].split()) > _LONGEST_BODY or texts[1].endswith("?"):
        return texts
    return [f"{texts[0]} {texts[1]}", *texts[2:]]


def _told(unit: Unit) -> Iterator[str]:
    """The sentences of a part. Points of a list end as sentences do."""
    before = ""
    is_whole = (unit.kind == "paragraph" and not unit.inline) or unit.text[-1] in ".!?…。！？:"
    text = unit.text if is_whole else f"{unit.text.rstrip(' ,;')}."
    for each in _joined(_END.split(text)):
        if told := without_ceremony(each):
            told = _begun(told) if unit.kind == "point" and not before else told
            yield completed(told, before) or told
        before = each


def _labelled(texts: list[str], unit: Unit, role: Role) -> list[str]:
    """The sentences of a part, the first with its label if none of them says by its words what they are."""
    label = label_for(role, unit.label, inline=unit.inline)
    if not texts:
        return texts
    says = _SAYS.get(role)
    stated = texts if unit.is_bold or not unit.inline else texts[:1]
    if not label or (says is not None and any(says.search(each[:_LONGEST_READ]) for each in stated)):
        return [_begun(texts[0]), *texts[1:]] if unit.inline else texts
    return [f"{label}: {texts[0]}", *texts[1:]]


_SAYS: dict[Role, re.Pattern[str]] = {"finding": FINDING, "decision": DECISION, "tried": TRIED}


def _begun(text: str) -> str:
    """A sentence whose label or first clause was left out, and a point of a list, begins with a capital letter, unless
    it begins with a name."""
    word = text.split(" ", 1)[0]
    return text[0].upper() + text[1:] if word.isalpha() and word.islower() else text


_CLAUSE = lazy_pattern(r"(?<=[^.]\.)\s+|(?<=;)\s+")
_PART = lazy_pattern(r"\s*,\s*|\s+and\s+")
_LONGEST_CEREMONY = 120


def without_ceremony(text: str) -> str:
    """A sentence without clauses that only say that it passes, or was committed; '' when it says nothing else."""
    clauses = _CLAUSE.split(text)
    kept = [each for each in clauses if not _is_ceremony(each)]
    if len(kept) == len(clauses):
        return text
    told = " ".join(kept).rstrip(" ;")
    if told and need(told) == "must" and kept[0] is not clauses[0]:
        return text  # it needs the clause before it
    told = _begun(told) if told and kept[0] is not clauses[0] else told
    return f"{told}." if told and told[-1] not in ".!?…:" else told


def _is_ceremony(clause: str) -> bool:
    if len(clause) > _LONGEST_CEREMONY:
        return False
    parts = [each for each in _PART.split(clause.strip(" .;!")) if each]
    named = [
        each for each in parts if not each.replace(" ", "").isalpha() or len(each.split()) > 1 or each.lower() in _SAID
    ]
    if any(SAYS_FIXED.fullmatch(each) for each in parts):
        return False  # without it, the cause before it reads as if it still were so
    return bool(named) and all(CEREMONY.fullmatch(each) for each in named) and len(parts) - len(named) < 3


_SAID = frozenset({"committed", "pushed", "done", "merged", "formatted", "tested", "passed", "green", "clean"})


def _joined(parts: list[str]) -> Iterator[str]:
    """The parts of a line, without the cuts behind an abbreviation."""
    held = ""
    for part in parts:
        text = f"{held} {part}".strip()
        if ends_abbreviated(text):
            held = text
            continue
        held = ""
        if len(text) > 2:
            yield text
    if len(held) > 2:
        yield held
