"""Reads one file by its language's grammar: its functions, methods and classes, what each calls, what the file imports.

What is taken from the tree is said by `queries/*.scm`, with these captures: `function`, `method` and `class` are units
with a `name`; `scope` only gives its name to what stands in it; `container` names what a method belongs to from
outside; `call` is a name that is used; `doc` documentation; `import` an import statement.

A parse cannot be interrupted, so this runs in a process of its own (`child`).
"""

from __future__ import annotations

import importlib
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.source import imports, plain
from holdfast.source.languages import GRAMMARS, QUERY_OF
from holdfast.source.model import CodeKind, CodeUnit, FileContent, Imported

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Query

MOST_UNITS = 4_000
"""Of one file."""
_MOST_CALLS = 60_000
_LONGEST_NAME = 120
_LONGEST_BODY = 24_000
_LONGEST_DOC = 1_500
_DOC_LINES = 40
_QUERIES = Path(__file__).with_name("queries")
_KINDS: tuple[tuple[str, CodeKind], ...] = (("function", "function"), ("method", "method"), ("class", "class"))
_DASHED = frozenset({"sql", "lua"})
_HASHED = frozenset({"python", "ruby", "bash", "php"})


@dataclass(slots=True)
class _Found:
    """A unit or scope, while the tree is read."""

    start: int
    end: int
    kind: CodeKind | None
    """None: a scope."""
    name: str
    line: int
    end_line: int
    outside: str = ""
    container: str = ""
    calls: dict[str, None] = field(default_factory=dict)
    doc: str = ""
    inner: list[tuple[int, int]] = field(default_factory=list)


def read_source(data: bytes, language: str) -> FileContent:
    """What a file holds. A language without a grammar here is read by lines."""
    loaded = grammar(language)
    if loaded is None:
        return plain.read_lines(data.decode("utf-8", "replace"), language)
    from tree_sitter import Parser, QueryCursor

    parser_language, query = loaded
    tree = Parser(parser_language).parse(data)
    matches = QueryCursor(query, match_limit=65_536).matches(tree.root_node)
    return _collect(data, language, [captures for _, captures in matches])


@cache
def grammar(language: str) -> tuple[Language, Query] | None:
    """The grammar of a language and what is asked of its trees; None when its wheel is not installed."""
    known = GRAMMARS.get(language)
    if known is None:
        return None
    try:
        from tree_sitter import Language, Query

        module = importlib.import_module(known.module)
        loaded = Language(getattr(module, known.function)())
    except (ImportError, AttributeError, ValueError):
        return None
    names = dict.fromkeys((QUERY_OF.get(language, language), language))
    text = "\n".join((_QUERIES / f"{name}.scm").read_text("utf-8") for name in names)
    return loaded, Query(loaded, text)


def _collect(data: bytes, language: str, matches: list[dict[str, list[Node]]]) -> FileContent:
    found: dict[tuple[int, str], _Found] = {}
    calls: list[tuple[int, str]] = []
    docs: list[tuple[int, str]] = []
    imported: list[Imported] = []
    for captures in matches:
        if "name" in captures:
            made = _definition(data, captures)
            if made is not None and len(found) < MOST_UNITS:
                found.setdefault((made.start, made.name), made)
        elif "import" in captures:
            imported += imports.read_import(_text(data, captures["import"][0], 4_000), language)
        elif "doc" in captures:
            node = captures["doc"][0]
            docs.append((node.start_byte, _text(data, node, _LONGEST_DOC)))
        elif len(calls) < _MOST_CALLS:
            calls += [(node.start_byte, _text(data, node)) for node in captures.get("call", ())]
    placed = _nested(sorted(found.values(), key=lambda each: (each.start, -each.end)), data, language)
    whole = _Found(0, len(data), "file", "", 1, data.count(b"\n") + 1)
    owners = _Owners(placed, whole)
    for at, name in calls:
        if 1 < len(name) <= _LONGEST_NAME:
            owners.at(at).calls[name] = None
    for at, text in docs:
        owner = owners.at(at)
        owner.doc = owner.doc or text
    for each in placed:
        owners.at(each.start - 1, inside=each).inner.append((each.start, each.end))
    whole.doc = whole.doc or _comment_at_top(data)
    units = [_unit(each, data) for each in (whole, *placed) if each.kind]
    return FileContent(language, tuple(units), tuple(dict.fromkeys(imported)))


def _definition(data: bytes, captures: dict[str, list[Node]]) -> _Found | None:
    name = _text(data, captures["name"][0])
    outside = _text(data, captures["container"][0]) if "container" in captures else ""
    for capture, kind in (*_KINDS, ("scope", None)):
        if capture in captures:
            node = captures[capture][0]
            return _Found(
                node.start_byte,
                node.end_byte,
                kind,
                name.strip()[:_LONGEST_NAME],
                node.start_point[0] + 1,
                node.end_point[0] + 1,
                outside[:_LONGEST_NAME],
            )
    return None


def _nested(found: list[_Found], data: bytes, language: str) -> list[_Found]:
    """Give each its container; a function that stands in a class is a method."""
    lines = data.split(b"\n")
    around: list[_Found] = []
    for each in found:
        while around and around[-1].end <= each.start:
            around.pop()
        names = [outer.name for outer in around if outer.name != each.name or outer.start != each.start]
        if each.outside:
            names.append(each.outside.replace("::", "."))
        each.container = ".".join(names)[:_LONGEST_NAME]
        if each.kind == "function" and around and around[-1].kind in ("class", None) and not _is_space(around[-1]):
            each.kind = "method"
        each.doc = _comment_above(lines, each.line - 1, language)
        around.append(each)
    return found


def _is_space(scope: _Found) -> bool:
    """A namespace or module, which makes no method of a function. An `impl` is named like a type."""
    return scope.kind is None and scope.name[:1].islower()


class _Owners:
    """Finds the innermost unit around a place."""

    def __init__(self, placed: list[_Found], whole: _Found) -> None:
        self._placed = [each for each in placed if each.kind]
        self._starts = [each.start for each in self._placed]
        self._whole = whole
        self._parents: list[int] = []
        around: list[int] = []
        for number, each in enumerate(self._placed):
            while around and self._placed[around[-1]].end <= each.start:
                around.pop()
            self._parents.append(around[-1] if around else -1)
            around.append(number)

    def at(self, place: int, inside: _Found | None = None) -> _Found:
        """The unit around a byte; with `inside`, the one around that unit."""
        number = bisect_right(self._starts, place) - 1
        while number >= 0 and (self._placed[number].end <= place or self._placed[number] is inside):
            number = self._parents[number]
        return self._placed[number] if number >= 0 else self._whole


def _unit(each: _Found, data: bytes) -> CodeUnit:
    parts, at = [], each.start
    for start, end in sorted(each.inner):
        if start > at:
            parts.append(data[at:start])
        at = max(at, end)
    parts.append(data[at : each.end])
    body = b"\n".join(parts)[:_LONGEST_BODY].decode("utf-8", "replace")
    kind = each.kind or "section"
    calls = tuple(name for name in each.calls if name != each.name)
    return CodeUnit(kind, each.name, each.container, each.line, each.end_line, each.doc, body, calls)


def _text(data: bytes, node: Node, most: int = 2 * _LONGEST_NAME) -> str:
    return data[node.start_byte : min(node.end_byte, node.start_byte + most)].decode("utf-8", "replace")


def _comment_above(lines: list[bytes], line: int, language: str) -> str:
    """The comment that ends above a line (counted from 0)."""
    marks: tuple[bytes, ...] = (b"//", b"/*", b"*")
    if language in _HASHED:
        marks = (b"#",)
    elif language in _DASHED:
        marks = (b"--",)
    above: list[bytes] = []
    for number in range(line - 1, max(-1, line - _DOC_LINES), -1):
        text = lines[number].strip()
        if text.startswith(marks) and not text.startswith(b"#!"):
            above.append(text)
        elif not above and text.startswith((b"@", b"#[", b"[")) and len(text) < 300:
            continue  # a decorator or an attribute stands between
        else:
            break
    return b"\n".join(reversed(above))[:_LONGEST_DOC].decode("utf-8", "replace")


def _comment_at_top(data: bytes) -> str:
    found = []
    for line in data[:_LONGEST_DOC].split(b"\n"):
        text = line.strip()
        if not text.startswith((b"//", b"/*", b"*", b"#", b"--")) and text:
            break
        found.append(text)
    return b"\n".join(found).decode("utf-8", "replace")
