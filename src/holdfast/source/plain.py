"""Reads a file without a grammar: what a line declares, else pieces of the file. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.source.model import CodeUnit, FileContent

_DECLARES = re.compile(
    r"[ \t]{0,16}"
    r"(?:(?:pub|public|private|protected|export|static|abstract|final|open|local|inline|async|override)[ \t]+){0,4}"
    r"(?P<word>def|defp|defmodule|defmacro|fn|func|fun|function|proc|sub|class|struct|interface|trait|module|mixin|"
    r"extension|object|enum|record|protocol|contract|resource|message|service|procedure|subroutine|type|let|val)"
    r"[ \t]+(?P<name>[A-Za-z_][\w.!?']{1,80})"
)
_CLASSES_TEXT = """
defmodule class struct interface trait module mixin extension object enum record protocol contract message service
type
"""
_CLASSES = frozenset(_CLASSES_TEXT.split())
_PIECE = 40
"""Lines of a piece, where nothing is declared."""
_MOST_UNITS = 2_000
_LONGEST_LINE = 400
_LONGEST_BODY = 8_000
_CALL = re.compile(r"\b([A-Za-z_]\w{2,80})\(")


def read_lines(text: str, language: str) -> FileContent:
    """The declarations of a text, each up to the next one; a text without any in pieces."""
    lines = text.split("\n")
    declared = list(_declared(lines))[:_MOST_UNITS]
    if not declared:
        return FileContent(language, tuple(_pieces(lines)), parsed=False)
    units = [_unit("file", "", 0, declared[0][0], lines)]
    for (start, name, is_class), (end, _, _) in zip(declared, [*declared[1:], (len(lines), "", False)], strict=True):
        units.append(_unit("class" if is_class else "function", name, start, end, lines))
    return FileContent(language, tuple(units), parsed=False)


def _declared(lines: list[str]) -> Iterator[tuple[int, str, bool]]:
    """(line from 0, name, is it a class?) of every line that declares something."""
    for number, line in enumerate(lines):
        if len(line) > _LONGEST_LINE:
            continue
        match = _DECLARES.match(line)
        if match is None or (match["word"] in ("let", "val", "type") and line[:1].isspace()):
            continue
        yield number, match["name"].rstrip("."), match["word"] in _CLASSES


def _pieces(lines: list[str]) -> Iterator[CodeUnit]:
    yield _unit("file", "", 0, min(len(lines), _PIECE), lines)
    for start in range(_PIECE, min(len(lines), _PIECE * _MOST_UNITS), _PIECE):
        yield _unit("section", "", start, min(len(lines), start + _PIECE), lines)


def _unit(kind: str, name: str, start: int, end: int, lines: list[str]) -> CodeUnit:
    body = "\n".join(line[:_LONGEST_LINE] for line in lines[start:end])[:_LONGEST_BODY]
    calls = tuple(dict.fromkeys(found for found in _CALL.findall(body) if found != name))
    return CodeUnit(kind, name, "", start + 1, max(end, start + 1), "", body, calls[:200])  # type: ignore[arg-type]
