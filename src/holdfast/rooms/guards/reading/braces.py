"""Brace expansion: `{a,b}` and `{1..3}` as a shell fills them in. Pure; bounded."""

from __future__ import annotations

import re

_MOST = 64
_RANGE = re.compile(r"(-?\d{1,6})\.\.(-?\d{1,6})\Z")


def expanded(text: str) -> list[str]:
    """The words that a word with braces becomes; one without them is itself."""
    waiting = [text]
    found: list[str] = []
    while waiting and len(waiting) + len(found) <= _MOST:
        word = waiting.pop()
        parts = _parts(word)
        if parts is None:
            found.append(word)
            continue
        before, choices, after = parts
        waiting += [before + choice + after for choice in reversed(choices)]
    return [*found, *reversed(waiting)]


def _parts(word: str) -> tuple[str, list[str], str] | None:
    """What stands before the first braces, the choices in them, and what stands behind."""
    start = word.find("{")
    while start >= 0:
        if start and word[start - 1] == "$":
            start = word.find("{", start + 1)
            continue
        depth, last, choices = 0, start + 1, []
        for place in range(start, min(len(word), start + 2_000)):
            letter = word[place]
            if letter == "{":
                depth += 1
            elif letter == "," and depth == 1:
                choices.append(word[last:place])
                last = place + 1
            elif letter == "}":
                depth -= 1
                if depth == 0:
                    inside = [*choices, word[last:place]]
                    if len(inside) == 1:
                        inside = _numbers(inside[0])
                    if len(inside) > 1:
                        return word[:start], inside, word[place + 1 :]
                    break
        start = word.find("{", start + 1)
    return None


def _numbers(inside: str) -> list[str]:
    match = _RANGE.match(inside)
    if match is None:
        return [inside]
    first, last = int(match[1]), int(match[2])
    step = 1 if last >= first else -1
    return [str(number) for number in range(first, last + step, step)][:_MOST]
