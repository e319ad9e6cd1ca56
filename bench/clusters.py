"""How well experiences are grouped: the algorithm of the product beside others that need neither numpy nor a model.

    python -m bench.clusters [--largest 10000]

Pairs of experiences that share a theme should share a group (recall), and pairs in a group should share a theme
(precision); noise should be in none. Ids are stable when a group keeps its id after a tenth more was added. All use the
same vectors. Processor time of one grouping.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

from bench.experiences import Told, experiences
from bench.figures import Report, Row, Sample, main

from holdfast.rooms.learning.values.clusters import ALIKE, grouped, with_old_ids
from holdfast.rooms.learning.values.vectors import Vector, centroid, likeness, terms_of, vector, weights

Groups = list[set[int]]
_FEW, _COMMON, _MOST_LOOKED_AT, _MOST_NEIGHBOURS = 20, 0.3, 3_000, 60
_LEAST_PRECISION, _LEAST_RECALL, _MOST_NOISE = 0.95, 0.6, 0.05


def vectors_of(told: Sequence[Told]) -> list[Vector]:
    found = [terms_of(each.text) for each in told]
    worth = weights(found)
    return [vector(each, worth) for each in found]


def product(vectors: Sequence[Vector]) -> Groups:
    return [set(group.members) for group in grouped(vectors)]


def dbscan(vectors: Sequence[Vector]) -> Groups:
    """Groups begin with texts that have several neighbours; neighbours of those belong to them."""
    near = neighbours(vectors, ALIKE)
    cores = {number for number, others in enumerate(near) if len(others) >= (2 if len(vectors) < _FEW else 3)}
    group_of: dict[int, int] = {}
    for seed in range(len(vectors)):
        if seed not in cores or seed in group_of:
            continue
        group_of[seed] = seed
        waiting = [seed]
        while waiting:
            for other in near[waiting.pop()]:
                if other not in group_of:
                    group_of[other] = seed
                    if other in cores:
                        waiting.append(other)
    return _by_group(group_of)


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


def single_link(vectors: Sequence[Vector]) -> Groups:
    """Whatever is connected by neighbours."""
    near = neighbours(vectors, ALIKE)
    group_of: dict[int, int] = {}
    for seed in range(len(vectors)):
        waiting = [seed] if seed not in group_of else []
        while waiting:
            number = waiting.pop()
            if number not in group_of:
                group_of[number] = seed
                waiting += near[number]
    return _by_group(group_of)


def leader(vectors: Sequence[Vector]) -> Groups:
    """Each joins the first group whose middle is near enough, else begins one."""
    middles: list[dict[str, float]] = []
    members: list[set[int]] = []
    having: dict[str, set[int]] = defaultdict(set)
    for number, each in enumerate(vectors):
        rare = sorted(each, key=lambda term: (len(having[term]), term))[:6]
        best = max(
            ((likeness(each, middles[at]), at) for at in {at for term in rare for at in having[term]}),
            default=(0.0, -1),
        )
        at = best[1]
        if best[0] < ALIKE:
            at = len(members)
            members.append(set())
            middles.append({})
        members[at].add(number)
        middles[at] = centroid([vectors[other] for other in sorted(members[at])[-12:]])
        for term in each:
            having[term].add(at)
    return [each for each in members if len(each) >= 3]


def _by_group(group_of: dict[int, int]) -> Groups:
    groups: dict[int, set[int]] = defaultdict(set)
    for number, group in group_of.items():
        groups[group].add(number)
    return [each for each in groups.values() if len(each) >= 3]


WAYS: dict[str, Callable[[Sequence[Vector]], Groups]] = {
    "product": product,
    "DBSCAN": dbscan,
    "single link": single_link,
    "leader": leader,
}


def judged(told: Sequence[Told], groups: Groups) -> tuple[float, float, float]:
    """(precision, recall) of pairs, and the share of noise that is in a group."""
    sizes = Counter(each.theme for each in told if each.theme >= 0)
    wanted = sum(size * (size - 1) // 2 for size in sizes.values())
    together = right = noisy = 0
    for group in groups:
        themes = Counter(told[number].theme for number in group)
        together += len(group) * (len(group) - 1) // 2
        right += sum(size * (size - 1) // 2 for theme, size in themes.items() if theme >= 0)
        noisy += themes[-1]
    noise = sum(each.theme < 0 for each in told)
    return (right / together if together else 1.0, right / wanted if wanted else 1.0, noisy / noise if noise else 0.0)


def kept_ids(told: Sequence[Told], way: Callable[[Sequence[Vector]], Groups]) -> float:
    """The share of groups of the first ten elevenths that keep their id when the rest is added."""
    before = len(told) * 10 // 11
    old = {str(name): {str(each) for each in group} for name, group in enumerate(way(vectors_of(told[:before])))}
    new = [{str(each) for each in group} for group in way(vectors_of(told))]
    return len(set(with_old_ids(new, old)) - {""}) / len(old) if old else 1.0


def measure(chosen: argparse.Namespace) -> Report:
    rows: list[Row] = []
    sizes = [size for size in (5, 20, 200, 2_000, 10_000) if size <= (200 if chosen.quick else int(chosen.largest))]
    for size in sizes:
        rounds = 5 if size <= 200 else 1
        sets = [experiences(size, seed=str(number)) for number in range(rounds)]
        for name, way in WAYS.items():
            found, took, kept = [], [], []
            for told in sets:
                vectors = vectors_of(told)
                began = time.process_time()
                groups = way(vectors)
                took.append(time.process_time() - began)
                found.append(judged(told, groups))
                kept.append(kept_ids(told, way))
            ours = name == "product"
            columns = list(zip(*found, strict=True))
            told_of = (
                ("precision", columns[0], _LEAST_PRECISION, True),
                ("recall", columns[1], _LEAST_RECALL if size >= 200 else 0.4, True),
                ("noise in groups", columns[2], _MOST_NOISE, False),
                ("ids kept", kept, 0.9, True),
            )
            for what, values, limit, at_least in told_of:
                target = limit if ours and size >= 20 else None
                rows.append(
                    Row(f"{size:,}: {name}, {what}", "share", Sample.of(values), None, target, at_least=at_least)
                )
            rows.append(Row(f"{size:,}: {name}, time", "s", Sample.of(took)))
    notes = ["Experiences are written by rule (bench/experiences.py), a quarter of them noise."]
    return Report("Groups of experiences", "LRN-10", "none", rows, notes)


if __name__ == "__main__":
    main(measure, __doc__ or "", "python -m bench.clusters", largest=(10_000, "experiences in the largest set"))
