"""How likely it is that the next session needs a part of a brief, and which parts fit into its tokens. Pure.

A logistic regression of what is seen of a part. `python -m bench.story.weigh` fits it to recorded stories and tells
what it reaches on stories that were left out (docs/decisions/0048-brief-by-value.md).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from holdfast.rooms.memory.injecting.parts import Kind, Part, fits_beside

WEIGHTS: Mapping[str, float] = {
    "open": -0.17,
    "open.0": 0.93,
    "open.0.since": -0.23,
    "open.1": 1.09,
    "open.2.since": -0.39,
    "open.3": -1.29,
    "open.3.since": -0.62,
    "open.need": -0.85,
    "open.rank": -0.57,
    "open.sentences": 1.07,
    "open.since": -0.54,
    "open.tokens": 0.3,
    "open.unshipped.since": -0.24,
    "open.waits": 0.38,
    "rule": 0.23,
    "rule.newest": 1.36,
    "rule.since": -0.58,
    "work": -0.93,
    "work.branch": -0.99,
    "work.failed": 1.38,
    "work.files": 0.15,
    "work.need": -0.17,
    "work.newest": 0.09,
    "work.rank": -1.26,
    "work.since": -0.85,
    "work.tokens": 0.88,
    "work.worth": 0.43,
}
LEAST = 0.01
"""What is less likely to be needed is not said, though there is room."""
HEADLINES: Mapping[Kind, int] = {"work": 5, "open": 12, "rule": 11}
"""Tokens of the line above the first part of a kind."""


def value(part: Part) -> float:
    """0 to 1."""
    return 1 / (1 + math.exp(-sum(WEIGHTS.get(name, 0.0) * amount for name, amount in part.seen.items())))


def choose(parts: Sequence[Part], tokens: int) -> list[Part]:
    """The parts that say most for their tokens, in the order given. A part of a session that is told already costs its
    words alone; a longer way to tell the same takes the place of a shorter one where there is room."""
    values = {id(part): value(part) for part in parts}
    left = [part for part in parts if values[id(part)] >= LEAST]
    chosen: dict[str, Part] = {}
    while True:
        best, gain, price = None, 0.0, 0
        for part in left:
            instead = chosen.get(part.of)
            more = values[id(part)] - (values[id(instead)] if instead else 0.0)
            cost = _cost(part, instead, chosen)
            if more > 0 and cost <= tokens and more > gain * max(cost, 1):
                best, gain, price = part, more / max(cost, 1), cost
        if best is None:
            return [part for part in parts if chosen.get(part.of) is part]
        chosen[best.of] = best
        tokens -= price


def _cost(part: Part, instead: Part | None, chosen: Mapping[str, Part]) -> int:
    if instead is not None:
        return part.alone - instead.alone
    told = chosen.values()
    if fits_beside(part, told):
        return part.beside
    return part.alone + (0 if any(each.kind == part.kind for each in told) else HEADLINES[part.kind])
