"""Finds the functions and classes that an edit touched, by the grammar of the file's language.

The client tells the file as it was and the changed lines, so that the file as it is now can be put together. Where it
does not, or no grammar reads the language, `symbols` looks for patterns in the lines instead.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from holdfast.events.event import PostToolUse, ToolEvent
from holdfast.rooms.memory.capture.symbols import MOST_NAMES
from holdfast.source.languages import GRAMMARS, language_of
from holdfast.source.model import CodeUnit, FileContent

ReadsText = Callable[[str, str], Awaitable[FileContent | None]]
"""(path, text) → what the text declares; None when nobody can tell now."""
_LONGEST_TEXT = 512_000
_MOST_LINES = 400


@dataclass(frozen=True, slots=True)
class EditedFile:
    """A file before and after an edit, and the lines (from 1) that are not the same."""

    path: str
    before: str
    after: str
    removed: tuple[int, ...] = ()
    """Lines of the file before."""
    added: tuple[int, ...] = ()
    """Lines of the file after."""


def edited_file(event: ToolEvent) -> EditedFile | None:
    """What an edit made of a file that a grammar reads; None when the event does not tell."""
    if not isinstance(event, PostToolUse) or event.tool_name not in ("Edit", "Write", "MultiEdit"):
        return None
    arguments, response = event.arguments, event.tool_response
    path = arguments.get("file_path")
    if not isinstance(response, dict) or not isinstance(path, str) or language_of(path) not in GRAMMARS:
        return None
    original, patch, content = response.get("originalFile"), response.get("structuredPatch"), arguments.get("content")
    if isinstance(original, str) and patch:
        return _patched(path, original, patch)
    if event.tool_name == "Write" and not original and isinstance(content, str) and len(content) <= _LONGEST_TEXT:
        return EditedFile(path, "", content, (), tuple(range(1, content.count("\n") + 2)))
    return None


def _patched(path: str, original: str, patch: Any) -> EditedFile | None:
    """The file with the hunks of a patch applied; None when they do not fit it."""
    if not isinstance(patch, list) or len(original) > _LONGEST_TEXT:
        return None
    before = original.split("\n")
    after: list[str] = []
    removed: list[int] = []
    added: list[int] = []
    at = 0
    for hunk in patch:
        start, lines = (hunk.get("oldStart"), hunk.get("lines")) if isinstance(hunk, dict) else (None, None)
        if not isinstance(start, int) or not isinstance(lines, list) or not at <= max(start, 1) - 1 <= len(before):
            return None
        after += before[at : max(start, 1) - 1]
        at = max(start, 1) - 1
        for line in lines:
            if not isinstance(line, str) or line[:1] == "\\":
                continue
            if line[:1] == "+":
                after.append(line[1:])
                added.append(len(after))
                continue
            if at >= len(before) or before[at] != line[1:]:
                return None  # cut, or cleaned of a secret
            at += 1
            if line[:1] == "-":
                removed.append(at)
            else:
                after.append(line[1:])
    text = "\n".join([*after, *before[at:]])
    return EditedFile(path, original, text, tuple(removed), tuple(added)) if len(text) <= _LONGEST_TEXT else None


async def touched(edited: EditedFile, reads: ReadsText) -> tuple[str, ...] | None:
    """The names around the changed lines: as the file is now, else as it was. None when no grammar told."""
    reading = await reads(edited.path, edited.after)
    if reading is None or not reading.parsed:
        return None
    names = _few(_around(reading.units, _filled(edited.after, edited.added)))
    if names or not edited.removed:
        return names
    reading = await reads(edited.path, edited.before)
    return _few(_around(reading.units, edited.removed)) if reading else ()


def _filled(text: str, lines: Sequence[int]) -> list[int]:
    """Those of the lines that say something."""
    all_lines = text.split("\n")
    return [line for line in lines if line <= len(all_lines) and all_lines[line - 1].strip()]


def _around(units: Sequence[CodeUnit], lines: Sequence[int]) -> Iterator[str]:
    """The innermost function or class around each line."""
    named = [unit for unit in units if unit.kind in ("function", "method", "class")]
    for line in lines[:_MOST_LINES]:
        inside = [unit for unit in named if unit.line <= line <= unit.end_line]
        if inside:
            unit = min(inside, key=lambda each: each.end_line - each.line)
            yield unit.name if unit.kind == "class" else f"{unit.name}()"


def _few(names: Iterator[str]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for name in names:
        found[name] = None
        if len(found) == MOST_NAMES:
            break
    return tuple(found)
