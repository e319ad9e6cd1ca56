"""From nodes of the grammar to words: quotes taken off, expansions marked, and the substitutions found inside."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.shell.heredocs import HERE, MARK
from holdfast.shell.script import Part, Word

if TYPE_CHECKING:
    from tree_sitter import Node

_ESCAPE = re.compile(r"\\(\n|.)", re.DOTALL)
_ESCAPE_IN_QUOTES = re.compile(r'\\([\\"$`\n])')
_ANSI = re.compile(r"\\(x[0-9A-Fa-f]{1,2}|u[0-9A-Fa-f]{1,4}|U[0-9A-Fa-f]{1,8}|[0-7]{1,3}|.)", re.DOTALL)
_ANSI_NAMES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "v": "\v"}
_EXPANSIONS = frozenset(
    {"simple_expansion", "expansion", "command_substitution", "process_substitution", "arithmetic_expansion"}
)
SUBSTITUTIONS = frozenset({"command_substitution", "process_substitution"})


def source(node: Node, text: bytes) -> str:
    """The text of a node; where heredocs were taken out of it, `<<` and their number stand."""
    raw = text[node.start_byte : node.end_byte].decode("utf-8", "replace")
    if MARK in raw and not raw.startswith(MARK):
        raw = raw.replace(f"<{MARK}", "<<").replace(MARK, "")
    return raw if HERE not in raw or raw.startswith(HERE) else raw.replace(f"<{HERE}", "<<< ")


def word(node: Node, text: bytes) -> Word:
    parts = tuple(_parts(node, text))
    return Word("".join(part.text for part in parts), parts)


def _parts(node: Node, text: bytes) -> list[Part]:
    raw = source(node, text)
    match node.type:
        case "string" | "translated_string":
            return _in_quotes(node, text)
        case "raw_string":
            return [Part(raw[1:-1], quoted=True)]
        case "ansi_c_string":
            return [Part(_ANSI.sub(_ansi, raw[2:-1]), quoted=True)]
        case "concatenation" | "command_name" if node.child_count:
            return _joined(node, text)
        case kind if kind in _EXPANSIONS:
            return [Part(raw, known=False)]
        case _:
            return [Part(_ESCAPE.sub(_escaped, raw), quoted="\\" in raw)]


def _joined(node: Node, text: bytes) -> list[Part]:
    found: list[Part] = []
    at = node.start_byte
    for child in node.children:
        if child.start_byte > at:
            found.append(Part(_ESCAPE.sub(_escaped, text[at : child.start_byte].decode("utf-8", "replace"))))
        found.extend(_parts(child, text))
        at = child.end_byte
    return found


def _in_quotes(node: Node, text: bytes) -> list[Part]:
    """The grammar drops blanks between expansions, so everything that is no expansion is read from the source."""
    found: list[Part] = []
    at = node.start_byte + (2 if node.type == "translated_string" else 1)
    if node.type == "translated_string" and node.named_children:
        return _in_quotes(node.named_children[0], text)

    def literal(until: int) -> None:
        if until > at:
            plain = text[at:until].decode("utf-8", "replace")
            found.append(Part(_ESCAPE_IN_QUOTES.sub(_escaped, plain), quoted=True))

    for child in node.children:
        if child.type in _EXPANSIONS:
            literal(child.start_byte)
            found.append(Part(source(child, text), known=False, quoted=True))
            at = child.end_byte
    literal(node.end_byte - 1 if text[node.end_byte - 1 : node.end_byte] == b'"' else node.end_byte)
    return found or [Part("", quoted=True)]


def _escaped(match: re.Match[str]) -> str:
    return "" if match.group(1) == "\n" else match.group(1)


def _ansi(match: re.Match[str]) -> str:
    code = match.group(1)
    if code[0] in "xuU" and len(code) > 1:
        value = int(code[1:], 16)
    elif code[0] in "01234567":
        value = int(code, 8)
    else:
        return _ANSI_NAMES.get(code, code)
    return chr(value) if value < 0x110000 and not 0xD800 <= value < 0xE000 else "?"


def substitutions(node: Node) -> list[Node]:
    """The outermost `$(…)`, backquotes and `<(…)` in a node, in order."""
    found: list[Node] = []
    waiting = [node]
    while waiting:
        current = waiting.pop()
        if current.type in SUBSTITUTIONS:
            found.append(current)
        else:
            waiting.extend(reversed(current.children))
    return found
