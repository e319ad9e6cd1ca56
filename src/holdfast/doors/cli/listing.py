"""How items read on a terminal of a width: a hit of a search, rows of a list, all fields of one. Pure.

Colours are written as escapes; whoever prints the lines takes them out where they are not wanted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from holdfast.layout import ago, cut, fill, local, paint, plain, plain_line

_BELOW = 11
"""Columns before what stands below an id."""
_NAMES = 14
_TITLE_LINES, _NARROW = 2, 60
"""Lines of a title, and the columns below which it may have one more."""
_SHORTEST_STEM = 3
_WORD = re.compile(r"[\w'-]+")
_MOMENTS = frozenset({"time", "changed", "last_shown", "learned_at", "created", "updated", "ended"})


def hit(line: dict[str, Any], width: int, now_us: int, asked: Sequence[str] = ()) -> Iterator[str]:
    """One hit: what it says, in at most two lines (three where they are short), what it is, and below it the words that
    were asked for, marked."""
    head = f"{line['id']}  "
    below = " " * min(_BELOW, width // 4)
    title = [cut(each, width) for each in fill(plain(line["title"]), width, head, below)]
    most = _TITLE_LINES if width >= _NARROW else _TITLE_LINES + 1
    if len(title) > most:
        last = title[most - 1]
        title = [*title[: most - 1], f"{last[: width - 1].rstrip()}…" if not last.endswith("…") else last]
    words = [bold(each, asked) for each in (title[0].removeprefix(head), *title[1:])]
    yield f"{paint(head, 'dim')}{words[0]}"
    yield from words[1:]
    about = [ago(line["time"], now_us), *_about(line), plain(line["project"])]
    about += [f"+{len(line['same_work'])} of the same work"] if line.get("same_work") else []
    yield paint(f"{below}{cut(', '.join(each for each in about if each), width - len(below))}", "dim")
    if line.get("snippet"):
        room = width - len(below)
        yield f"{below}{marked(*window(line['snippet'], line.get('marks', ()), room), room)}"


def _about(line: dict[str, Any]) -> Iterator[str]:
    yield line["kind"]
    yield line.get("outcome", "")
    if line.get("superseded_by") is not None:
        yield "superseded"
    if line.get("objection"):
        yield "an agent objects"
    yield line.get("reason", "")
    if line.get("branch"):
        yield f"on branch {plain(line['branch'])}"


def bold(text: str, asked: Sequence[str]) -> str:
    """A text with the words in bold that begin as one that was asked for does."""
    stems = tuple(stem for word in asked if len(stem := _stem(word)) >= _SHORTEST_STEM)
    if not stems:
        return text
    return _WORD.sub(lambda word: paint(word[0], "bold") if word[0].lower().startswith(stems) else word[0], text)


def _stem(word: str) -> str:
    """A word without its ending, about: what is bold is only a help for the eye."""
    low = word.lower().strip("\"'.,:;!?()")
    ending = next((each for each in ("ing", "ies", "ed", "es", "s") if low.endswith(each)), "")
    return low[: len(low) - len(ending)] if len(low) - len(ending) >= _SHORTEST_STEM else low


def window(text: str, spans: Iterable[Sequence[int]], longest: int) -> tuple[str, list[Sequence[int]]]:
    """A text that begins a little before its first marked place, where that would not be seen otherwise; and the
    marks in it."""
    places = [each for each in spans if len(each) == 2]
    if not places or places[0][1] < longest:
        return text, places
    begin = text.rfind(" ", 0, max(1, places[0][0] - longest // 3)) + 1
    return f"… {text[begin:]}", [(a - begin + 2, b - begin + 2) for a, b in places]


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
        text = ("\n" if name == "parts" else ", ").join(map(str, value)) if isinstance(value, list) else str(value)
        if name in _MOMENTS or name.endswith("_at"):
            text = local(text, now_us)
        label = f"{name.replace('_', ' '):<{len(below)}}"
        for line in text.splitlines() or [""]:
            yield from wrapped(plain_line(line), width, label if len(label) <= len(below) else f"{label} ", below)
            label = below


def wrapped(line: str, width: int, first: str, rest: str) -> list[str]:
    """A line that fits stays as it is, with its indentation; a longer one is divided between words."""
    return [first + line] if len(first) + len(line) <= width else fill(line, width, first, rest)


_MOST_SHOWN = 10


def showings(shown: Sequence[dict[str, Any]], now_us: int) -> Iterator[str]:
    """A line for each time that an item was given to a session: when, where, to whom, and how its score was made."""
    for each in shown[:_MOST_SHOWN]:
        about = f" of {plain(each['about'])}" if each.get("about") else ""
        told = f"{local(each['time'], now_us)}  {each['place']}{about}, session {plain(each['session'])[:8]}"
        if each["score"]:
            parts = ", ".join(f"{name} {value:g}" for name, value in each["parts"].items())
            told += f", score {each['score']:g}" + (f" ({parts})" if parts else "")
        yield told
    if len(shown) > _MOST_SHOWN:
        yield f"and {len(shown) - _MOST_SHOWN} times before; --json shows all"


def worth(rated: dict[str, Any] | None) -> str:
    """What an item is worth, and why, on one line."""
    return f"{rated['value']:g}: {', '.join(map(str, rated['because']))}" if rated else ""


def nothing(text: str, asked: dict[str, Any]) -> str:
    """What to say when a search finds nothing: what was looked for, and what to try."""
    about = f" about “{plain(cut(text, _LONGEST_ASKED))}”" if text else ""
    narrowed = [f"--{name}" for name in ("kind", "file", "session", "since", "until") if asked.get(name)]
    tries = [f"without {' and '.join(narrowed)}"] if narrowed else []
    tries += ["fewer or other words"] if text else []
    tries += ["`--project all`"] if asked.get("project") != "all" else []
    return f"Nothing was found{about}. Try {', or '.join([*tries, '`holdfast timeline` for the last things'])}."


_LONGEST_ASKED = 60
