"""What of a prompt its user typed, and what was only pasted into it. Pure, and linear in the prompt.

A query plan, a log or the stack trace of another program shares units and plain words with old work. Only the user's
own sentences say what a prompt is about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from holdfast.patterns import lazy_pattern

_LONGEST_LINE = 400
"""Characters of a line that are looked at; nobody types a longer line with a mark of its own at its end."""
_FENCED = lazy_pattern(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_TAGGED = lazy_pattern(r"<([a-zA-Z][\w-]{0,63}+)[^<>]{0,300}+>.*?(?:</\1>|\Z)", re.DOTALL)
_LIST_POINT = lazy_pattern(r"[ \t]*(?:[-*•+]|\d{1,2}[.)]|\[[ xX]\])[ \t]+(?=[^\W\d])")
_BEGINS = lazy_pattern(
    r"""[ \t]*(?:
      > | \| | \$[ ] | %[ ] | >>>?[ ] | \+(?![ ]\w) | -{2,} | ={3,} | @@ | diff[ ]--git | ->
    | at[ ]\S+[ ]?\((?:[^()\n]{0,200}[:./<]|Native) | at[ ][\w.$/<>]+:\d | File[ ]" | Traceback | Caused[ ]by
    | from[ ]\S+:\d | \#\d+[ ]+(?:0x|[^\s(]+[ ]?\()
    | goroutine[ ]\d
    | \.{3}[ ]?\d+[ ]more | thread[ ]'
    | (?:[\w$]+[.:]+)*(?:[A-Z]\w*)?(?:Error|Exception|Warning|Fault|Panic)(?::|[ \t]*\Z) | panic: | fatal:
    | error(?:\[\w+\])?:
    | \[?\d{4}-\d\d-\d\d[T ,] | \[?\d\d:\d\d:\d\d | (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[ ]+\d+[ ]\d\d:
    | \[?(?:ERROR|WARN|WARNING|INFO|DEBUG|FATAL|TRACE|NOTICE|CRITICAL)\b | [VDIWEF]/[\w.]+ | \[[^\]]*\][ \t]*(?:\Z|\S+:)
    | [{}\]<] | \[(?![ xX]\][ ]) | "[^"]*"[ ]*: | </ | //[ ] | /\* | \w[\w.-]*=\S | [\w./-]+:\d+(?::\d+)?:
    )""",
    re.VERBOSE,
)
"""How a line begins that a program wrote, or that was quoted."""
_ENDS = lazy_pattern(r"(?:[;{}\\]|=>|\)\)|\d+:\d+\)?)[ \t]*\Z")
_PAIR = lazy_pattern(r"\b[\w.-]+=[^\s=]")
_MARKS = lazy_pattern(r"[^\w\s.,;:!?'\"()`’“”/-]|\d")
_LETTER = lazy_pattern(r"[^\W\d_]")
_TRACE = lazy_pattern(r"\s*(?:Traceback|Caused by|goroutine \d|thread '|panic:|(?:[\w$]+\.)+\w+(?:Error|Exception)\b)")
"""A report of a program that failed: what follows it in the same paragraph belongs to it."""
_REPORTED = lazy_pattern(r":\s|\d|=")
_INDENTED = lazy_pattern(r"(?: {2,}|\t)")
_PAIRS = 2
_MARKED = 0.28
"""The share of signs and figures above which a line is no sentence."""
_PASTED = 0.5
"""The share of pasted lines by which all of a paragraph is."""


@lru_cache(maxsize=64)
def typed(prompt: str) -> str:
    """The user's own words; '' when all of it was pasted. A prompt of one line is the user's own."""
    if "\n" not in prompt:
        return prompt
    text = _FENCED.sub("\n", prompt)
    text = _TAGGED.sub("\n", text) if "</" in text else text
    return "\n".join(line for paragraph in _paragraphs(text) for line in _own(paragraph)).strip()


def _paragraphs(text: str) -> Iterator[list[str]]:
    held: list[str] = []
    for line in text.splitlines():
        if line.strip():
            held.append(line)
        elif held:
            yield held
            held = []
    if held:
        yield held


def _own(lines: list[str]) -> list[str]:
    """The lines of a paragraph that were typed. Among pasted lines, only the first and the last may be."""
    pasted = [_is_pasted(line, in_list=_LIST_POINT.match(before) is not None) for before, line in _with_last(lines)]
    is_paste = sum(pasted) >= _PASTED * len(lines) or any(_TRACE.match(line) for line in lines)
    if len(lines) > 2 and is_paste:
        last = len(lines) - 1
        return [line for at, line in enumerate(lines) if at in (0, last) and not pasted[at] and _is_sentence(line)]
    return [line for at, line in enumerate(lines) if not pasted[at]]


def _with_last(lines: list[str]) -> Iterator[tuple[str, str]]:
    """Each line with the one before that is not indented deeper: the point of a list that it goes on."""
    before = ""
    for line in lines:
        yield before, line
        before = before if _INDENTED.match(line) and not _LIST_POINT.match(line) else line


def _is_sentence(line: str) -> bool:
    """A first line that leads to what is pasted, or a last one that asks about it."""
    words = len(line.split())
    return line.rstrip().endswith((":", "?")) if words == 2 else words > 2 and not _REPORTED.search(line.rstrip(": "))


def _is_pasted(line: str, *, in_list: bool) -> bool:
    line = line[:_LONGEST_LINE]
    if _BEGINS.match(line):
        return True
    if _LIST_POINT.match(line):
        return len(_PAIR.findall(line)) >= _PAIRS
    if (_INDENTED.match(line) and not in_list) or _ENDS.search(line) or len(_PAIR.findall(line)) >= _PAIRS:
        return True
    letters, marks = len(_LETTER.findall(line)), len(_MARKS.findall(line))
    return marks > _MARKED * (letters + marks)
