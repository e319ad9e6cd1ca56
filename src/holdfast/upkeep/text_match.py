"""How a text is searched for: as a pattern for LIKE, in JSON, and across line ends. Pure."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable

import msgspec

_SPACE = re.compile(r"\s")
_WRITTEN_SPACE = re.compile(r"\\{1,2}[nrt]")
"""The end of a line, as it stands in JSON and in JSON within JSON."""
_ANY_WRITTEN_SPACE = re.compile(r"\\+[nrt]")
_BACKSLASHES = re.compile(r"\\+")
_WORD = re.compile(r'[^\s\\"\x00-\x1f]+')
_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def lower(text: str) -> str:
    """As LOWER does in both databases: letters of ASCII only."""
    return text.translate(_LOWER)


def pattern(text: str) -> str:
    """A text as a pattern that matches wherever it stands; '!' escapes."""
    escaped = text.replace("!", "!!").replace("%", "!%").replace("_", "!_")
    return f"%{escaped}%"


def like(text: str) -> str:
    """The same, for words in lower case."""
    return pattern(lower(text))


def across_lines(text: str) -> str:
    """The same; a space matches the end of a line too (and any other character: ask `says`)."""
    return _SPACE.sub("_", like(text))


def in_json(text: str) -> str:
    """A text as it stands inside a JSON string."""
    return msgspec.json.encode(text).decode()[1:-1]


def says(words: str, text: str) -> bool:
    """Does a text stand in words, in any case, wherever their lines end; also when they are JSON?"""
    plain, unwritten = _flat(words), flat(words)
    return any(_flat(each) in plain or _flat(each) in unwritten for each in (text, in_json(text)))


def flat(text: str) -> str:
    """A text in lower case in which it does not matter where a line ends, nor whether it is JSON once or twice."""
    return _flat(_WRITTEN_SPACE.sub(" ", text))


def bare(text: str) -> str:
    """The same, however often it is JSON within JSON: without any backslash. (A text that only differs in these is the
    same, too.)"""
    return _flat(_BACKSLASHES.sub("", _ANY_WRITTEN_SPACE.sub(" ", text)))


def longest_word(text: str) -> str:
    """A part of the text that is written alike in JSON; '' when there is none."""
    return max(_WORD.findall(text), key=len, default="")


def strings(value: object) -> Iterable[str]:
    """Every string in a payload, as it was before it was written as JSON."""
    stack = [value]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            yield node
        elif isinstance(node, dict):
            stack += [*node.keys(), *node.values()]
        elif isinstance(node, list):
            stack += node


def _flat(text: str) -> str:
    """A text in which it does not matter where a line ends: a summary has one sentence per line."""
    return _SPACE.sub(" ", lower(text))
