"""How likely it is that the next session needs a part of a brief, and which parts fit into its tokens. Pure.

A logistic regression of what is seen of a part. `python -m bench.story.weigh` fits it to recorded stories and tells
what it reaches on stories that were left out (docs/decisions/0048-brief-by-value.md).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from holdfast.rooms.memory.injecting.parts import Kind, Part, grouped

WEIGHTS: Mapping[str, float] = {
    "open": 0.0,
    "open.0": 0.91,
    "open.0.since": -0.23,
    "open.1": 1.1,
    "open.2.since": -0.18,
    "open.3": -1.33,
    "open.3.since": -0.65,
    "open.need": -0.34,
    "open.rank": -0.69,
    "open.sentences": 0.84,
    "open.since": -0.46,
    "open.tokens": 0.33,
    "open.unshipped.since": -0.29,
    "open.waits": 0.34,
    "rule": 0.22,
    "rule.newest": 1.37,
    "rule.since": -0.58,
    "work": -0.94,
    "work.branch": -1.03,
    "work.failed": 1.29,
    "work.files": 0.1,
    "work.need": -0.11,
    "work.newest": 0.14,
    "work.rank": -1.13,
    "work.since": -0.88,
    "work.tokens": 0.95,
    "work.worth": 0.38,
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
    spent = 0
    while True:
        best, gain, price = None, 0.0, 0
        for part in left:
            instead = chosen.get(part.of)
            more = values[id(part)] - (values[id(instead)] if instead else 0.0)
            if more <= 0:
                continue
            cost = max(1, _cost(part, chosen, spent))
            if spent + cost <= tokens and more > gain * cost:
                best, gain, price = part, more / cost, cost
        if best is None:
            return [part for part in parts if chosen.get(part.of) is part]
        chosen[best.of] = best
        spent += price


def _cost(part: Part, chosen: Mapping[str, Part], spent: int) -> int:
    told = chosen.values()
    if all(each.item_id != part.item_id for each in told):
        return part.alone + (0 if any(each.kind == part.kind for each in told) else HEADLINES[part.kind])
    return _tokens({**chosen, part.of: part}.values()) - spent


def _tokens(chosen: Iterable[Part]) -> int:
    """What these parts cost in their lines, with the lines above them."""
    lines = grouped(chosen)
    above = {line[0].kind: HEADLINES[line[0].kind] for line in lines}
    return sum(above.values()) + sum(line[0].alone + sum(each.beside for each in line[1:]) for line in lines)
