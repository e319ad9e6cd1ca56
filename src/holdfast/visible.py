"""Text from outside made visible: whatever a terminal would obey or hide is shown by its number. Pure.

Not printable to Python are controls, bidirectional marks, zero-width characters, byte order marks, tags, lone
surrogates, private and unassigned ones. Some that count as letters or marks show nothing either; they are listed here.
"""

from __future__ import annotations

import re
from functools import cache

_BLANK = (
    "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\uffa0"  # joiners, fillers, blanks
    "\ufe00-\ufe0d\U000e0100-\U000e01ef"  # variation selectors, except the two that choose an emoji's look
)
_SPACES = re.compile(r"[\n\r\t\v\f\x85\u2028\u2029]+")
_COLOURS = re.compile(r"(\x1b\[[0-9;]*m)")


@cache
def _unseen() -> re.Pattern[str]:
    """Compiled when a text needs it: it takes longer than the rest of a command's start."""
    return re.compile(rf"[{_BLANK}]|(?<=[\ufe0e\ufe0f])[\ufe0e\ufe0f]")


def _is_plain(text: str) -> bool:
    return text.isprintable() and (text.isascii() or not _unseen().search(text))


def visible(text: str) -> str:
    """The text on one line: line breaks and tabs are spaces, and all else that would not be seen is escaped."""
    if _is_plain(text):
        return text
    return _escaped(_SPACES.sub(" ", text))


def visible_lines(text: str) -> str:
    """The same for what we have laid out ourselves: line breaks, tabs and our colours stay."""
    if _is_plain(text):
        return text
    parts = _COLOURS.split(text)
    parts[::2] = [
        "\n".join("\t".join(map(_escaped, line.split("\t"))) for line in part.split("\n")) for part in parts[::2]
    ]
    return "".join(parts)


def visible_json(text: str) -> str:
    """The same for JSON that is laid out already, where an escape means the character again."""
    if _is_plain(text):
        return text
    return "\n".join(_escaped(line, json=True) for line in text.split("\n"))


def _escaped(text: str, json: bool = False) -> str:
    if _is_plain(text):
        return text
    unseen = {found.start() for found in _unseen().finditer(text)}
    return "".join(
        letter if at not in unseen and _is_seen(letter) else _number(letter, json) for at, letter in enumerate(text)
    )


def _is_seen(letter: str) -> bool:
    # A space of another width is a space to see (no-break, ideographic).
    return letter.isprintable() or (letter.isspace() and ord(letter) >= 0xA0 and letter not in "\u2028\u2029")


def _number(letter: str, json: bool) -> str:
    code = ord(letter)
    if json:
        units = letter.encode("utf-16-be", "surrogatepass")
        return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
