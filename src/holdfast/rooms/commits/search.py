"""Finds commits by words: the rarer a word is among them, the more it counts. Pure.

Commits are not in the index of recall: a repository has more of them than a person has memories, and their words would
change what is rare there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from holdfast.recall.tokens import general_terms, terms, unique
from holdfast.rooms.commits.model import Commit

_SUBJECT, _BODY, _PATHS = 1.0, 0.6, 0.5
"""What a word is worth in the subject, in the body, and in the path of a changed file."""
_GENERAL = 0.1
_MOST_PATHS = 20
_ENOUGH = 2
"""Words that must be found of a question with as many: one word of three proves nothing."""


@dataclass(frozen=True, slots=True)
class Match:
    commit: Commit
    score: float
    """Beside the best one: 1 for that."""
    fit: float
    """The share of the question's weight that it covers, from 0 to 1."""


class WordIndex:
    """Words of commits. Making it takes some 50 µs for each of them: it is made when somebody searches first."""

    def __init__(self, commits: Sequence[Commit]) -> None:
        self._commits = commits
        self._found: dict[str, dict[int, float]] = {}
        for number, commit in enumerate(commits):
            for word, worth in _words(commit):
                of_word = self._found.setdefault(word, {})
                of_word[number] = max(worth, of_word.get(number, 0.0))

    def find(self, text: str) -> list[Match]:
        """The commits with words of a question, the best first, then the newest."""
        general = general_terms()
        weights = {
            word: self._rarity(word) * (_GENERAL if word in general else 1.0) for word in unique(terms(text)[:64])
        }
        total = sum(weights.values())
        points: dict[int, float] = {}
        words: dict[int, int] = {}
        for word, weight in weights.items():
            for number, worth in self._found.get(word, {}).items():
                points[number] = points.get(number, 0.0) + weight * worth
                words[number] = words.get(number, 0) + 1
        least = min(_ENOUGH, len(weights))
        best = max((points[number] for number in points if words[number] >= least), default=0.0)
        if not best or not total:
            return []
        order = sorted((number for number in points if words[number] >= least), key=lambda each: (-points[each], each))
        return [Match(self._commits[each], points[each] / best, min(1.0, points[each] / total)) for each in order]

    def _rarity(self, word: str) -> float:
        having = len(self._found.get(word, ()))
        return math.log(1 + (len(self._commits) - having + 0.5) / (having + 0.5))


def _words(commit: Commit) -> Iterator[tuple[str, float]]:
    yield from ((word, _SUBJECT) for word in terms(commit.subject))
    yield from ((word, _BODY) for word in terms(commit.body))
    yield from ((word, _PATHS) for change in commit.changes[:_MOST_PATHS] for word in terms(change.path))
