"""When nothing fits, nothing is given: how surely an item has to do with a question. Pure."""

from __future__ import annotations

from holdfast.recall.score import Words

FLOOR = 0.5


def fit(words: Words, cosine: float | None) -> float:
    return words.coverage
