"""Chooses which hits are injected: drops near-duplicates, keeps one budget, gives what one source leaves over to the
others. Pure.

The room that made an entry's text decides how it looks; the road decides how it is fenced.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from holdfast.events.tokens import count_tokens
from holdfast.recall.tokens import terms

ALIKE = 0.7
"""Two texts that share this much of their word pairs say the same."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text that may be injected. The candidates of one source come best first."""

    id: str
    source: str
    text: str
    score: float
    words: str = ""
    """Its words alone, by which repeats are known, where the text also holds an id and an age; '': the text."""
    place: str = ""
    """Where it stands, if it is a line of a file: what stands in two places is not the same, however alike it reads."""


@dataclass(frozen=True, slots=True)
class Assembly:
    """What is injected, and what was left out and why: `alike`, `budget` or `cap`."""

    entries: tuple[Candidate, ...]
    tokens: int
    left_out: Mapping[str, str]


def assemble(
    entries: Sequence[Candidate],
    max_tokens: int,
    *,
    weights: Mapping[str, float] | None = None,
    most: int | None = None,
    overhead: int = 0,
    beside: Sequence[str] = (),
    count: Callable[[str], int] = count_tokens,
) -> Assembly:
    """The best entries of each source within one budget, in the order they came.

    Each source has a share by its weight (1 when not named) and may go on while any of it is left; what is then unused
    is offered to the best of the rest. `overhead` is what each entry costs besides its text. `beside` are texts that
    stand there already: what says the same is left out. Never above `max_tokens`.
    """
    left_out: dict[str, str] = {}
    distinct = _distinct(entries, beside, left_out)
    cost = {id(entry): count(entry.text) + overhead for entry in distinct}
    shares = _shares(distinct, max_tokens, weights or {})
    taken: list[Candidate] = []
    used = 0
    waiting: list[Candidate] = []
    for entry in sorted(distinct, key=lambda each: -each.score):
        price = cost[id(entry)]
        if most is not None and len(taken) >= most:
            left_out[entry.id] = "cap"
        elif shares[entry.source] > 0 and used + price <= max_tokens:
            shares[entry.source] -= price
            used += price
            taken.append(entry)
        else:
            waiting.append(entry)
    for entry in waiting:
        price = cost[id(entry)]
        if most is not None and len(taken) >= most:
            left_out[entry.id] = "cap"
        elif used + price <= max_tokens:
            used += price
            taken.append(entry)
        else:
            left_out[entry.id] = "budget"
    chosen = {id(entry) for entry in taken}
    return Assembly(tuple(entry for entry in distinct if id(entry) in chosen), used, left_out)


def _shares(entries: Sequence[Candidate], max_tokens: int, weights: Mapping[str, float]) -> dict[str, float]:
    present = {entry.source: max(0.0, weights.get(entry.source, 1.0)) for entry in entries}
    total = sum(present.values()) or 1.0
    return {source: max_tokens * weight / total for source, weight in present.items()}


def _distinct(entries: Sequence[Candidate], beside: Sequence[str], left_out: dict[str, str]) -> list[Candidate]:
    """Without texts that say the same as a better one of any source."""
    kept: list[tuple[Candidate | None, frozenset[Hashable]]] = [(None, shingles(text)) for text in beside]
    for entry in sorted(entries, key=lambda each: -each.score):
        shape = frozenset([entry.place]) if entry.place else shingles(entry.words or entry.text)
        if any(alike(shape, other) for _, other in kept):
            left_out[entry.id] = "alike"
        else:
            kept.append((entry, shape))
    chosen = {id(entry) for entry, _ in kept}
    return [entry for entry in entries if id(entry) in chosen]


def shingles(text: str) -> frozenset[Hashable]:
    """Pairs of neighbouring terms; of a text without any, the text itself."""
    found = terms(text)
    if len(found) < 2:
        return frozenset([tuple(found) or text.strip()])
    return frozenset(pairwise(found))


def alike(one: frozenset[Hashable], other: frozenset[Hashable]) -> bool:
    """Similar by Jaccard, or one text contains the other whole."""
    common = len(one & other)
    smaller = min(len(one), len(other))
    return common >= ALIKE * len(one | other) or (smaller >= 4 and common >= 0.9 * smaller)
