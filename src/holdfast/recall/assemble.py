"""Chooses which hits are injected: drops near-duplicates, keeps one budget, gives what one source leaves over to the
others. Pure.

The room that made an candidate's text decides how it looks; the road decides how it is fenced.
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

    candidates: tuple[Candidate, ...]
    tokens: int
    left_out: Mapping[str, str]


def assemble(
    candidates: Sequence[Candidate],
    max_tokens: int,
    *,
    weights: Mapping[str, float] | None = None,
    most: int | None = None,
    overhead: int = 0,
    beside: Sequence[str] = (),
    count: Callable[[str], int] = count_tokens,
) -> Assembly:
    """The best candidates of each source within one budget, in the order they came.

    Each source has a share by its weight (1 when not named) and may go on while any of it is left; what is then unused
    is offered to the best of the rest. `overhead` is what each candidate costs besides its text. `beside` are texts
    that stand there already: what says the same is left out. Never above `max_tokens`.
    """
    left_out: dict[str, str] = {}
    distinct = _distinct(candidates, beside, left_out)
    cost = {id(candidate): count(candidate.text) + overhead for candidate in distinct}
    shares = _shares(distinct, max_tokens, weights or {})
    taken: list[Candidate] = []
    used = 0
    waiting: list[Candidate] = []
    for candidate in sorted(distinct, key=lambda each: -each.score):
        price = cost[id(candidate)]
        if most is not None and len(taken) >= most:
            left_out[candidate.id] = "cap"
        elif shares[candidate.source] > 0 and used + price <= max_tokens:
            shares[candidate.source] -= price
            used += price
            taken.append(candidate)
        else:
            waiting.append(candidate)
    for candidate in waiting:
        price = cost[id(candidate)]
        if most is not None and len(taken) >= most:
            left_out[candidate.id] = "cap"
        elif used + price <= max_tokens:
            used += price
            taken.append(candidate)
        else:
            left_out[candidate.id] = "budget"
    chosen = {id(candidate) for candidate in taken}
    return Assembly(tuple(candidate for candidate in distinct if id(candidate) in chosen), used, left_out)


def _shares(candidates: Sequence[Candidate], max_tokens: int, weights: Mapping[str, float]) -> dict[str, float]:
    present = {candidate.source: max(0.0, weights.get(candidate.source, 1.0)) for candidate in candidates}
    total = sum(present.values()) or 1.0
    return {source: max_tokens * weight / total for source, weight in present.items()}


def _distinct(candidates: Sequence[Candidate], beside: Sequence[str], left_out: dict[str, str]) -> list[Candidate]:
    """Without texts that say the same as a better one of any source."""
    kept: list[tuple[Candidate | None, frozenset[Hashable]]] = [(None, shingles(text)) for text in beside]
    for candidate in sorted(candidates, key=lambda each: -each.score):
        shape = frozenset([candidate.place]) if candidate.place else shingles(candidate.words or candidate.text)
        if any(alike(shape, other) for _, other in kept):
            left_out[candidate.id] = "alike"
        else:
            kept.append((candidate, shape))
    chosen = {id(candidate) for candidate, _ in kept}
    return [candidate for candidate in candidates if id(candidate) in chosen]


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
