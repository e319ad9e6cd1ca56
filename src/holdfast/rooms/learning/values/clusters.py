"""Groups texts that tell of the same. Pure.

Texts are neighbours when they are alike enough; neighbours are found through the terms that few texts have, so the work
grows with the number of neighbours and not with its square. A group begins with texts that have several neighbours
(DBSCAN); a group whose members are too far from its middle is no group. Noise is left alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev

from holdfast.rooms.learning.values.vectors import Vector, centroid, distance, likeness

ALIKE = 0.3
"""How alike neighbours are, at least."""
FEW = 20
"""Below so many texts two neighbours are enough for a group of three."""
_COMMON = 0.3
"""Terms that more than this share of many texts have lead to no neighbours."""
_MOST_LOOKED_AT = 3_000
"""Texts that are looked at through the terms of one, the rarest first. The rest would find the same ones again."""
_MOST_NEIGHBOURS = 60
_WIDEST = 0.75
"""The greatest mean distance of members to the middle."""


@dataclass(frozen=True, slots=True)
class Group:
    """Texts that tell of the same, by their numbers, and how far each is from the middle."""

    members: tuple[int, ...]
    centre: dict[str, float]
    distances: tuple[float, ...]

    @property
    def mean(self) -> float:
        return fmean(self.distances)

    @property
    def deviation(self) -> float:
        return pstdev(self.distances)


def grouped(vectors: Sequence[Vector], alike: float = ALIKE) -> list[Group]:
    """The groups of some texts, the largest first."""
    near = neighbours(vectors, alike)
    needed = 2 if len(vectors) < FEW else 3
    cores = {number for number, others in enumerate(near) if len(others) >= needed}
    group_of: dict[int, int] = {}
    for seed in range(len(vectors)):
        if seed not in cores or seed in group_of:
            continue
        group_of[seed] = seed
        waiting = [seed]
        while waiting:
            for other in near[waiting.pop()]:
                if other in group_of:
                    continue
                group_of[other] = seed
                if other in cores:
                    waiting.append(other)
    members: dict[int, list[int]] = defaultdict(list)
    for number, seed in sorted(group_of.items()):
        members[seed].append(number)
    found = [_group(vectors, each) for each in members.values() if len(each) >= 3]
    return sorted((each for each in found if each.mean <= _WIDEST), key=lambda each: (-len(each.members), each.members))


def _group(vectors: Sequence[Vector], members: Sequence[int]) -> Group:
    centre = centroid([vectors[each] for each in members])
    return Group(tuple(members), centre, tuple(distance(vectors[each], centre) for each in members))


def neighbours(vectors: Sequence[Vector], alike: float) -> list[list[int]]:
    """For each text the others that are alike enough, the nearest first."""
    having: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for number, each in enumerate(vectors):
        for term, value in each.items():
            having[term].append((number, value))
    most = max(_MOST_NEIGHBOURS * 4, int(_COMMON * len(vectors)))
    near: list[list[int]] = []
    for number, each in enumerate(vectors):
        score: dict[int, float] = defaultdict(float)
        shared: dict[int, int] = defaultdict(int)
        left = _MOST_LOOKED_AT
        for term in sorted(each, key=lambda term: (len(having[term]), term)):
            there = having[term]
            left -= len(there)
            if len(there) > most or left < 0:
                break  # the others are more common still
            for other, its in there:
                score[other] += each[term] * its
                shared[other] += 1
        score.pop(number, None)
        if left < 0:  # some terms are not counted: the best so far are compared whole
            best = sorted((-value, other) for other, value in score.items())[: 2 * _MOST_NEIGHBOURS]
            score = {other: likeness(each, vectors[other]) for _, other in best}
            shared = dict.fromkeys(score, 2)
        found = sorted((-value, other) for other, value in score.items() if value >= alike and shared[other] > 1)
        near.append([other for _, other in found[:_MOST_NEIGHBOURS]])
    return near


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
