"""How things are printed: lines for people, JSON for programs.

Colours only on a terminal and not with NO_COLOR. How a value becomes lines is `layout`'s. Whatever a terminal would
obey or hide is shown escaped (`visible.py`), here at the end too, so that no command can forget it.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TextIO

from holdfast import layout
from holdfast.layout import ago, clock, cut, local, many, milliseconds, plain, plain_line, size, span
from holdfast.visible import visible_json, visible_lines

__all__ = ["ago", "clock", "cut", "local", "many", "milliseconds", "plain", "plain_line", "size", "span"]

_USUAL_WIDTH = 120
_NARROWEST = 20


def is_terminal(stream: TextIO | None = None) -> bool:
    return (stream or sys.stdout).isatty()


def has_colours(stream: TextIO | None = None) -> bool:
    return is_terminal(stream) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def width() -> int:
    """Columns to write for: COLUMNS, else the terminal's."""
    said = os.environ.get("COLUMNS", "")
    if said.isascii() and said.isdigit() and int(said):
        return max(_NARROWEST, int(said))
    try:
        found = os.get_terminal_size().columns if is_terminal() else 0
    except OSError:
        found = 0
    return max(_NARROWEST, found) if found else _USUAL_WIDTH


def fill(text: str, first: str = "", rest: str = "") -> str:
    """A sentence in as many lines as the columns ask for."""
    return "\n".join(layout.fill(text, width(), first, rest))


def paint(text: str, *styles: str, stream: TextIO | None = None) -> str:
    """The text in these styles, where the stream shows them."""
    return layout.paint(text, *styles) if styles and has_colours(stream) else text


def shown(line: str) -> str:
    """A line as stdout shows it: without colours where they are not wanted."""
    return line if has_colours() else layout.unpainted(line)


def say(text: str = "") -> None:
    """One line on stdout, there at once: someone may be following through a pipe."""
    print(visible_lines(text), flush=True)


def say_wrapped(line: str) -> None:
    """One line of a result, in as many lines as the columns ask for."""
    for part in layout.wrapped(line, width()):
        say(shown(part))


def tell(text: str) -> None:
    """One line on stderr: for the person, not for the pipe."""
    print(visible_lines(text), file=sys.stderr, flush=True)


def tell_wrapped(text: str) -> None:
    """A sentence on stderr, wrapped for a person's terminal; a program that reads it gets its lines as they are."""
    is_shown = is_terminal(sys.stderr) or bool(os.environ.get("COLUMNS"))
    for line in text.splitlines() or [""]:
        for part in layout.wrapped(line, width()) if is_shown else [line]:
            tell(part)


def say_json(value: Any) -> None:
    """The whole answer as one JSON document."""
    print(visible_json(json.dumps(value, indent=2, ensure_ascii=False)), flush=True)


def say_json_line(value: Any) -> None:
    """One of many answers, as one line of JSON."""
    print(visible_json(json.dumps(value, ensure_ascii=False, separators=(",", ":"))), flush=True)


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], *, right: frozenset[int] = frozenset()) -> list[str]:
    """Lines with aligned columns; those named by `right` (numbers) stand to the right."""
    return [shown(line) for line in layout.table(headings, rows, right=right, columns=width())]


def facts(pairs: Iterable[tuple[str, str]]) -> list[str]:
    """Lines of name and value."""
    return [shown(line) for line in layout.facts(pairs, width())]


def several(name: str, called: Mapping[str, Sequence[str]]) -> str:
    """Several of what a name means: `summary` gives "summaries". `called` has (one, several) of those that are called
    otherwise."""
    if name in called:
        return called[name][1]
    words = name.replace("_", " ")
    if words.endswith("s"):
        return words
    return f"{words[:-1]}ies" if words[-1:] == "y" and words[-2:-1] not in "aeiou" else f"{words}s"


def counted(counts: Mapping[str, int], called: Mapping[str, Sequence[str]], nothing: str) -> str:
    """Numbers with their names: "1 note, 2 summaries"; `nothing` when there is none."""
    told = []
    for name, count in counts.items():
        one = called[name][0] if name in called else name.replace("_", " ")
        if count:
            told.append(f"{count} {one if count == 1 else several(name, called)}")
    return ", ".join(told) or nothing
