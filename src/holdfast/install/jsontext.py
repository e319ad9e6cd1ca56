"""JSON as text with places: where each value starts and ends, so that an edit touches only its own part.

Parses strictly what RFC 8259 allows and says line and column of the first character that it does not.
It knows nothing of Claude Code's settings (`settings.py`) and writes no file (`files.py`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

DEEPEST = 200
_SPACE = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_WORDS: tuple[tuple[str, object], ...] = (("true", True), ("false", False), ("null", None))


class NotJson(Exception):
    """The text stops being JSON at this place."""

    def __init__(self, text: str, position: int, reason: str) -> None:
        before = text[:position]
        self.line = before.count("\n") + 1
        self.column = position - (before.rfind("\n") + 1) + 1
        self.reason = reason
        super().__init__(f"line {self.line}, column {self.column}: {reason}")


@dataclass(frozen=True, slots=True)
class Node:
    """A value and its place: `text[start:end]`."""

    kind: Literal["object", "array", "scalar"]
    start: int
    end: int
    children: tuple[Child, ...] = ()
    scalar: object = None

    def get(self, key: str) -> Node | None:
        """The member of that name; of several, the last, as JSON.parse has it."""
        found = [child.node for child in self.children if child.key == key]
        return found[-1] if found else None

    def value(self) -> object:
        """The plain Python value."""
        if self.kind == "object":
            return {child.key: child.node.value() for child in self.children}
        if self.kind == "array":
            return [child.node.value() for child in self.children]
        return self.scalar


@dataclass(frozen=True, slots=True)
class Child:
    """A member of an object (start is its key's) or an item of an array (key is empty)."""

    key: str
    start: int
    node: Node

    @property
    def end(self) -> int:
        return self.node.end


@dataclass(frozen=True, slots=True)
class TextEdit:
    """Put `text` where `start:end` was."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Style:
    """How the author lays out JSON."""

    newline: str = "\n"
    unit: str = "  "
    broken: bool = True
    spaced: bool = True

    @property
    def gap(self) -> str:
        return " " if self.spaced else ""


def parse(text: str) -> Node:
    """The whole text as one value; a leading byte order mark is skipped."""
    start = _skip(text, 1 if text.startswith("\ufeff") else 0)
    node = _value(text, start, 0)
    rest = _skip(text, node.end)
    if rest < len(text):
        raise NotJson(text, rest, _what(text, rest, "nothing may follow the closing bracket"))
    return node


def _skip(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _what(text: str, position: int, expected: str) -> str:
    if position >= len(text):
        return f"the text ends, {expected}"
    if text.startswith(("//", "/*"), position):
        return "comments are not JSON"
    return f"{expected}, not {text[position]!r}"


def _value(text: str, position: int, depth: int) -> Node:
    if depth > DEEPEST:
        raise NotJson(text, position, f"nested deeper than {DEEPEST} levels")
    first = text[position : position + 1]
    if first == "{":
        return _object(text, position, depth)
    if first == "[":
        return _array(text, position, depth)
    if first == '"':
        word, end = _string(text, position)
        return Node("scalar", position, end, scalar=word)
    for name, value in _WORDS:
        if text.startswith(name, position):
            return Node("scalar", position, position + len(name), scalar=value)
    number = _NUMBER.match(text, position)
    if number:
        raw = number.group()
        short_integer = len(raw) < 4000 and raw.lstrip("-").isdigit()
        return Node("scalar", position, number.end(), scalar=int(raw) if short_integer else float(raw))
    raise NotJson(text, position, _what(text, position, "a value is expected"))


def _string(text: str, position: int) -> tuple[str, int]:
    match = _STRING.match(text, position)
    if not match:
        if text[position : position + 1] != '"':
            raise NotJson(text, position, _what(text, position, "a name in double quotes is expected"))
        raise NotJson(text, position, "this string has no end, a raw control character or a wrong escape")
    return json.loads(match.group()), match.end()


def _object(text: str, start: int, depth: int) -> Node:
    children: list[Child] = []
    position = _skip(text, start + 1)
    if text[position : position + 1] == "}":
        return Node("object", start, position + 1)
    while True:
        key, end = _string(text, position)
        colon = _skip(text, end)
        if text[colon : colon + 1] != ":":
            raise NotJson(text, colon, _what(text, colon, "a colon is expected"))
        node = _value(text, _skip(text, colon + 1), depth + 1)
        children.append(Child(key, position, node))
        position = _skip(text, node.end)
        if text[position : position + 1] == "}":
            return Node("object", start, position + 1, tuple(children))
        position = _after_comma(text, position, "}")


def _array(text: str, start: int, depth: int) -> Node:
    children: list[Child] = []
    position = _skip(text, start + 1)
    if text[position : position + 1] == "]":
        return Node("array", start, position + 1)
    while True:
        node = _value(text, position, depth + 1)
        children.append(Child("", position, node))
        position = _skip(text, node.end)
        if text[position : position + 1] == "]":
            return Node("array", start, position + 1, tuple(children))
        position = _after_comma(text, position, "]")


def _after_comma(text: str, position: int, closing: str) -> int:
    if text[position : position + 1] != ",":
        raise NotJson(text, position, _what(text, position, f"a comma or {closing!r} is expected"))
    following = _skip(text, position + 1)
    if text[following : following + 1] == closing:
        raise NotJson(text, position, "this comma has nothing after it")
    return following


def style_of(text: str, root: Node) -> Style:
    """Line ending, indentation and spacing, read from the text itself."""
    newline = "\r\n" if "\r\n" in text else "\n"
    if not root.children:
        return Style(newline)
    broken = "\n" in text[root.start : root.end]
    first = root.children[0]
    lead = _indent(text, first.start) if "\n" in text[root.start : first.start] else ""
    outer = _indent(text, root.start)
    unit = lead[len(outer) :] if lead.startswith(outer) and len(lead) > len(outer) else "  "
    spaced = broken or _spaced(text, root)
    return Style(newline, unit, broken, spaced)


def _spaced(text: str, root: Node) -> bool:
    return any(text[child.node.start - 1] in " \t" for child in root.children)


def _indent(text: str, position: int) -> str:
    """The white space that opens the line of this position."""
    line = text[text.rfind("\n", 0, position) + 1 : position].lstrip("\ufeff")
    return line[: len(line) - len(line.lstrip(" \t"))]


def dump(value: object, style: Style) -> str:
    """One line of JSON in the author's spacing."""
    return json.dumps(value, ensure_ascii=False, separators=("," + style.gap, ":" + style.gap))


def child_indent(text: str, style: Style, container: Node) -> str:
    """The indentation a new child of this container gets."""
    if container.children:
        last = container.children[-1]
        if "\n" in text[container.start : last.start]:
            return _indent(text, last.start)
    return _indent(text, container.start) + style.unit


def append(text: str, style: Style, container: Node, pieces: Sequence[str]) -> TextEdit:
    """Add `pieces` (items, or whole `"key": value` members) at the end of a container."""
    indent = child_indent(text, style, container)
    children = container.children
    if children:
        before = children[-2].end if len(children) > 1 else container.start
        broken = "\n" in text[before : children[-1].start]
        glue = f",{style.newline}{indent}" if broken else f",{style.gap}"
        return TextEdit(children[-1].end, children[-1].end, "".join(glue + piece for piece in pieces))
    return TextEdit(container.start + 1, container.end - 1, interior(style, indent, pieces))


def interior(style: Style, indent: str, pieces: Sequence[str]) -> str:
    """What stands between the brackets of a container that holds just `pieces`."""
    if not style.broken:
        return f",{style.gap}".join(pieces)
    line = style.newline + indent
    return line + f",{line}".join(pieces) + style.newline + indent[: len(indent) - len(style.unit)]


def remove(container: Node, doomed: frozenset[int], empty: str) -> list[TextEdit]:
    """Take children out, each with the comma that came with it; `empty` goes inside when none is left."""
    children = container.children
    if len(doomed) == len(children):
        return [TextEdit(container.start + 1, container.end - 1, empty)] if children else []
    edits: list[TextEdit] = []
    index = 0
    while index < len(children):
        if index not in doomed:
            index += 1
            continue
        last = index
        while last + 1 in doomed:
            last += 1
        if index:
            edits.append(TextEdit(children[index - 1].end, children[last].end, ""))
        else:
            edits.append(TextEdit(children[0].start, children[last + 1].start, ""))
        index = last + 1
    return edits


def apply_edits(text: str, edits: Sequence[TextEdit]) -> str:
    """The text after all edits, which must not overlap."""
    for edit in sorted(edits, key=lambda one: one.start, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text
