"""Long programs of Python that need not be read whole: lines of numbers and prints, and programs that reach nothing
outside of themselves. Pure; linear.

A program is read up to a length. A long one that only counts and prints was asked about although it can do no harm.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from holdfast.shell.tools import listed

_NUMBERS = re.compile(r"[ \t]*(?:[A-Za-z_]\w{0,80} ?= ?)?[\d .,:+*/_\[\]{}()-]*[\d\]}).,][ \t]*")
"""`x12 = 12`, `[1, 2, 3],`: nothing in it can be a path, a command or another name for a function."""
_PRINTS = re.compile(r"[ \t]*print\((?:'[^'\\]*'|\"[^\"\\]*\"|[\w., ]*)\)[ \t]*")
_REACHES = re.compile(
    r"\b(?:open|exec|eval|compile|breakpoint|getattr|setattr|globals|locals|vars|help|quit|exit)\b|__|"
    r"\b_?(?:os|sys|io|subprocess|shutil|builtins|posix|modules|importlib|pathlib)\b"
)
"""Names by which a program leaves its own variables: built in, or found in a module (`random._os`)."""
_IMPORT = re.compile(r"\bimport\b")
_PLAIN_IMPORT = re.compile(r"(?m)^[ \t]*(?:from ([\w.]{1,80}) import [\w, ]{1,200}|import ([\w, ]{1,200}))$")
_HARMLESS = listed(
    "json math cmath re random datetime time calendar itertools collections functools string textwrap decimal "
    "fractions statistics typing dataclasses enum uuid hashlib base64 struct bisect heapq copy pprint unicodedata"
)
"""Modules that compute and neither open a file nor start a program."""


def reaches_nothing(text: str) -> bool:
    """Does a program use nothing by which it could touch a file, start a program or talk to anybody?"""
    if any(_REACHES.search(text, start, end) for start, end in _windows(text)):
        return False
    plain = list(_PLAIN_IMPORT.finditer(text))
    if len(plain) != len(_IMPORT.findall(text)):
        return False
    named = (name.strip() for found in plain for name in (found[1] or found[2]).split(","))
    return all(name in _HARMLESS for name in named)


def _windows(text: str) -> Iterator[tuple[int, int]]:
    """A text in parts that end behind a word: one search through all of it would hold the interpreter for too long."""
    start = 0
    while start < len(text):
        behind = _BEHIND_WORD.search(text, start + _WINDOW, start + _WINDOW + _LONGEST_WORD)
        end = behind.start() if behind else start + _WINDOW
        yield start, min(end, len(text))
        start = end


_WINDOW, _LONGEST_WORD = 100_000, 100
_BEHIND_WORD = re.compile(r"\W")


def as_much_as_is_parsed(text: str) -> str:
    """A program up to so many statements as Python parses in some 20 ms: it holds the interpreter meanwhile."""
    ends = itertools.islice(_ENDS.finditer(text), _MOST_STATEMENTS, None)
    return text[: last.start()] if (last := next(ends, None)) is not None else text


_ENDS = re.compile(r"[\n;]")
_MOST_STATEMENTS = 4_000


def shortened(text: str) -> str:
    """The program without the lines that only hold numbers or print a text: what is left does what it did before."""
    left: list[str] = []
    for line in map(_without_numbers, text.split("\n")):
        if line.lstrip() != _NOTHING or left[-1:] != [line]:
            left.append(line)
    return "\n".join(left)


def _without_numbers(line: str) -> str:
    if len(line) > 2_000 or not (_PRINTS.fullmatch(line) or _is_assignment(line)):
        return line
    return f"{line[: len(line) - len(line.lstrip())]}{_NOTHING}"


_NOTHING = "0"
"""Stands for what is left out: a block needs a line."""


def _is_assignment(line: str) -> bool:
    """A whole statement: in a list over several lines a `0` would be a second item without a comma."""
    return "=" in line and line.count("[") == line.count("]") and _NUMBERS.fullmatch(line) is not None
