"""How items read on a terminal of a width: a hit of a search, rows of a list, all fields of one. Pure.

Colours are written as escapes; whoever prints the lines takes them out where they are not wanted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from holdfast.layout import ago, cut, fill, local, paint, plain, plain_line

_BELOW = 11
"""Columns before what stands below an id."""
_NAMES = 14
_MOMENTS = frozenset({"time", "changed", "last_shown", "learned_at", "created", "updated", "ended"})


def hit(line: dict[str, Any], width: int, now_us: int) -> Iterator[str]:
    """One hit: a line with what it is, and below it the words that were asked for, marked."""
    head = f"{line['id']}  "
    yield f"{paint(head, 'dim')}{cut(plain(line['title']), max(8, width - len(head)))}"
    below = " " * min(_BELOW, width // 4)
    about = [ago(line["time"], now_us), *_about(line), plain(line["project"])]
    about += [f"+{len(line['same_work'])} of the same work"] if line.get("same_work") else []
    yield paint(f"{below}{cut(', '.join(each for each in about if each), width - len(below))}", "dim")
    if line.get("snippet"):
        yield f"{below}{marked(line['snippet'], line.get('marks', ()), width - len(below))}"


def _about(line: dict[str, Any]) -> Iterator[str]:
    yield line["kind"]
    yield line.get("outcome", "")
    if line.get("superseded_by") is not None:
        yield "superseded"
    if line.get("objection"):
        yield "an agent objects"
    yield line.get("reason", "")


def marked(text: str, spans: Iterable[Sequence[int]], longest: int) -> str:
    """Text from outside on one line, cut, its marked places in bold."""
    parts, at = [], 0
    for begin, end in spans:
        if at <= begin < end <= min(len(text), longest - 1):
            parts += [plain_line(text[at:begin]) + " " * (text[at:begin] != text[at:begin].rstrip())]
            parts += [paint(plain(text[begin:end]), "bold")]
            at = end
    rest = cut(text[at:], max(0, longest - at))
    return "".join([*parts, plain_line(rest)])


def rows(found: Sequence[dict[str, Any]], width: int, now_us: int) -> Iterator[str]:
    """A line per item: id, when, what it is, and its title in the room that is left. The project only if there are
    several."""
    several = len({line["project"] for line in found}) > 1
    cells = []
    for line in found:
        what = " ".join(each for each in _about(line) if each)
        where = f"{plain(line['project'])}: " if several else ""
        cells.append((line["id"], ago(line["time"], now_us), what, where + plain(line["title"])))
    widths = [max(len(row[at]) for row in cells) for at in range(3)]
    room = width - sum(widths) - 6
    if room < 24:  # too narrow for columns: the title below
        for identity, when, what, title in cells:
            yield cut(f"{identity}  {when}  {what}", width)
            yield f"  {cut(title, max(8, width - 2))}"
        return
    for identity, when, what, title in cells:
        head = f"{identity:<{widths[0]}}  {when:<{widths[1]}}  {what:<{widths[2]}}  "
        yield f"{paint(head, 'dim')}{cut(title, room)}"


def fields(item: dict[str, Any], width: int, now_us: int) -> Iterator[str]:
    """A line per field, its value beside its name, wrapped below itself; moments on the user's clock."""
    below = " " * min(_NAMES, width // 4)
    for name, value in item.items():
        if value in (None, "", []):
            continue
        text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        if name in _MOMENTS or name.endswith("_at"):
            text = local(text, now_us)
        label = f"{name.replace('_', ' '):<{len(below)}}"
        for line in text.splitlines() or [""]:
            yield from wrapped(plain_line(line), width, label if len(label) <= len(below) else f"{label} ", below)
            label = below


def wrapped(line: str, width: int, first: str, rest: str) -> list[str]:
    """A line that fits stays as it is, with its indentation; a longer one is divided between words."""
    return [first + line] if len(first) + len(line) <= width else fill(line, width, first, rest)
