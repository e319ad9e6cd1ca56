"""How many tokens a text costs: one estimate, used for every budget.

A word is about one token, and so is a number, a run of signs or a break between lines; other scripts cost by their
bytes. `python -m bench.tokens` holds it against the tokenizer that Anthropic has published: on prose, code, JSON, logs
and other scripts it is a few per cent off, where bytes over 3.6 are up to a third too low (JSON) or a tenth too high.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right

_RUN = re.compile(r"[A-Z]?[a-z]{1,12}|[A-Z]{1,8}|[0-9]{1,6}|[!-/:-@\[-`{-~]{1,16}|\s{2,32}|\n")
_PER_RUN = 1.05
"""A long word is two."""
_PER_BYTE = 0.28
"""Of other scripts."""
_LONGEST = 40
"""No token is of more characters."""


def count_tokens(text: str) -> int:
    cost = _PER_RUN * len(_RUN.findall(text))
    if not text.isascii():
        cost += _PER_BYTE * (len(text.encode("utf-8", "replace")) - len(text.encode("ascii", "ignore")))
    return math.ceil(cost)


def fit_tokens(text: str, tokens: int) -> str:
    """The longest start of `text` within the budget."""
    if tokens <= 0:
        return ""
    start = text[: tokens * _LONGEST + 1]
    if count_tokens(start) <= tokens:
        return start
    return text[: bisect_right(range(len(start)), tokens, key=lambda end: count_tokens(text[:end])) - 1]


def client_length(text: str) -> int:
    """Length as the client counts it for its 10,000-character cap: UTF-16 units, because it is JavaScript."""
    return len(text) + sum(1 for char in text if char > "\uffff") if not text.isascii() else len(text)
