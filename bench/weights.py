"""Fits the weights of the ranking (`recall/score.py`) to questions with known answers, and shows what they are worth.

LoCoMo's questions (chat) and changelog entries asked of commits (coding text) together. For the figures, each part of
the data is left out in turn: one conversation and one repository at a time. `--write` prints the weights that all of it
gives, to be put into `score.WEIGHTS`. A question's items are compared by softmax: the weights make it likely that one
of its answers comes first, whichever: of several commits that name a bug, most only touch on the matter.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from bench import commits
from bench.figures import Report, Row, Sample, main
from bench.locomo import OWNER, load

from holdfast.program import CATALOG
from holdfast.recall import Item, Query, index, lexical
from holdfast.recall.score import WEIGHTS, look
from holdfast.recall.search import asks_when
from holdfast.store import open_store, sqlite_url
from holdfast.store.interface import Reader

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

NAMES = tuple(WEIGHTS)
EITHER_WAY = frozenset({"asks", "length"})
"""These may count against an item. A word that matches never does, whatever the data say."""
STEPS, RATE, SMALL = 300, 0.15, 0.05
"""Of the descent; `SMALL` is what large weights cost."""
Asked = tuple[str, frozenset[str]]
_PART = re.compile(r"^([a-z][a-z0-9]*/\d+)/.*")
"""An item of a commit → the commit."""


@dataclass(frozen=True, slots=True)
class Seen:
    """One question: what is seen of each candidate, and which of them answer."""

    source: str
    part: str
    answers: frozenset[str]
    ids: tuple[str, ...]
    features: Floats

    def found(self, weights: Floats) -> list[bool]:
        """Of the candidates in their order, each turn once: does it answer?"""
        order = (-(self.features @ weights)).argsort(kind="stable")
        ranking = list(dict.fromkeys(self.ids[at] for at in order))
        return [each in self.answers for each in ranking]


async def seen(source: str, sets: Sequence[tuple[str, Sequence[Item], Sequence[Asked]]]) -> list[Seen]:
    found = []
    with tempfile.TemporaryDirectory() as name:
        store = await open_store(sqlite_url(Path(name) / "bench.db"), CATALOG, backups=Path(name) / "backups")
        try:
            for part, items, asked in sets:
                await store.write(lambda tx, items=items: index(tx, items))  # type: ignore[misc]
                for question, answers in asked:
                    found.append(await store.read(partial(_candidates, source, part, question, answers)))
        finally:
            await store.close()
    return found


def _candidates(source: str, part: str, question: str, answers: frozenset[str], reader: Reader) -> Seen:
    import numpy

    searcher = lexical.Searcher(reader, Query(question, (OWNER,), (part,)))
    lists = searcher.lists()
    rows = searcher.rows(lexical.best(lists.points))
    ids = {int(row["seq"] or 0): _PART.sub(r"\1", str(row["id"])) for row in rows}
    varied, features, _ = look(
        [lexical.as_row(row) for row in rows],
        lists.weights,
        asks_when=asks_when(question),
        pairs=lexical.pairs(question, lists.weights),
    )
    plain = numpy.array(list(features.values())).reshape(-1, len(NAMES))
    both = numpy.hstack([plain * (1 - varied), plain * varied])
    return Seen(source, part, answers, tuple(ids[seq] for seq in features), both)


def fit(some: Sequence[Seen]) -> Floats:
    """The weights by which it is likely that one of a question's answers comes first."""
    import numpy as np

    chosen = [(each.features, np.array([one in each.answers for one in each.ids], float)) for each in some if each.ids]
    chosen = [(features, right) for features, right in chosen if 0 < right.sum() < len(right)]
    features = np.concatenate([each for each, _ in chosen])
    right = np.concatenate([each for _, each in chosen])
    sizes = np.array([len(each) for _, each in chosen])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    spread = features.std(axis=0) + 1e-9
    features /= spread
    free = np.array([name in EITHER_WAY for name in NAMES] * 2)
    weights = momentum = speed = np.zeros(features.shape[1])
    for step in range(1, STEPS + 1):
        points = features @ weights
        likely = np.exp(points - np.repeat(np.maximum.reduceat(points, starts), sizes))
        wanted = likely * right / np.repeat(np.add.reduceat(likely * right, starts), sizes)
        likely /= np.repeat(np.add.reduceat(likely, starts), sizes)
        slope = features.T @ (likely - wanted) / len(sizes) + SMALL * weights
        momentum, speed = 0.9 * momentum + 0.1 * slope, 0.999 * speed + 0.001 * slope**2
        weights = weights - RATE * (momentum / (1 - 0.9**step)) / (np.sqrt(speed / (1 - 0.999**step)) + 1e-8)
        weights = np.where(free, weights, np.maximum(weights, 0.0))
    made: Floats = weights / spread
    return made


def figures(some: Sequence[Seen], weights: Floats) -> tuple[float, float, float]:
    """R@10, MRR, and how many have an answer among the first five, in per cent."""
    ten = mrr = five = 0.0
    for each in some:
        found = each.found(weights)
        ten += sum(found[:10]) / len(each.answers)
        mrr += next((1 / place for place, hit in enumerate(found[:20], 1) if hit), 0.0)
        five += any(found[:5])
    count = max(1, len(some)) / 100
    return ten / count, mrr / count, five / count


def everything(chosen: argparse.Namespace) -> list[Seen]:
    conversations = load(chosen.path)
    talk = [(c.name, c.items, [(q.text, q.evidence) for q in c.questions]) for c in conversations]
    found = asyncio.run(seen("LoCoMo", talk))
    packages = (*commits.PACKAGES, *commits.MORE)
    repositories = [commits.load(chosen.docs, name) for name in commits.there(chosen.docs, packages)]
    for source, whole in (("commits", True), ("commits in parts", False)):
        sets = [
            (each.name, commits.as_items(each, whole=whole), [(entry.text, entry.commits) for entry in each.entries])
            for each in repositories
        ]
        found += asyncio.run(seen(source, sets))
    return found


def measure(chosen: argparse.Namespace) -> Report:
    import numpy as np

    found = everything(chosen)
    sources = list(dict.fromkeys(each.source for each in found))
    now = np.array([WEIGHTS[name][at] for at in (0, 1) for name in NAMES])
    left: dict[str, list[tuple[Sequence[Seen], Floats]]] = {source: [] for source in sources}
    parts = [list(dict.fromkeys(each.part for each in found if each.source == source)) for source in sources]
    for number in range(max(map(len, parts))):
        out = {some[number] for some in parts if number < len(some)}
        weights = fit([each for each in found if each.part not in out])
        for source in sources:
            left[source].append(([e for e in found if e.source == source and e.part in out], weights))
    rows = []
    for source in sources:
        own = [each for each in found if each.source == source]
        fitted = figures(own, now)
        held = np.sum([np.array(figures(some, w)) * len(some) for some, w in left[source]], axis=0) / len(own)
        for name, value, base in zip(("R@10", "MRR", "in the first 5"), held, fitted, strict=True):
            rows.append(Row(f"{source}, left out: {name}", "%", Sample.one(float(value)), Sample.one(base)))
    if chosen.write:
        final = fit(found)
        for at, name in enumerate(NAMES):
            print(f'    "{name}": ({final[at]:.2f}, {final[len(NAMES) + at]:.2f}),')
    notes = [f"{source}: {sum(e.source == source for e in found):,} questions." for source in sources]
    return Report("Weights of the ranking", "MEM-29", "the weights of score.WEIGHTS, fitted on all of it", rows, notes)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", type=Path, help="LoCoMo's JSON file")
    parser.add_argument("--docs", type=Path, default=Path("/usr/share/doc"), help="where Debian keeps changelogs")
    parser.add_argument("--write", action="store_true", help="also print the weights that all data gives")


if __name__ == "__main__":
    main(measure, __doc__ or "", "python -m bench.weights locomo10.json --write", arguments)
