"""Cuts what an agent said into its parts: paragraphs, headings, list points, rows of a table, quotes. Pure.

Every part stands for itself: nothing is joined across two of them. Code is left out, and of tables all but those that
say of files what was changed. A part knows the heading or the label that it stands under.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from holdfast.patterns import lazy_pattern
from holdfast.prose.cues import DID, WAS
from holdfast.prose.roles import is_label, role_of

UnitKind = Literal["heading", "paragraph", "point", "row", "quote"]
_CODE = lazy_pattern(r"(?:```.*?(?:```|\Z))|(?:~~~.*?(?:~~~|\Z))", re.DOTALL)
_POINT = lazy_pattern(r"(?P<indent>[ \t]*)(?:[-*+•–]|\d{1,3}[.)])[ \t]+(?:\[(?P<box>[ xX])\][ \t]+)?(?=\S)")
_ANSWER = lazy_pattern(r"(?:[2-9]|[1-9]\d{1,2})\.[ \t]+[A-ZÀ-Þ`]")
"""No list begins with such a number: "50. We had 100 for a week" is an answer."""
_QUOTE = lazy_pattern(r"[ \t]*>[ \t]?")
_HASHES = lazy_pattern(r"[ \t]*#{1,6}[ \t]+")
_BOLD = lazy_pattern(r"(?<![\w*])\*\*(?=\S)(.{1,400}?)(?<=\S)\*\*(?![\w*])")
"""Not __ as well: it is a part of more names than marks."""
_ONLY_BOLD = lazy_pattern(r"\*\*([^*]{2,60})\*\*:?")
_LABEL = lazy_pattern(r"\*{1,2}([^*:\n]{2,60})(?::\*{1,2}|\*{1,2}[ \t]*:|\*\*[ \t]+[—–-](?=[ \t]))[ \t]*(?=\S)")
_BARE_LABEL = lazy_pattern(r"\*\*([^*:\n]{2,30})\*\*[ \t]+(?=[A-ZÀ-Þ`\d])")
"""Only bold type says that it is a label: "**TL;DR** It works offline."."""
_PLAIN_LABEL = lazy_pattern(r"([A-ZÀ-Þ][\w'’; -]{2,28}?)(?::|[ \t](?:—|–|→|[-=]>))[ \t]+(?=\S)")
_PICTURES = "[\u231a-\u23ff\u2600-\u27bf\u2b00-\u2bff\ufe0f\u200d\U0001f000-\U0001faff]"
_TICKS = lazy_pattern(rf"{_PICTURES}+")
_FIRST_TICKS = lazy_pattern(rf"(?:{_PICTURES}|[\u2190-\u21ff])+[ \t]*")
_OF_TABLE_RULE = frozenset(" \t:|-")
_FILES = lazy_pattern(r"(?:files?|paths?|modules?|where|component|datei(?:en)?|modul|wo)\b", re.IGNORECASE)
_CHANGES = lazy_pattern(r"(?:changes?|what|description|änderung(?:en)?|beschreibung|was)\b", re.IGNORECASE)
_OF_TESTS = lazy_pattern(r"(?:^|[/_.`-])(?:tests?|specs?|e2e)(?:[/_.-]|`?$)", re.IGNORECASE)
_LONGEST_HEADING = 7
_LEAST_STATED = 4
_LONGEST_LIST = 200
_TABS = 4


@dataclass(frozen=True, slots=True)
class Unit:
    """One part of an answer, without its marks."""

    kind: UnitKind
    text: str
    label: str = ""
    """The label before it, else the heading that it stands under; '' for none."""
    inline: bool = False
    """The label stands before it, in the same line."""
    is_bold: bool = False
    """Its label is in bold, so that it stands for all of the part, and not for its first sentence only."""
    level: int = 0
    """How far a list point is indented."""
    opens_list: bool = False
    """It ends with a colon: the points below it belong to its sentence."""
    is_ticked: bool = False
    """Its box is ticked: it is done, also under a heading that says what is open."""


def units(message: str) -> list[Unit]:
    lines = [part for line in _CODE.sub("\n", message).splitlines() for part in _with_points(line)]
    return list(_headed(_joined(_parts(lines))))


_FIRST_POINT = lazy_pattern(r"(?<=:)[ \t]+1[.)][ \t]+(?=\S)")
_NEXT_POINT = lazy_pattern(r"(?<=\S)[ \t]+[2-9][.)][ \t]+(?=\S)")


def _with_points(line: str) -> list[str]:
    """ "Done. Two questions: 1. Which fields? 2. Are drafts indexed?" as the points of a list, behind what stands
    before it. A few words that only announce it go."""
    first = _FIRST_POINT.search(line)
    if first is None or _NEXT_POINT.search(line, first.end()) is None:
        return [line]
    points = [f"{number}. {each}" for number, each in enumerate(_NEXT_POINT.split(line[first.end() :]), 1)]
    before, _, announcing = line[: first.start()].rpartition(". ")
    if len(announcing.split()) <= _LONGEST_HEADING and not _states(announcing):
        return [f"{before}.", *points] if before else points
    return [line[: first.start()], *points]


def _parts(lines: list[str]) -> Iterator[Unit | None]:
    """One unit per line; None for an empty line."""
    table: list[str] = []
    has_points = False
    for line in lines:
        if line.lstrip().startswith("|"):
            table.append(line)
            continue
        if table:
            yield from _rows(table)
            table = []
        is_point = _POINT.match(line) is not None
        if is_point and not has_points and _ANSWER.match(line):
            yield _labelled(Unit("paragraph", line.strip()))
            continue
        has_points = has_points or is_point
        yield _unit(line)
    yield from _rows(table)


def _unit(line: str) -> Unit | None:
    quoted = _QUOTE.match(line)
    bare = line[quoted.end() :] if quoted else line
    point = _POINT.match(bare)
    marked = point or _HASHES.match(bare)
    text = _untick(bare[marked.end() :] if marked else bare)
    if not text.strip("-–—*_= "):
        return None
    if point and not quoted:
        level = len(point["indent"].expandtabs(_TABS))
        label = "To do" if point["box"] == " " else ""
        is_ticked = point["box"] in ("x", "X")
        opens_list = text.endswith(":")
        return _labelled(Unit("point", text, label, bool(label), False, level, opens_list, is_ticked))
    if _HASHES.match(bare) or _is_title(text):
        return Unit("heading", _plain(text).rstrip(": "), level=0 if _HASHES.match(bare) else 1)
    return _labelled(Unit("quote" if quoted else "paragraph", text))


def _untick(text: str) -> str:
    """Without ticks and pictures: before a sentence, behind it and between its words."""
    bare = _FIRST_TICKS.sub("", text.strip(), count=1) if text.strip()[:1] > "\u2000" else text.strip()
    return " ".join(_TICKS.sub(" ", bare).split()) if not bare.isascii() else bare


def _is_title(text: str) -> bool:
    """Does a line alone say what the next ones are about?"""
    bold = _ONLY_BOLD.fullmatch(text)
    if bold:  # "**Decision: MapLibre.**" says something itself
        return not bold[1].rstrip().endswith((".", "!", "?")) and not _PLAIN_LABEL.match(bold[1])
    is_one = ". " not in text
    return text.endswith(":") and is_one and len(text.split()) <= _LONGEST_HEADING and not _states(text)


def _states(text: str) -> bool:
    """ "CI went from 19 to 7 minutes:" says something itself."""
    tells = len(text.split()) >= _LEAST_STATED and WAS.search(text) and not role_of(text)
    return DID.match(text) is not None or bool(tells)


def _labelled(unit: Unit) -> Unit:
    """With the label that stands before its words, if it is one that says what they are."""
    label = _LABEL.match(unit.text)
    if label and role_of(label[1]):
        return replace(unit, text=_plain(unit.text[label.end() :]), label=label[1].strip(), inline=True, is_bold=True)
    bare = _BARE_LABEL.match(unit.text)
    if bare and is_label(name := bare[1].rstrip(". ")):
        return replace(unit, text=_plain(unit.text[bare.end() :]), label=name, inline=True, is_bold=True)
    text = _plain(unit.text)
    plain = _PLAIN_LABEL.match(text)
    if plain and is_label(plain[1]):
        return replace(unit, text=text[plain.end() :], label=plain[1], inline=True)
    return replace(unit, text=text)


def _plain(text: str) -> str:
    return _BOLD.sub(r"\1", text).strip()


def _rows(table: list[str]) -> Iterator[Unit]:
    """The rows of a table that says of files what was changed; of other tables none."""
    if len(table) < 3 or not _OF_TABLE_RULE.issuperset(table[1]):
        return
    head, *rows = [
        [_untick(_plain(cell)) for cell in line.strip().strip("|").split("|")] for line in (table[0], *table[2:])
    ]
    if len(head) != 2 or not (_FILES.match(head[0]) and _CHANGES.match(head[1])):
        return
    for row in rows:
        if len(row) == 2 and all(row) and not _OF_TESTS.search(row[0]):
            yield Unit("row", f"{row[0]}: {row[1]}", "Changes")


def _joined(parts: Iterator[Unit | None]) -> Iterator[Unit]:
    """Lines that belong together: a paragraph or a point that goes on, and the points below a point with a colon."""
    held: Unit | None = None
    was_empty = False
    for part in parts:
        if part is None:
            was_empty = True
            continue
        if held and _goes_on(held, part, was_empty=was_empty):
            mark = " " if part.kind != "point" else " " if held.text.endswith(":") else "; "
            held = replace(
                held, text=f"{held.text}{mark}{part.text.rstrip('.') if part.kind == 'point' else part.text}"
            )
        else:
            if held:
                yield held
            held = part
        was_empty = False
    if held:
        yield held


def _goes_on(held: Unit, part: Unit, *, was_empty: bool) -> bool:
    if part.kind == "point":
        below = held.kind == "point" and part.level > held.level and not part.inline
        return below and held.opens_list and len(held.text) + len(part.text) <= _LONGEST_LIST
    if was_empty or part.inline or part.kind == "heading" or part.kind == "row":
        return False
    if held.kind == part.kind == "quote":
        return True
    if held.kind not in ("paragraph", "point") or part.kind != "paragraph":
        return False
    return part.text[:1].islower() or held.text.endswith((",", "(", " –", " —"))


def _headed(parts: Iterator[Unit]) -> Iterator[Unit]:
    """With the heading that each part stands under. One in bold ends with its list, or at the next label."""
    heading, soft, listed = "", False, False
    for part in parts:
        if part.kind == "heading":
            heading, soft, listed = part.text, part.level == 1, False
            yield part
            continue
        in_list = part.kind in ("point", "row")
        if soft and not in_list and (listed or part.inline):
            heading = ""
        listed = listed or in_list
        is_over = part.is_ticked and role_of(heading) == "open"
        yield part if part.label or is_over else replace(part, label=heading)
