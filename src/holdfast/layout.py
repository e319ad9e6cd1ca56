"""How values read as lines: tables, facts, sizes, spans. Pure; standard library only.

Used by the command line and by what rooms show of their results. Colours are written as escapes here; whoever prints
the lines takes them out where they are not wanted. What a terminal would obey or hide is shown escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from holdfast.times import DAY_US, age, microseconds
from holdfast.visible import visible

_CODES = {"bold": 1, "dim": 2, "red": 31, "green": 32, "yellow": 33, "cyan": 36}
_ESCAPES = re.compile(r"\x1b\[[0-9;]*m")
_LONG_AGO_US = 60 * DAY_US
_LEAST = 20
"""Columns that the last cell of a table should have at least."""
_STEPS = ((86_400, "d"), (3_600, "h"), (60, "m"), (1, "s"))


def paint(text: str, *styles: str) -> str:
    """The text in these styles."""
    return f"\x1b[{';'.join(str(_CODES[style]) for style in styles)}m{text}\x1b[0m" if styles else text


def unpainted(text: str) -> str:
    return _ESCAPES.sub("", text)


def plain(text: str) -> str:
    """Text from outside on one line, unable to steer the terminal."""
    return visible(text).strip()


def plain_line(text: str) -> str:
    """The same for a line whose indentation matters."""
    return visible(text).rstrip()


def cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: max(0, width - 1)] + "…"


def table(
    headings: Sequence[str], rows: Iterable[Sequence[str]], *, right: frozenset[int] = frozenset(), columns: int = 0
) -> list[str]:
    """Lines with aligned columns; those named by `right` (numbers) stand to the right.

    With `columns`, a table that is wider has its last cell wrapped below itself; where that leaves too little room, the
    cell stands on lines of its own below the row."""
    body = [[str(cell) for cell in row] for row in rows]
    widths = [max(_width(row[at]) for row in [list(headings), *body]) for at in range(len(headings))]
    before = sum(widths[:-1]) + 2 * (len(widths) - 1)
    if not columns or before + widths[-1] <= columns:
        return [_row(headings, widths, right, "dim"), *(_row(row, widths, right) for row in body)]
    if columns - before >= _LEAST:
        below = " " * before
        lines = [_row(headings, widths, right, "dim")]
        for row in body:
            first = _row([*row[:-1], "."], widths, right).removesuffix(".").ljust(before)
            lines += fill(row[-1], columns, first, below)
        return lines
    lines = [cut_painted(_row(headings[:-1], widths, right, "dim"), columns)]
    for row in body:
        lines.append(cut_painted(_row(row[:-1], widths, right), columns))
        lines += fill(row[-1], columns, "  ", "  ") if row[-1] else []
    return lines


def _row(cells: Sequence[str], widths: Sequence[int], right: frozenset[int], *styles: str) -> str:
    padded = [
        " " * (widths[at] - _width(cell)) + cell if at in right else cell + " " * (widths[at] - _width(cell))
        for at, cell in enumerate(cells)
    ]
    return paint("  ".join(padded).rstrip(), *styles)


def cut_painted(line: str, width: int) -> str:
    """A line that is too long, cut; its colours go, too."""
    return line if _width(line) <= width else cut(unpainted(line), width)


def fill(text: str, width: int, first: str = "", rest: str = "") -> list[str]:
    """Lines of at most `width` columns, after `first` and then after `rest`. A word, such as a path, is never divided,
    so that it can be copied. Colours take no room."""
    lines: list[str] = []
    line, is_empty = first, True
    for word in text.split():
        if not is_empty and _width(line) + 1 + _width(word) > width:
            lines.append(line)
            line, is_empty = rest, True
        line += word if is_empty else f" {word}"
        is_empty = False
    return [*lines, line.rstrip()]


def wrapped(line: str, width: int) -> list[str]:
    """A line that fits stays as it is. A longer one is divided between words, and goes on below its own beginning."""
    if _width(line) <= width:
        return [line]
    plain_start = unpainted(line)
    space = len(plain_start) - len(plain_start.lstrip())
    if plain_start.lstrip()[:2] in ("- ", "* ", "+ "):
        space += 2
    head = line[: len(line) - len(line.lstrip())]
    return fill(line, width, head, " " * min(space, width // 3))


def facts(pairs: Iterable[tuple[str, str]], columns: int = 0) -> list[str]:
    """Lines of name and value; a value that is wider than the columns goes on below itself."""
    listed = list(pairs)
    width = max((len(name) for name, _ in listed), default=0)
    lines = []
    for name, value in listed:
        head = f"{paint(name.ljust(width), 'dim')}  "
        lines += fill(value, columns, head, " " * (width + 2)) if columns else [head + value]
    return lines


def told(value: Any) -> list[str]:
    """A tool's result, whatever it is: a line per field, an empty line between things."""
    match value:
        case dict():
            return _fields(value)
        case list():
            parts = [told(each) for each in value]
            return [line for number, part in enumerate(parts) for line in (["", *part] if number else part)]
        case None:
            return []
        case _:
            return [plain_line(line) for line in str(value).splitlines()]


def _fields(item: dict[str, Any]) -> list[str]:
    lines = []
    for name, value in item.items():
        if value in (None, "", [], ()):
            continue
        text = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
        first, *rest = text.splitlines() or [""]
        lines.append(f"{name.replace('_', ' '):<14}{plain_line(first)}")
        lines += [f"{'':<14}{plain_line(line)}" for line in rest]
    return lines


def _width(text: str) -> int:
    return len(_ESCAPES.sub("", text))


def many(count: int, one: str, several: str = "") -> str:
    """A number with its word: `1 turn`, `2 turns`."""
    return f"{count} {one if count == 1 else several or one + 's'}"


def size(count: float) -> str:
    """Bytes for people."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if count < 1024:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024
    return f"{count:.1f} TiB"


def span(seconds: float) -> str:
    """A length of time, with its two largest units: `3d 4h`, `12m 5s`, `0s`."""
    left = max(0, int(seconds))
    parts: list[str] = []
    for length, unit in _STEPS:
        count, left = divmod(left, length)
        if parts or count:
            parts.append(f"{count}{unit}")
        if len(parts) == 2:
            break
    return " ".join(part for part in parts if not part.startswith("0")) or "0s"


def moment(at_us: int) -> str:
    """A moment in local time."""
    return datetime.fromtimestamp(at_us / 1_000_000).strftime("%Y-%m-%d %H:%M:%S")


def ago(iso: str, now_us: int) -> str:
    """A moment of a result, as it reads best in a list: how long ago, and after two months the day."""
    at = microseconds(iso)
    if at is None:
        return plain(iso)
    return age(now_us, at) if 0 <= now_us - at < _LONG_AGO_US else moment(at)[:10]


def local(iso: str, now_us: int) -> str:
    """A moment of a result on the user's own clock, and how long ago it was."""
    at = microseconds(iso)
    return plain(iso) if at is None else f"{moment(at)[:16]} ({age(now_us, at)})"


def local_minute(iso: str) -> str:
    """The same without how long ago: for a table."""
    at = microseconds(iso)
    return plain(iso) if at is None else moment(at)[:16]


def clock(at_us: int, now_us: int) -> str:
    """A moment in local time: the time of a day that is today, else with its date."""
    at, now = (datetime.fromtimestamp(us / 1_000_000) for us in (at_us, now_us))
    return at.strftime("%H:%M:%S") if at.date() == now.date() else at.strftime("%Y-%m-%d %H:%M:%S")


def milliseconds(value: float) -> str:
    return f"{value:g}" if value else "-"
