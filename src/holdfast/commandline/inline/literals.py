"""Which parts of a program are code, and which are only text: strings, comments, patterns. Pure; linear.

A call that stands in a string is only told about. What a template computes (`${…}`, `#{…}`) is code again.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Callable

from holdfast.patterns import lazy_pattern

_JAVASCRIPT = lazy_pattern(
    r"(?P<comment>//[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/|\Z))|(?P<plain>'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\")|"
    r"(?P<opens>`)|(?P<brace>[{}])|(?P<regex>(?<=[=(,:;!&|?\[{}\n])\s{0,8}/(?![*/])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.){0,200}\]){1,500}/)",
    re.DOTALL,
)
_RUBY = lazy_pattern(
    r"(?P<comment>(?:\A|(?<=[\s;]))#(?!\{)[^\n]*)|(?P<plain>'(?:[^'\\]|\\.)*'|%[qwi]\((?:[^()\\]|\\.)*\)|%[qwi]\{[^{}]*\}|"
    r"%[qwi]\[[^\[\]]*\])|(?P<opens>\"|%Q\(|%Q\{)|(?P<brace>[{}])",
    re.DOTALL,
)
_PERL = lazy_pattern(
    r"(?P<comment>(?:\A|(?<=[\s;]))#[^\n]*)|(?P<plain>'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|\bqq?\((?:[^()\\]|\\.)*\)|"
    r"\bqq?\{[^{}]*\}|(?:=~|!~)\s*m?/(?:[^/\\\n]|\\.)*/|(?<=\()/(?:[^/\\\n]|\\.)*/|\bif\s*/(?:[^/\\\n]|\\.)*/|"
    r"\bs/(?:[^/\\\n]|\\.)*/(?:[^/\\\n]|\\.)*/(?!\w*e))",
    re.DOTALL,
)
_PHP = lazy_pattern(
    r"(?P<comment>//[^\n]*|#[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/|\Z))|(?P<plain>'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")",
    re.DOTALL,
)
_AWK = lazy_pattern(r"(?P<comment>#[^\n]*)|(?P<plain>\"(?:[^\"\\\n]|\\.)*\")", re.DOTALL)
_TOKENS = {"node": _JAVASCRIPT, "ruby": _RUBY, "perl": _PERL, "php": _PHP, "awk": _AWK}
_WITHIN = {
    "`": lazy_pattern(r"`|\$\{|\\.", re.DOTALL),
    '"': lazy_pattern(r'"|#\{|\\.', re.DOTALL),
    "%Q(": lazy_pattern(r"\)|#\{|\\.", re.DOTALL),
    "%Q{": lazy_pattern(r"\}|#\{|\\.", re.DOTALL),
}
_EVALUATES = lazy_pattern(r"\b(?:eval|instance_eval|class_eval|Function|vm\.run\w+|assert|create_function)\s*[\s(]")


def texts_of(kind: str, text: str) -> Callable[[int], bool]:
    """Tells whether a place of the program lies inside a text, where a call is only told about."""
    spans = _spans(text, _TOKENS[kind])
    starts = [start for start, _ in spans]

    def lies(place: int) -> bool:
        index = bisect.bisect_right(starts, place) - 1
        return index >= 0 and spans[index][0] < place < spans[index][1]

    if any(not lies(match.start()) for match in _EVALUATES.finditer(text)):
        return lambda place: False  # what is a text here may run
    return lies


def _spans(text: str, tokens: re.Pattern[str]) -> list[tuple[int, int]]:
    """Begin and end of each text, in order. A template is several: up to each expression, and from it on."""
    spans: list[tuple[int, int]] = []
    open_templates: list[tuple[str, int]] = []
    """Templates whose expression is being read: their sign, and the braces that are open in it."""
    at = 0
    while match := tokens.search(text, at):
        at = max(match.end(), at + 1)
        kind = match.lastgroup
        if kind == "opens":
            at = _read_template(text, match.start(), match.end(), match[0], spans, open_templates)
        elif kind == "brace":
            if not open_templates:
                continue
            sign, depth = open_templates[-1]
            depth += 1 if match[0] == "{" else -1
            if depth:
                open_templates[-1] = (sign, depth)
            else:
                open_templates.pop()
                at = _read_template(text, match.start(), match.end(), sign, spans, open_templates)
        else:
            spans.append((match.start(), match.end()))
    return spans


def _read_template(
    text: str, start: int, at: int, sign: str, spans: list[tuple[int, int]], waiting: list[tuple[str, int]]
) -> int:
    """Read a template from `at` to its end or its next expression; where to go on."""
    within = _WITHIN[sign]
    while match := within.search(text, at):
        at = match.end()
        if match[0].startswith("\\"):
            continue
        spans.append((start, at))
        if match[0] in ("${", "#{"):
            waiting.append((sign, 1))
        return at
    spans.append((start, len(text)))
    return len(text)
