"""Groups texts about the same thing. Pure.

Each text joins the group whose middle is nearest to it, or begins one; groups whose middles are alike become one; then
every text is put where it is nearest. A group of fewer than three, or one whose members are too far from its middle, is
no group: noise is left alone. (Chosen by measurement, `python -m bench.clusters`: what joins neighbours to neighbours
makes one group of all that share words with something.)

Groups are looked for through a text's heaviest terms, so the work grows with the number of texts, not with its square.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import fmean, pstdev

from holdfast.rooms.learning.values.vectors import Vector, centroid, distance

ALIKE = 0.3
"""How near the middle of its group a text is, at least."""
FEW, _ALIKE_OF_FEW = 100, 0.36
"""The same for fewer texts: among few, a word that all of them have does not look common yet."""
_SAME = 0.4
"""Groups whose middles are so alike are one."""
_SHARED = 2
"""Terms that a text has in common with the middle of its group, at least: one word is no matter."""
_HEAVY = 8
"""Terms of a text through which groups are looked for, the heaviest."""
_MOST_LOOKED_AT = 60
"""Groups that a text is compared with, those that share the most of these terms."""
_ROUNDS = 2
_WIDEST = 0.75
"""The greatest mean distance of members to the middle."""
LEAST = 3


@dataclass(frozen=True, slots=True)
class Group:
    """Texts about the same thing, by their numbers, and how far each is from the middle."""

    members: tuple[int, ...]
    centre: dict[str, float]
    distances: tuple[float, ...]

    @property
    def mean(self) -> float:
        return fmean(self.distances)

    @property
    def deviation(self) -> float:
        return pstdev(self.distances)


@dataclass(slots=True)
class _Heap:
    """A group that grows: the sum of its members."""

    members: list[int] = field(default_factory=list)
    sums: dict[str, float] = field(default_factory=dict)
    length: float = 0.0

    def add(self, number: int, vector: Vector) -> None:
        self.members.append(number)
        for term, value in vector.items():
            self.sums[term] = self.sums.get(term, 0.0) + value
        self.length = math.sqrt(sum(value * value for value in self.sums.values()))

    def take(self, other: _Heap) -> None:
        self.members += other.members
        for term, value in other.sums.items():
            self.sums[term] = self.sums.get(term, 0.0) + value
        self.length = math.sqrt(sum(value * value for value in self.sums.values()))

    def likeness(self, vector: Vector) -> float:
        """How near a text is to the middle; 0 when they share too few terms."""
        shared = [term for term in vector if term in self.sums]
        if len(shared) < _SHARED or not self.length:
            return 0.0
        return sum(vector[term] * self.sums[term] for term in shared) / self.length


class _Heaps:
    """The groups by the terms of their members."""

    def __init__(self, having: dict[str, int], alike: float) -> None:
        self._having = having
        self._alike = alike
        self.heaps: list[_Heap] = []
        self._at: dict[str, dict[int, None]] = defaultdict(dict)

    def near(self, vector: Vector) -> Iterable[int]:
        """The groups worth a comparison: those that have the heaviest terms of this text. A term of one text only leads
        nowhere."""
        shared: dict[int, float] = defaultdict(float)
        known = (each for each in vector.items() if self._having[each[0]] > 1)
        for term, weight in sorted(known, key=lambda each: (-each[1], each[0]))[:_HEAVY]:
            for at in self._at[term]:
                shared[at] += weight
        return sorted(shared, key=lambda at: (-shared[at], at))[:_MOST_LOOKED_AT]

    def best(self, vector: Vector) -> int:
        """The group whose middle is nearest, if it is near enough; else -1."""
        found = max(((self.heaps[at].likeness(vector), -at) for at in self.near(vector)), default=(0.0, 1))
        return -found[1] if found[0] >= self._alike else -1

    def put(self, number: int, vector: Vector, at: int) -> None:
        if at < 0:
            at = len(self.heaps)
            self.heaps.append(_Heap())
        self.heaps[at].add(number, vector)
        for term in vector:
            self._at[term][at] = None

    def join(self, heap: _Heap, middle: Vector, at: int) -> None:
        """Put a whole group to another one, or beside the others."""
        if at < 0:
            at = len(self.heaps)
            self.heaps.append(_Heap())
        self.heaps[at].take(heap)
        for term in middle:
            self._at[term][at] = None


def grouped(vectors: Sequence[Vector]) -> list[Group]:
    """The groups of some texts, the largest first."""
    having: dict[str, int] = defaultdict(int)
    for each in vectors:
        for term in each:
            having[term] += 1
    alike = ALIKE if len(vectors) >= FEW else _ALIKE_OF_FEW
    heaps = _Heaps(having, alike)
    for number, each in enumerate(vectors):
        if each:
            heaps.put(number, each, heaps.best(each))
    found_heaps = heaps.heaps
    for _ in range(_ROUNDS):
        found_heaps = _placed(vectors, _merged(found_heaps, having), having, alike)
    members = [heap.members for heap in found_heaps]
    found = [_group(vectors, each) for each in members if len(each) >= LEAST]
    return sorted((each for each in found if each.mean <= _WIDEST), key=lambda each: (-len(each.members), each.members))


def _merged(heaps: Sequence[_Heap], having: dict[str, int]) -> list[_Heap]:
    """Groups whose middles are alike as one, the largest first."""
    made = _Heaps(having, _SAME)
    for heap in sorted(heaps, key=lambda heap: (-len(heap.members), heap.members)):
        middle = {term: value / heap.length for term, value in heap.sums.items()}
        made.join(heap, middle, made.best(middle))
    return made.heaps


def _placed(vectors: Sequence[Vector], heaps: Sequence[_Heap], having: dict[str, int], alike: float) -> list[_Heap]:
    """Every text at the middle that is nearest to it. Groups of two and less are given up: they find another place."""
    middles = _Heaps(having, alike)
    for heap in heaps:
        if len(heap.members) >= LEAST:
            middles.join(heap, heap.sums, -1)
    placed = [_Heap() for _ in middles.heaps]
    for number, each in enumerate(vectors):
        at = middles.best(each) if each else -1
        if at >= 0:
            placed[at].add(number, each)
    return [heap for heap in placed if heap.members]


def _group(vectors: Sequence[Vector], members: Sequence[int]) -> Group:
    centre = centroid([vectors[each] for each in members])
    return Group(tuple(members), centre, tuple(distance(vectors[each], centre) for each in members))


def with_old_ids(groups: Sequence[set[str]], old: dict[str, set[str]]) -> list[str]:
    """An id for each group: that of the old one with which it shares most members, if that is most of either; else ''.
    An old id is given once."""
    pairs = sorted(
        ((len(group & members), number, name) for number, group in enumerate(groups) for name, members in old.items()),
        key=lambda pair: (-pair[0], pair[1], pair[2]),
    )
    named = [""] * len(groups)
    taken: set[str] = set()
    for shared, number, name in pairs:
        smaller = min(len(groups[number]), len(old[name]))
        if shared and not named[number] and name not in taken and 2 * shared >= smaller:
            named[number] = name
            taken.add(name)
    return named
