"""Which of many patterns a text can hold, found in one pass.

An output is asked for some ninety summary lines; one after the other that takes milliseconds, and RE2 looks for all of
them at once. What RE2 does not understand (a look-ahead) stays a candidate. The patterns themselves are read by `re`.
"""

from __future__ import annotations

from functools import cache
from typing import Any


def candidates(patterns: tuple[str, ...], text: str) -> frozenset[str]:
    """Those of the patterns that may match somewhere in the text, as `re.MULTILINE` reads them."""
    known, sieve, rest = _sieve(patterns)
    return rest.union(known[index] for index in sieve.Match(text) or ()) if known else rest


@cache
def _sieve(patterns: tuple[str, ...]) -> tuple[list[str], Any, frozenset[str]]:
    import re2

    options = re2.Options()
    options.log_errors = False
    sieve = re2.Set.SearchSet(options)
    known: list[str] = []
    rest: set[str] = set()
    for pattern in dict.fromkeys(patterns):
        try:
            sieve.Add(f"(?m){pattern}")
        except re2.error:
            rest.add(pattern)
        else:
            known.append(pattern)
    if known:
        sieve.Compile()
    return known, sieve, frozenset(rest)
