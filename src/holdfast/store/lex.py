"""The little that must be known about SQL text: where its strings, comments and parameters are.

Enough to rewrite a parameter or a type without touching what somebody quoted. It does not parse SQL.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

StoreKind = Literal["sqlite", "postgresql"]

_TOKEN = re.compile(
    r"""
      (?P<quoted> '(?:[^']|'')*' | "(?:[^"]|"")*" | \$(?P<tag>\w*)\$ .*? \$(?P=tag)\$ )
    | (?P<comment> --[^\n]* | /\*.*?\*/ )
    | (?P<cast> :: )
    | : (?P<param> [A-Za-z_]\w* )
    | (?P<word> [A-Za-z_]\w* )
    """,
    re.VERBOSE | re.DOTALL,
)


def rewrite(
    text: str,
    *,
    param: Callable[[str], str] | None = None,
    word: Callable[[str, str], str] | None = None,
) -> str:
    """`text` without comments; parameters and bare words as the functions give them back.

    `word` also gets the word before it, since a type name after AS is part of a cast.
    """
    before = ""

    def replace(match: re.Match[str]) -> str:
        nonlocal before
        if match["comment"] is not None:
            return ""
        if match["param"] is not None:
            return param(match["param"]) if param else match[0]
        if match["word"] is not None:
            previous, before = before, match["word"]
            return word(match["word"], previous) if word else match[0]
        return match[0]

    lines = (line.rstrip() for line in _TOKEN.sub(replace, text).splitlines())
    return "\n".join(line for line in lines if line)
