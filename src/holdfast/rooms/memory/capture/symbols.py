"""Finds the functions and classes that an edit touched, from the changed lines and the lines above them. Pure.

It is asked where no grammar can be (`parsed`): of other languages, of headings and sections, and where the client did
not tell the whole file. It does not parse: there is one pattern per way to declare a name. For an unknown language no
name is found, and the title has none.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from typing import Any

from holdfast.patterns import lazy_pattern

_WORD = r"[A-Za-z_$][\w$]*"
_PYTHON = lazy_pattern(rf"^\s*(?:async\s+)?(def|class)\s+({_WORD})")
_SCRIPT = lazy_pattern(
    rf"^\s*(?:export\s+)?(?:default\s+)?(?:abstract\s+)?(?:async\s+)?"
    rf"(?:(function|class|interface|enum|type)\s*\*?\s+({_WORD})"
    rf"|(?:const|let|var)\s+({_WORD})\s*(?::[^=]+)?=\s*(?:async\s*)?(?:function\b|\([^()]*\)\s*(?::[^=]+)?=>|{_WORD}\s*=>))"
)
_METHOD = lazy_pattern(
    rf"^\s+(?:(?:public|private|protected|static|async|get|set|readonly|override)\s+)*({_WORD})\s*\([^;]*\)\s*(?::[^{{;]+)?\{{\s*$"
)
_RUST = lazy_pattern(
    rf"^\s*(?:pub(?:\([^)]*\))?\s+)?(?:(?:async|const|unsafe|extern\s+\"[^\"]*\")\s+)*(fn|struct|enum|trait|mod|impl)(?:<[^>]*>)?\s+(?:{_WORD}(?:<[^>]*>)?\s+for\s+)?({_WORD})"
)
_GO = lazy_pattern(rf"^(func|type)\s+(?:\([^)]*\)\s*)?({_WORD})")
_CLASSY = lazy_pattern(
    rf"^\s*(?:(?:public|private|protected|internal|static|final|abstract|sealed|partial|data|open|override|suspend|inline)\s+)*"
    rf"(?:(class|interface|enum|record|object|struct|trait|namespace|fun|func|def|module)\s+(?:self\.)?({_WORD}[?!]?)"
    rf"|(?:[\w<>\[\],.?*&:\s]+\s[*&]?)({_WORD})\s*\([^;]*\)\s*(?:const\s*)?(?:throws\s[\w,.\s]+)?\{{?\s*$)"
)
_SHELL = lazy_pattern(rf"^\s*(?:function\s+({_WORD})|({_WORD})\s*\(\)\s*\{{)")
_HEADING = lazy_pattern(r"^(#{1,6})\s+(.+?)\s*#*$")
_SECTION = lazy_pattern(r"^\s*\[+([^\[\]]+)\]+\s*$")

_BY_ENDING: dict[str, tuple[re.Pattern[str], ...]] = {
    **dict.fromkeys((".py", ".pyi"), (_PYTHON,)),
    **dict.fromkeys((".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".vue", ".svelte"), (_SCRIPT, _METHOD)),
    ".rs": (_RUST,),
    ".go": (_GO,),
    **dict.fromkeys(
        (".java", ".kt", ".cs", ".scala", ".swift", ".php", ".rb", ".dart", ".c", ".h", ".cc", ".cpp", ".hpp", ".m"),
        (_CLASSY,),
    ),
    **dict.fromkeys((".sh", ".bash", ".zsh"), (_SHELL,)),
    **dict.fromkeys((".md", ".markdown", ".rst"), (_HEADING,)),
    **dict.fromkeys((".toml", ".ini", ".cfg"), (_SECTION,)),
}
_NOT_NAMES = frozenset(
    {"if", "for", "while", "switch", "catch", "return", "else", "do", "try", "with", "new", "throw", "match"}
)
_STATEMENT = lazy_pattern(rf"\s*(?:{'|'.join(sorted(_NOT_NAMES))})\b")
_LONGEST_LINE = 300
_SPACES = lazy_pattern(r"\s{2,}")
"""As one: the patterns try every way to divide them."""
_CALLED = frozenset({"def", "fn", "func", "fun", "function"})
MOST_NAMES = 3


def declared(line: str, ending: str) -> str:
    """The name a line declares, with `()` when it is a function; '' when it declares none."""
    if len(line) > _LONGEST_LINE or not line.strip() or _STATEMENT.match(line):
        return ""
    line = _SPACES.sub(" ", line)
    for pattern in _BY_ENDING.get(ending, ()):
        match = pattern.match(line)
        if not match:
            continue
        if pattern is _HEADING:
            return f"“{match[2][:50]}”"
        if pattern is _SECTION:
            return f"[{match[1]}]"
        groups = [group for group in match.groups() if group]
        name = groups[-1]
        is_function = len(groups) == 1 or groups[0] in _CALLED
        return f"{name}()" if is_function else name
    return ""


def touched_by_patch(patch: Any, path: str) -> tuple[str, ...]:
    """The names around the changed lines of the client's structuredPatch."""
    ending = posixpath.splitext(path)[1].lower()
    return _few(name for hunk in _hunks(patch) for name in _in_hunk(hunk, ending))


def touched_by_strings(old: str, new: str, original: str, path: str) -> tuple[str, ...]:
    """The names an Edit touched, from its strings and, where the client gave it, the file before."""
    ending = posixpath.splitext(path)[1].lower()
    inner = _few(declared(line, ending) for text in (new, old) for line in text.splitlines()[:200])
    if inner:
        return inner
    at = original.find(old) if old and original else -1
    return (_above(original[:at].splitlines(), ending, _indent(old)),) if at > 0 else ()


def enclosing(original: str, line_number: int, path: str) -> str:
    """The name of the function or class around a line (counted from 1) of a file."""
    ending = posixpath.splitext(path)[1].lower()
    lines = original.splitlines()
    if not 0 < line_number <= len(lines):
        return ""
    return _above(lines[:line_number], ending, _indent(lines[line_number - 1]))


def _hunks(patch: Any) -> Iterator[list[str]]:
    for hunk in patch if isinstance(patch, list) else []:
        lines = hunk.get("lines") if isinstance(hunk, dict) else None
        if isinstance(lines, list):
            yield [line for line in lines if isinstance(line, str)]


def _in_hunk(lines: list[str], ending: str) -> Iterator[str]:
    """The declarations that changed; for other changed lines, the declaration above them."""
    above = ""
    for line in lines:
        name = declared(line[1:], ending)
        above = name or above
        if line[:1] in "+-" and above and line[1:].strip():
            yield above


def _above(lines: list[str], ending: str, indent: int) -> str:
    """The nearest declaration above that encloses a line of this indent."""
    for line in reversed(lines):
        if not line.strip():
            continue
        name = declared(line, ending)
        if name and (_indent(line) < indent or indent == 0):
            return name
    return ""


def _indent(text: str) -> int:
    first = next((line for line in text.splitlines() if line.strip()), "")
    return len(first) - len(first.lstrip())


def _few(names: Iterable[str]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for name in names:
        if name:
            found[name] = None
            if len(found) == MOST_NAMES:
                break
    return tuple(found)
