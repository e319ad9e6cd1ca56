"""Cuts a long text down to the error, the failing tests or the changed lines. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from holdfast.patterns import lazy_pattern

LONGEST = 800
LONGEST_QUIET = 240
"""Of output that went well: enough to know it again."""
_LONGEST_LINE = 200
_FIRST_LINES, _LAST_LINES = 20, 60
"""Where errors stand in an output; looking at every line would cost the hook milliseconds."""
_HEAD, _TAIL = 16 * 1024, 48 * 1024
"""Characters in which these lines are: of a longer output the middle is not divided into lines at all."""

_ANSI = lazy_pattern(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[@-_]")
_TELLING = lazy_pattern(
    r"\b(error|errors|failed|failure|fail|fatal|panic|panicked|exception|traceback|denied|refused|not found|no such"
    r"|cannot|can't|undefined|unexpected|expected|mismatch|invalid|missing|assert\w*|timed? ?out|warning)\b"
    r"|^E\s|^\s*>\s|--- FAIL|[✗✘×●]|[A-Z]\w+Error\b",
    re.IGNORECASE,
)
_SUMMING = lazy_pattern(
    r"\b\d+ (passed|failed|errors?|tests?|failures?)\b|\bTests?:|\btest result:|^FAILED|^OK\b", re.IGNORECASE
)


def clean(text: str) -> str:
    """`text` without colours. Of a line that was overwritten (a progress bar) only the last state stays."""
    if "\x1b" in text:
        text = _ANSI.sub("", text)
    if "\r" in text:
        text = "\n".join(line.rpartition("\r")[2] for line in text.replace("\r\n", "\n").split("\n"))
    return text


def of_output(output: str, *, failed: bool) -> str:
    """The important lines of what a command printed, and its last lines when it failed."""
    text = clean(_ends(output))
    if not failed:
        lines = _last_lines(text)
        telling = [line for line in lines[-_FIRST_LINES:] if _SUMMING.search(line)]
        return _joined([*(telling or lines)[-3:]], LONGEST_QUIET)
    lines = _filled(text)
    whole = "\n".join(lines)
    if len(whole) <= LONGEST:
        return whole
    last = lines[-4:]
    looked_at = lines[:_FIRST_LINES] + lines[max(_FIRST_LINES, len(lines) - _LAST_LINES) : -4]
    chosen = [line for line in looked_at if _TELLING.search(line)]
    room = LONGEST - sum(len(line) + 1 for line in last)
    return "\n".join([*within(_unique(chosen), room), *last])[:LONGEST]


def _filled(text: str) -> list[str]:
    return [line.rstrip()[:_LONGEST_LINE] for line in text.splitlines() if line.strip()]


def _last_lines(text: str) -> list[str]:
    """The last lines that say something, as many as are looked at or more; a long text is not divided as a whole."""
    _, *last = text.rsplit("\n", 2 * _FIRST_LINES)
    lines = _filled("\n".join(last))
    return lines if len(lines) >= _FIRST_LINES else _filled(text)


def _ends(output: str) -> str:
    """Beginning and end of a long output, in whole lines where there are any."""
    if len(output) <= _HEAD + _TAIL:
        return output
    head, tail = output[:_HEAD], output[-_TAIL:]
    return f"{head.rpartition(chr(10))[0] or head}\n{tail.partition(chr(10))[2] or tail}"


def of_error(error: str) -> str:
    """The important lines of a failing tool's error text, without the line that holds the exit code."""
    first, _, rest = error.partition("\n")
    return of_output(rest if first.startswith("Exit code ") else error, failed=True)


_RAISED = lazy_pattern(r"(?:Uncaught )?[\w.]{0,120}(?:Error|Exception|Panic)\b[^:]{0,40}: \S")


def message_of(error: str) -> str:
    """The one line of an error text that says what went wrong: what was raised, which a traceback says last and Node in
    the middle, else the first line; '' when there is only an exit code."""
    lines = [line.strip() for line in clean(_ends(error)).splitlines() if line.strip()]
    lines = [line for line in lines if not line.startswith("Exit code ")]
    return next((line for line in reversed(lines) if _RAISED.match(line)), lines[0] if lines else "")


def of_patch(patch: Any) -> str:
    """The changed lines of a structuredPatch."""
    changed = []
    for hunk in patch if isinstance(patch, list) else []:
        lines = hunk.get("lines") if isinstance(hunk, dict) else None
        lines = lines if isinstance(lines, list) else []
        changed += [line for line in lines if isinstance(line, str) and line[:1] in "+-" and line[1:].strip()]
    return _joined(changed, LONGEST)


def of_strings(old: str, new: str) -> str:
    """The changed lines of an Edit of which only the two strings are known."""
    before, after = old.splitlines(), new.splitlines()
    were, are = set(before), set(after)
    gone = [f"-{line}" for line in before if line.strip() and line not in are]
    come = [f"+{line}" for line in after if line.strip() and line not in were]
    return _joined([*gone, *come], LONGEST)


def of_file(content: str) -> str:
    """The beginning of a file that was written."""
    return _joined([line.rstrip() for line in content.splitlines() if line.strip()], LONGEST // 2)


def of_text(text: str, longest: int = LONGEST) -> str:
    """The beginning of a text, whole lines where possible."""
    return _joined([line.rstrip() for line in clean(text).splitlines() if line.strip()], longest)


def _joined(lines: Iterable[str], longest: int) -> str:
    kept = within((line[:_LONGEST_LINE] for line in lines), longest)
    return "\n".join(kept)


def within(lines: Iterable[str], room: int) -> list[str]:
    """The first lines, as far as there is room."""
    kept: list[str] = []
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        kept.append(line)
    return kept


def _unique(lines: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(lines))
