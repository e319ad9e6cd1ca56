"""The words behind an inline program, put into it where it names them by number: `ARGV[0]`, `process.argv[1]`. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

_FIRST = {
    "node": re.compile(r"\bprocess\.argv\[(\d)\]"),
    "ruby": re.compile(r"\bARGV\[(\d)\]"),
    "perl": re.compile(r"\$ARGV\[(\d)\]"),
    "php": re.compile(r"\$argv\[(\d)\]"),
}
_ONE = {
    "ruby": re.compile(r"\bARGV\.(?:first|shift)\b"),
    "perl": re.compile(r"\bshift(?:\s?@ARGV|\s?\(\s?\))?(?=\s*[;)])"),
}
_OFFSET = {"node": 0, "php": 0, "ruby": 1, "perl": 1}
"""Where the numbers begin: the first word of the list is the program's own."""
_LONGEST = 300


def with_words(kind: str, text: str, words: Sequence[str]) -> str:
    """The program with texts in the place of the words that it names."""
    if len(words) < 2 or kind not in _FIRST:
        return text

    def put(number: int, written: str) -> str:
        word = words[number] if number < len(words) else ""
        return "'" + word.replace("\\", "").replace("'", "") + "'" if 0 < len(word) <= _LONGEST else written

    made = _FIRST[kind].sub(lambda match: put(int(match[1]) + _OFFSET[kind], match[0]), text)
    return _ONE[kind].sub(lambda match: put(1, match[0]), made) if kind in _ONE else made
