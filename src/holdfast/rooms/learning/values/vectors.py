"""Texts as weighted terms, and how far they are from each other. Pure: no model, no numpy.

A term weighs more the fewer texts have it; a vector has length one, so the distance of two is one less their product.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from holdfast.recall.tokens import terms

Vector = Mapping[str, float]
_MOST_TERMS = 60
"""Of one text: the heaviest."""


def weights(texts: Sequence[Sequence[str]]) -> dict[str, float]:
    """What each term is worth, by how many texts have it. One that a single text has can join nothing; it counts half,
    because it tells only that the text is about something else, too."""
    seen = Counter(term for text in texts for term in set(text))
    count = len(texts)
    return {term: math.log(1 + count / number) * (0.5 if number == 1 else 1.0) for term, number in seen.items()}


def vector(found: Sequence[str], worth: Mapping[str, float], unknown: float = 0.0) -> dict[str, float]:
    """A text as a vector of length one; {} when none of its terms is worth anything."""
    counted = Counter(found)
    raw = {term: (1 + math.log(number)) * worth.get(term, unknown) for term, number in counted.items()}
    heavy = sorted((each for each in raw.items() if each[1] > 0), key=lambda each: (-each[1], each[0]))[:_MOST_TERMS]
    length = math.sqrt(sum(value * value for _, value in heavy))
    return {term: value / length for term, value in heavy} if length else {}


def centroid(vectors: Sequence[Vector]) -> dict[str, float]:
    """The middle of some vectors, of length one."""
    sums: dict[str, float] = {}
    for each in vectors:
        for term, value in each.items():
            sums[term] = sums.get(term, 0.0) + value
    heavy = sorted(sums.items(), key=lambda each: (-each[1], each[0]))[:_MOST_TERMS]
    length = math.sqrt(sum(value * value for _, value in heavy))
    return {term: value / length for term, value in heavy} if length else {}


def likeness(one: Vector, other: Vector) -> float:
    if len(one) > len(other):
        one, other = other, one
    return sum(value * other[term] for term, value in one.items() if term in other)


def distance(one: Vector, other: Vector) -> float:
    return 1 - likeness(one, other)


def distance_of_sentence(found: Sequence[str], centre: Vector) -> float:
    """How far a sentence is from the middle of a group, from 0 to 1: compared with the nearest sentence of its length.

    A group's members are longer than a sentence about them, so that the plain distance would measure its length only.
    Words that the group does not know count as much as its middling ones."""
    said = set(found)
    if not said or not centre:
        return 1.0
    strong = sorted(centre.values(), reverse=True)
    unknown = strong[min(len(strong) - 1, 7)]
    known = sum(centre[term] ** 2 for term in said if term in centre)
    length = math.sqrt(known + unknown**2 * sum(term not in centre for term in said))
    best = math.sqrt(sum(value**2 for value in strong[: len(said)]))
    return 1 - min(1.0, known / length / best) if length and best else 1.0


def terms_of(text: str) -> list[str]:
    return terms(text)
