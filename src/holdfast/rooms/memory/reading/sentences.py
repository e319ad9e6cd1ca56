"""Cuts what an agent said into sentences, without code, tables and markup. Pure.

A heading is kept with the sentences below it: under "Root cause" a plain sentence is a finding.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from holdfast.events.subjects import completed, with_topic
from holdfast.patterns import lazy_pattern
from holdfast.rooms.memory.reading.cues import CEREMONY
from holdfast.rooms.memory.rules import without_reminders

_CODE = lazy_pattern(r"```.*?(```|\Z)", re.DOTALL)
_MARKS = lazy_pattern(r"^\s*(?:[-*+•]|\d+[.)]|#{1,6}|>)\s+(?:\[[ xX]\]\s+)?")
_BOLD = lazy_pattern(r"(?<![\w*])\*\*(?=\S)(.{1,400}?)(?<=\S)\*\*(?![\w*])")
"""Not __ as well: it is a part of more names than marks."""
BEGINS = r"[\"'“(`]?[A-ZÀ-ÞА-Я0-9`]|[a-z][a-zA-Z0-9-]{0,60}(?:[_/(]|\.\w)"
"""How a sentence begins: with a capital letter or a figure, or with a name of code ("retry.py keeps one key")."""
_END = lazy_pattern(rf"(?<=[.!?])\s+(?={BEGINS})|(?<=[。！？])\s*")
_ABBREVIATED = lazy_pattern(r"\b(?:e\.g|i\.e|etc|vs|cf|approx|resp|incl|z\.B|d\.h|bzw|p\.ej|No|Nr|Fig|Sec)\.$")
_ONLY_BOLD = lazy_pattern(r"\s*\*\*[^*]{2,60}\*\*:?\s*")
_HASHES = lazy_pattern(r"\s*#{1,6}\s")
_LONGEST_HEADING = 7


@dataclass(frozen=True, slots=True)
class Sentence:
    text: str
    heading: str = ""
    """The heading that it stands under; '' for none."""
    is_heading: bool = False
    listed: bool = False
    """It is an entry of a list."""


def sentences(message: str) -> list[Sentence]:
    return list(_cut(message))


def spoken(message: str) -> list[str]:
    """The sentences of what an agent said, as texts."""
    return [each.text for each in _cut(message)]


def _cut(message: str) -> Iterator[Sentence]:
    heading = ""
    for line in _CODE.sub("\n", without_reminders(message)).splitlines():
        listed = bool(_MARKS.match(line))
        plain = _BOLD.sub(r"\1", _MARKS.sub("", line)).strip()
        if len(plain) < 3 or plain.startswith("|"):
            continue
        if _is_heading(line, plain):
            heading = plain.rstrip(":")
            yield Sentence(plain, "", is_heading=True)
            continue
        before = ""
        for text in _joined(_END.split(plain)):
            if told := without_ceremony(text):
                yield Sentence(completed(told, before) or with_topic(told), heading, listed=listed)
            before = text


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
    return f"{told}." if told and told[-1] not in ".!?…:" else told


def _is_ceremony(clause: str) -> bool:
    if len(clause) > _LONGEST_CEREMONY:
        return False
    parts = [each for each in _PART.split(clause.strip(" .;!")) if each]
    named = [
        each for each in parts if not each.replace(" ", "").isalpha() or len(each.split()) > 1 or each.lower() in _SAID
    ]
    return bool(named) and all(CEREMONY.fullmatch(each) for each in named) and len(parts) - len(named) < 3


_SAID = frozenset({"committed", "pushed", "done", "merged", "formatted", "tested", "passed", "green", "clean"})


def _is_heading(line: str, plain: str) -> bool:
    if _HASHES.match(line) or _ONLY_BOLD.fullmatch(line):
        return True
    return plain.endswith(":") and len(plain.split()) <= _LONGEST_HEADING


def _joined(parts: list[str]) -> Iterator[str]:
    """The parts of a line, without the cuts behind an abbreviation."""
    held = ""
    for part in parts:
        text = f"{held} {part}".strip()
        if _ABBREVIATED.search(text):
            held = text
            continue
        held = ""
        if len(text) > 2:
            yield text
    if len(held) > 2:
        yield held
