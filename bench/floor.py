"""The relevance floor: how often something is given for a prompt that fits nothing, and nothing for one that fits.

Unrelated: the questions of one LoCoMo conversation asked of the next one (a hard case: the same small talk about other
people; the hardest with the speakers' names swapped), requests that could be said in any session, work on other
projects. Related: a conversation's own questions, and prompts about made-up coding sessions. `found` counts the related
prompts whose item is among those given. A prompt about made-up sessions is drawn from one item; where others name the
same file or symbol, they are about it, too, and are counted in a row of their own.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bench.coding import AROUND, ELSEWHERE, UNRELATED, Asked, Sessions
from bench.figures import Report, Row, Sample, main
from bench.locomo import OWNER, Conversation, load

from holdfast.program import CATALOG
from holdfast.recall import FLOOR, FLOOR_ASKED, Hit, Item, Query, index, search
from holdfast.recall.intent import read_intent
from holdfast.recall.tokens import names
from holdfast.store import Store, open_store, sqlite_url

if TYPE_CHECKING:
    from holdfast.recall.dense import Dense

SEEDS = (1, 2, 3)
GIVEN = 5
"""Hits that a prompt would be given."""


@dataclass(slots=True)
class Group:
    """Prompts of one kind, each with the project it is asked of, and the hits that it got."""

    name: str
    related: bool
    asked: list[tuple[str, str, frozenset[str]]]
    got: list[list[Hit]]


def groups(
    conversations: Sequence[Conversation], sessions: dict[str, list[Asked]], items: Sequence[Item]
) -> list[Group]:
    own = [(q.text, each.name, q.evidence) for each in conversations for q in each.questions]
    none: frozenset[str] = frozenset()
    other = [
        (question.text, conversations[(number + 1) % len(conversations)].name, none)
        for number, each in enumerate(conversations)
        for question in each.questions[::2]
        if len(conversations) > 1
    ]
    swapped = [
        (swap(question.text, each, conversations[(number + 1) % len(conversations)]), place, none)
        for number, each in enumerate(conversations)
        for question in each.questions[::2]
        if (place := conversations[(number + 1) % len(conversations)].name) != each.name
    ]
    places = [each.name for each in conversations]
    coding = [(asked.prompt, project, asked.about) for project, some in sessions.items() for asked in some]
    naming = named_by(items)
    alike = [(p, place, about.union(*(naming[place, name] for name in names(p)))) for p, place, about in coding]
    return [
        Group("LoCoMo, own conversation", True, own, []),
        Group("coding, own project", True, coding, []),
        Group("coding, own project, or what names the same", True, alike, []),
        Group("LoCoMo, another conversation", False, other, []),
        Group("LoCoMo, another conversation, names swapped", False, swapped, []),
        Group("any session's words, LoCoMo", False, [(p, place, none) for place in places for p in UNRELATED], []),
        Group("any session's words, coding", False, [(p, place, none) for place in sessions for p in UNRELATED], []),
        Group("another project, LoCoMo", False, [(p, place, none) for place in places for p in ELSEWHERE], []),
        Group("another project, coding", False, [(p, place, none) for place in sessions for p in ELSEWHERE], []),
        Group("coding, own project, long", True, [(AROUND.format(p), place, about) for p, place, about in coding], []),
        Group(
            "another project, LoCoMo, long", False, [(AROUND.format(p), a, none) for a in places for p in ELSEWHERE], []
        ),
        Group(
            "another project, coding, long",
            False,
            [(AROUND.format(p), a, none) for a in sessions for p in ELSEWHERE],
            [],
        ),
    ]


def named_by(items: Sequence[Item]) -> dict[tuple[str, str], set[str]]:
    """Which items of a project name a file or a symbol."""
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for item in items:
        for name in names(item.text):
            found[item.project_id, name].add(item.id)
    return found


def swap(question: str, theirs: Conversation, ours: Conversation) -> str:
    """A question about other people, as if it were about those of this conversation."""
    names = [sorted({item.text.partition(":")[0] for item in each.items}) for each in (theirs, ours)]
    for one, other in zip(*names, strict=False):
        question = re.sub(rf"\b{re.escape(one)}\b", other, question)
    return question


def is_asked(prompt: str) -> bool:
    return read_intent(prompt, 0).strength == "asks"


async def _groups(chosen: argparse.Namespace) -> list[Group]:
    conversations = load(chosen.path)
    sessions: dict[str, list[Asked]] = {}
    items: list[Item] = [item for each in conversations for item in each.items]
    for seed in SEEDS:
        asked: list[Asked] = []
        items += Sessions(seed, projects=1, tail_words=4_000, asked_every=20).items(2_000, asked)
        sessions[f"p{seed}-0"] = asked
    with tempfile.TemporaryDirectory() as name:
        store = await open_store(sqlite_url(Path(name) / "bench.db"), CATALOG, backups=Path(name) / "backups")
        try:
            await store.write(lambda tx: index(tx, items))
            near = await _vectors(store, items, chosen.model) if chosen.model else None
            found = groups(conversations, sessions, items)
            for group in found:
                for prompt, project, _ in group.asked:
                    query = Query(prompt, (OWNER,), (project,), limit=GIVEN)
                    group.got.append(await search(store.read, query, near=near))
            return found
        finally:
            await store.close()


async def _vectors(store: Store, items: Sequence[Item], folder: Path) -> Dense:
    from holdfast.recall.dense import Dense
    from holdfast.recall.sentence_models import load as load_model
    from holdfast.recall.vectors import embed_missing

    embedder = load_model(folder)
    dense = Dense(embedder)
    texts = {item.id: item.text for item in items}
    while made := await embed_missing(store, embedder, lambda _, ids: {each: texts[each] for each in ids}, batch=128):
        dense.add(made)
    return dense


def shares(group: Group, floor: float) -> tuple[float, float]:
    """Per cent of the prompts that were given something, and that were given what they are about."""
    given = found = 0
    for (prompt, _, about), hits in zip(group.asked, group.got, strict=True):
        least = min(floor, FLOOR_ASKED) if is_asked(prompt) else floor
        fitting = [hit.id for hit in hits if hit.fit >= least]
        given += bool(fitting)
        found += bool(about & set(fitting))
    return 100 * given / max(1, len(group.asked)), 100 * found / max(1, len(group.asked))


def measure(chosen: argparse.Namespace) -> Report:
    found = asyncio.run(_groups(chosen))
    rows = []
    for group in found:
        given, right = shares(group, FLOOR)
        all_given, all_right = shares(group, 0.0)
        name = f"{group.name} ({len(group.asked)})"
        if group.related:
            rows.append(Row(f"found: {name}", "%", Sample.one(right), Sample.one(all_right)))
        else:
            rows.append(Row(f"false: {name}", "%", Sample.one(given), Sample.one(all_given)))
    notes = [f"floor {FLOOR:g}, {'with' if chosen.model else 'without'} a model; in brackets the number of prompts."]
    for floor in (0.3, 0.4, 0.5, 0.6):
        sums = [shares(group, floor)[group.related] for group in found]
        notes.append(f"floor {floor:g} would give {', '.join(f'{value:.0f}' for value in sums)}.")
    return Report("The relevance floor", "MEM-7", "the same search without a floor", rows, notes)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", type=Path, help="LoCoMo's JSON file")
    parser.add_argument("--model", type=Path, help="a folder with model.onnx and tokenizer.json")


if __name__ == "__main__":
    main(measure, __doc__ or "", "python -m bench.floor locomo10.json", arguments)
