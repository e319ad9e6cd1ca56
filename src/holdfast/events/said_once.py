"""Says no sentence twice to the same reader: lines of what is given, without what stands in lines before them. Pure.

A line may begin with its id and its writer and end with remarks in brackets; those are no part of its sentences. Short
sentences ("Tests pass.") may be said again.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from holdfast.events.subjects import about, need

_LEAST = 25
"""Characters of a sentence that is told apart."""
_SUBJECT = 40
"""Characters of the sentence before, where what is left does not say what it is about."""
_LONGEST = 2_000
"""A longer line is somebody's whole text: it stays as it is."""
_END = re.compile(r"[.!?](?=\s|$)|\s—\s")
_HEAD = re.compile(r"(?:- )?(?:\[[a-z][0-9a-f]{8}\] )?(?:[a-z][a-z ]{2,12}: )?")
_REMARKS = re.compile(r"(?:\s*\([^()]{1,120}\))+\s*$")
_DANGLING = re.compile(r"\s+—\s*(?=\([^()]{1,120}\)$|$)")
_WORD = re.compile(r"\w+")
_ITEM = re.compile(r"- |\[[a-z][0-9a-f]{8}\] ")


def sentences(line: str) -> set[str]:
    """The words of each sentence that is long enough to be told apart."""
    return {words for _, _, words in _parts(line) if len(words) >= _LEAST}


def unsaid(line: str, was_told: Callable[[str], bool]) -> str:
    """The line without the sentences whose words were told; '' when nothing else is in it."""
    if len(line) > _LONGEST:
        return line
    parts = _parts(line)
    gone = {words for _, _, words in parts if len(words) >= _LEAST and was_told(words)}
    if not gone:
        return line
    if not any(words not in gone and _says_more(words) for _, _, words in parts):
        return ""
    for at in range(len(parts) - 1, -1, -1):
        low, high, words = parts[at]
        if words in gone:
            rest = line[high:].lstrip()
            line = f"{line[:low].rstrip()} {rest}" if line[:low].strip() and rest else line[:low] + rest
        elif at and parts[at - 1][2] in gone and need(line[low:high]) == "must":
            before = line[parts[at - 1][0] : parts[at - 1][1]]
            line = line[:low] + about(line[low:high], before.strip(" —"), _SUBJECT) + line[high:]
    return _DANGLING.sub(" ", line)


def lines_of_items(text: str) -> list[str]:
    """The lines of a text that mention items: those with an id or a dash."""
    return [line for line in text.split("\n") if _ITEM.match(line)]


def items_of(text: str) -> set[str]:
    """The sentences of the items of a text."""
    return {words for line in lines_of_items(text) for words in sentences(line)}


def without_told_items(text: str, told: set[str]) -> str:
    """A text without those of its items that begin with what was said before, and without headlines that then stand
    over nothing."""
    kept: list[str] = []
    below = "anything"  # what stands under the line that is looked at; '' for an item that is gone
    for line in reversed(text.split("\n")):
        is_item = _ITEM.match(line) is not None
        if is_item and _first(line) in told:
            below = ""
            continue
        if is_item or below or not line.endswith(":"):
            kept.append(line)
        below = line
    return "\n".join(reversed(kept))


def _first(line: str) -> str:
    """The words of the first sentence that is long enough to be told apart."""
    return next((words for _, _, words in _parts(line) if len(words) >= _LEAST), "")


def _says_more(words: str) -> bool:
    return words.count(" ") >= 2


def _parts(line: str) -> list[tuple[int, int, str]]:
    """(begin, end, words) of each sentence; the end is behind its mark."""
    head = _HEAD.match(line)
    at = head.end() if head else 0
    remarks = _REMARKS.search(line, at)
    stop = remarks.start() if remarks else len(line)
    found = []
    for mark in _END.finditer(line, at, stop):
        found.append((at, mark.end(), line[at : mark.start()]))
        at = mark.end()
    if at < stop:
        found.append((at, stop, line[at:stop]))
    return [(low, high, " ".join(_WORD.findall(_REMARKS.sub("", text).casefold()))) for low, high, text in found]
