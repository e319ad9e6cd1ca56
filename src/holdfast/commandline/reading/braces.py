"""Brace expansion: `{a,b}`, `{1..3}`, `{a..e..2}`, `{01..12}` as a shell fills them in. Pure; bounded."""

from __future__ import annotations

import re

_MOST = 256
_LONGEST = 2_000
_RANGE = re.compile(r"(-?\d{1,9}|[A-Za-z])\.\.(-?\d{1,9}|[A-Za-z])(?:\.\.(-?\d{1,9}))?\Z")
_LEFT = re.compile(r"(?<!\$)\{[^{}]*(?:,|\.\.)[^{}]*\}")


def expanded(text: str) -> tuple[list[str], bool]:
    """The words that a word with braces becomes, and whether these are all; one without them is itself."""
    if len(text) > _LONGEST:
        return [text], False
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
    words = [*found, *reversed(waiting)][:_MOST]
    return words, not waiting and not any(_LEFT.search(word) for word in words)


def _parts(word: str) -> tuple[str, list[str], str] | None:
    """What stands before the first braces, the choices in them, and what stands behind."""
    start = word.find("{")
    while start >= 0:
        if start and word[start - 1] == "$":
            start = word.find("{", start + 1)
            continue
        depth, last, choices = 0, start + 1, []
        for place in range(start, len(word)):
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
                        inside = _range(inside[0])
                    if inside:
                        return word[:start], inside, word[place + 1 :]
                    break
        start = word.find("{", start + 1)
    return None


def _range(inside: str) -> list[str]:
    """The members of `first..last..step`; none when it is no range. One more than is read, when there are more."""
    match = _RANGE.match(inside)
    if match is None or match[1].isalpha() is not match[2].isalpha():
        return []
    letters = match[1].isalpha()
    first, last = (ord(each) if letters else int(each) for each in match.group(1, 2))
    step = max(1, abs(int(match[3] or 1))) * (1 if last >= first else -1)
    numbers = range(first, last + (1 if step > 0 else -1), step)[: _MOST + 1]
    if letters:
        return [chr(number) for number in numbers]
    filled = any(re.match(r"-?0\d", each) for each in match.group(1, 2))
    width = max(len(match[1]), len(match[2])) if filled else 0
    return [f"{number:0{width}d}" for number in numbers]
