"""What prompts are given, on projects that were left out when the limits were chosen (recorded coding sessions).

For each of the six projects the limits (the floor, the floor where memory is asked for, how far behind the best an item
may be) are chosen on the five others, and what they give is measured on the one left out. Chosen is what gives most
prompts what they are about, among those that keep the false gifts of the five within their targets.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.figures import Report, Row, Sample, main
from bench.recorded import World
from bench.work import scene
from tests.support.daemon import DaemonHome

from holdfast.ids import ConversationId, new_id, now_us
from holdfast.items.catalogue import Catalogue
from holdfast.items.model import Listener
from holdfast.items.selection import LIMITS, MOST_ASKED_FOR, Asked, Limits, for_prompt
from holdfast.program import CATALOG
from holdfast.recall.intent import read_intent
from holdfast.recall.search import Near
from holdfast.rooms.memory.index import MemoryIndex
from holdfast.rooms.memory.model import FAMILIES
from holdfast.store import open_store, sqlite_url
from holdfast.store.interface import Reader, Store

FLOORS, ASKED_FLOORS, BEHIND, HINT_FLOORS = (0.35, 0.38, 0.4, 0.42), (0.12, 0.2), (0.25, 0.65), (0.2, 0.3)
ELSEWHERE, NEW_WORK = 8.0, 20.0
"""Per cent of the prompts about something else, and about new work, that may be given something."""
TOKENS = 400


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one prompt was given under some limits."""

    project: str
    kind: str
    """`related`, `elsewhere` or `new_work`."""
    lines: int
    right: int


Grid = dict[Limits, list[Outcome]]


def percents(some: Sequence[Outcome]) -> tuple[float, float, float, float]:
    """Given what it is about; given something though about something else, though about new work; lines about it."""

    def share(kind: str, right: bool) -> float:
        chosen = [each for each in some if each.kind == kind]
        return 100 * sum(bool(each.right if right else each.lines) for each in chosen) / max(1, len(chosen))

    lines = [each for each in some if each.kind == "related"]
    about = 100 * sum(each.right for each in lines) / max(1, sum(each.lines for each in lines))
    return share("related", True), share("elsewhere", False), share("new_work", False), about


def best(grid: Grid, without: str = "") -> Limits:
    """The limits that serve all projects but one best."""

    def worth(limits: Limits) -> tuple[float, float]:
        given, elsewhere, new_work, about = percents([each for each in grid[limits] if each.project != without])
        above = max(0.0, elsewhere - ELSEWHERE) + max(0.0, new_work - NEW_WORK)
        return -above, given + about / 2

    return max(grid, key=worth)


async def outcomes(world: World, store: Store, near: Near | None) -> Grid:
    with sqlite3.connect(f"file:{world.home.home.database}?mode=ro", uri=True) as database:
        projects = {
            name: (each, owner) for each, owner, name in database.execute("SELECT id, owner, name FROM project")
        }
    catalogue = Catalogue([(FAMILIES, MemoryIndex())])
    grid: Grid = {Limits(*each): [] for each in itertools.product(FLOORS, ASKED_FLOORS, BEHIND, HINT_FLOORS)}
    for name in scene.names():
        asked = scene.questions(name)
        prompts: list[tuple[str, str, frozenset[str]]] = [
            ("related", each.prompt, each.about) for each in asked.related
        ]
        prompts += [("elsewhere", each, frozenset()) for each in asked.elsewhere]
        prompts += [("new_work", each, frozenset()) for each in asked.new_work]
        project_id, owner = projects[name]
        for kind, prompt, about in prompts:
            direction = await asyncio.to_thread(near.direction, prompt) if near else None

            def ask(
                reader: Reader,
                prompt: str = prompt,
                direction: Any = direction,
                who: Listener = Listener(ConversationId(new_id())),  # noqa: B008
                place: tuple[str, str] = (project_id, owner),
            ) -> dict[Limits, list[str]]:
                strength = read_intent(prompt, now_us()).strength
                found: dict[Limits, list[str]] = {}
                known: dict[tuple[float, float], list[str]] = {}
                for limits in grid:
                    # Of the floors only one counts.
                    key = (limits.floor_for(strength), limits.behind)
                    if key in known:
                        found[limits] = known[key]
                        continue
                    this = Asked(
                        prompt, place[1], place[0], who, now_us(), near=near, direction=direction, limits=limits
                    )  # fmt: skip
                    given = for_prompt(reader, catalogue, this, TOKENS, MOST_ASKED_FOR)
                    found[limits] = known[key] = [each.text[1 : each.text.index("]")] for each in given]
                return found

            for limits, shown in (await store.read(ask)).items():
                kept = [world.items[each] for each in shown if each in world.items]
                right = sum(bool(each.turns & about) and each.project == name for each in kept)
                grid[limits].append(Outcome(name, kind, len(shown), right))
    return grid


async def _grid(world: World, model: Path | None) -> Grid:
    store = await open_store(sqlite_url(world.home.home.database), CATALOG, backups=world.home.home.backups)
    try:
        near = None
        if model:
            from holdfast.recall.dense import Dense
            from holdfast.recall.sentence_models import load

            near = Dense(load(model))
            await near.load(store)
        return await outcomes(world, store, near)
    finally:
        await store.close()


def measure(chosen: argparse.Namespace) -> Report:
    rows: list[Row] = []
    notes = []
    names = ("given what it is about", "given something, though about something else",
             "given something, though about new work", "lines that are about it")  # fmt: skip
    for label, model in {"no model": None, **({"with a model": chosen.model} if chosen.model else {})}.items():
        home = DaemonHome()
        try:
            grid = asyncio.run(_grid(World(home, model), model))
        finally:
            home.remove()
        left = [(name, best(grid, name)) for name in scene.names()]
        held = percents([each for name, limits in left for each in grid[limits] if each.project == name])
        now = percents(grid[LIMITS]) if LIMITS in grid else (0.0,) * 4
        for name, value, base in zip(names, held, now, strict=True):
            rows.append(Row(f"{label}: {name}", "%", Sample.one(value), Sample.one(base)))
        notes += [f"{label}, {name} left out: {limits}: {_said(grid, limits, name)}." for name, limits in left]
        notes.append(f"{label}, chosen on all: {best(grid)}.")
    notes.append(
        "Wanted on what is left out: at least 65 % (with a model 75 %), at most 8 %, at most 20 %, at least 65 %. New "
        "work is what binds: the same words, another intent. What was tried is in docs/decisions/0022-ranking.md."
    )
    return Report(
        "Recorded sessions, left out", "MEM-29", "the limits that holdfast uses, on the same data", rows, notes
    )


def _said(grid: Grid, limits: Limits, name: str) -> str:
    return ", ".join(f"{value:.0f}" for value in percents([each for each in grid[limits] if each.project == name]))


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", type=Path, help="a folder with model.onnx and tokenizer.json")


if __name__ == "__main__":
    main(measure, __doc__ or "", "python -m bench.left_out --model arctic-embed-s", arguments)
