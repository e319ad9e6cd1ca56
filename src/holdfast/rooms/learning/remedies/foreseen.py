"""What a prompt lets foresee: the commands that it names, and the errors that it quotes. Pure.

A command is named by the words that it was run with. A single word ("make") is a command only where it stands in code
marks or behind "run". An error counts as it was printed: on a line of its own, or in code marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from holdfast.rooms.learning.remedies.signature import Signature, is_specific, signature_of

_LONGEST = 20_000
_MOST_WORDS = 12
"""Words of a command that a prompt can name; a longer one is not typed by hand."""
_EDGES = "`'\"“”‘’()[]{}<>,;:!?*"
_ORDERS = frozenset(["run", "rerun", "re-run", "running", "ran", "execute", "try", "retry", "start", "$", ">"])
_ARGUMENT = re.compile(r"-|[^.]*[/.][^.\s]|\w+=")
_CODE = re.compile(r"`([^`\n]{3,400})`")
_ERROR_WORDS = ("Error", "error", "Exception", "not found", "No such", "denied", "refused", "cannot find", "FAILED")
_MOST_LINES = 200

ByFirstWords = Mapping[tuple[str, ...], list[tuple[str, ...]]]
"""Commands, as words, by their first two: a project runs a hundred commands that begin with `git`."""


def by_first_words(labels: Iterable[str]) -> ByFirstWords:
    """Commands as `named_in` looks them up, those with most words first."""
    found: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for label in labels:
        words = tuple(label.split())
        if words and len(words) <= _MOST_WORDS:
            found.setdefault(words[:2], []).append(words)
    for each in found.values():
        each.sort(key=len, reverse=True)
    return found


def named_in(prompt: str, commands: ByFirstWords) -> list[str]:
    """The commands that a prompt names, in its order."""
    if not commands:
        return []
    raw = prompt[:_LONGEST].split()
    plain = [_bare(word) for word in raw]
    found: dict[str, None] = {}
    for at, word in enumerate(plain):
        for words in _beginning(commands, word, plain[at + 1 : at + 2]):
            if tuple(plain[at + 1 : at + len(words)]) != words[1:]:
                continue
            if len(words) > 1 or _is_ordered(raw, plain, at):
                found[" ".join(words)] = None
                break
    return list(found)


def _beginning(commands: ByFirstWords, word: str, follows: list[str]) -> Iterator[tuple[str, ...]]:
    """The commands that begin so, those with most words first. `./make` is also `make`."""
    for first in dict.fromkeys((word, word.removeprefix("./"))):
        yield from commands.get((first, *follows), ())
        if follows:
            yield from commands.get((first,), ())


def _bare(word: str) -> str:
    plain = word.strip(_EDGES)
    return plain[:-1] if len(plain) > 1 and plain.endswith(".") else plain


def _is_ordered(raw: list[str], plain: list[str], at: int) -> bool:
    """Is one word meant as a command, and as the whole of it?"""
    if raw[at].startswith("`"):
        return raw[at].rstrip(".,;:!?)").endswith("`")
    follows = plain[at + 1] if at + 1 < len(plain) else ""
    return at > 0 and plain[at - 1].lower() in _ORDERS and not _ARGUMENT.match(follows)


def errors_in(prompt: str) -> list[Signature]:
    """The errors that a prompt quotes, as far as their words alone tell what they are about."""
    text = prompt[:_LONGEST]
    if not any(word in text for word in _ERROR_WORDS):
        return []
    parts = [text, *_CODE.findall(text)]
    lines = [line for part in parts for line in part.splitlines()[:_MOST_LINES] if _is_of_error(line)]
    found = [signature_of("", line.strip().strip("`"), ()) for line in lines[:20]]
    return [each for each in dict.fromkeys(found) if each.type and is_specific(each)][:5]


def _is_of_error(line: str) -> bool:
    return any(word in line for word in _ERROR_WORDS)
