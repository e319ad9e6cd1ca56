"""How much of what a question is about is among the first ten hits: LoCoMo turns as items, four ways in one run.

Compared: plain FTS5 (unicode61, every word, bm25), holdfast without a model, the model's vectors alone, and holdfast
with the model. The last two only with `--model DIR`.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sqlite3
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from bench.figures import Report, Row, Sample, main
from bench.locomo import CATEGORIES, OWNER, Conversation, Question, Tally, load

from holdfast.program import CATALOG
from holdfast.recall import Query, index, search
from holdfast.store import Store, open_store, sqlite_url

WANTED = {"no model": 79.0, "with a model": 83.0}
PAIRS = (("no model", "plain FTS5"), ("with a model", "vectors alone"))
FIGURES = ("R@5", "R@10", "R@20", "MRR", "nDCG@10")
Way = Callable[[Conversation, Question], Awaitable[list[str]]]


def plain(conversations: Sequence[Conversation]) -> Way:
    """What anyone gets from FTS5 in ten lines."""
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE turn USING fts5(id UNINDEXED, project UNINDEXED, text)")
    for each in conversations:
        rows = [(item.id, each.name, item.text) for item in each.items]
        connection.executemany("INSERT INTO turn VALUES (?, ?, ?)", rows)

    async def way(conversation: Conversation, question: Question) -> list[str]:
        match = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", question.text))
        rows = connection.execute(
            "SELECT id FROM turn WHERE turn MATCH ? AND project = ? ORDER BY rank LIMIT 20", (match, conversation.name)
        )
        return [row[0] for row in rows]

    return way


def words_only(store: Store) -> Way:
    async def way(conversation: Conversation, question: Question) -> list[str]:
        hits = await search(store.read, Query(question.text, (OWNER,), (conversation.name,)))
        return [hit.id for hit in hits]

    return way


async def with_model(store: Store, conversations: Sequence[Conversation], folder: Path) -> tuple[Way, Way]:
    """(vectors alone, both together)"""
    from holdfast.recall.dense import Dense
    from holdfast.recall.sentence_models import load as load_model
    from holdfast.recall.vectors import embed_missing

    embedder = load_model(folder)
    dense = Dense(embedder)
    texts = {item.id: item.text for each in conversations for item in each.items}
    numbers: dict[int, str] = {}
    while made := await embed_missing(store, embedder, lambda _, ids: {each: texts[each] for each in ids}, batch=128):
        dense.add(made)
    for each in conversations:
        rows = await store.read(
            lambda reader, name=each.name: reader.all(  # type: ignore[misc]
                "recall.recent", match="", projects=name, kinds="", since=0, until=2**62, conversation="", most=10**6
            )
        )
        seqs = [row["seq"] for row in rows]
        text = ",".join(map(str, seqs))
        found = await store.read(lambda reader, seqs=f"[{text}]": reader.all("recall.rows", seqs=seqs))  # type: ignore[misc]
        numbers |= {int(str(row["seq"])): str(row["id"]) for row in found}

    async def alone(conversation: Conversation, question: Question) -> list[str]:
        nearest = dense.nearest(None, dense.direction(question.text), (OWNER,), (conversation.name,), 20)
        return [numbers[seq] for seq in nearest]

    async def both(conversation: Conversation, question: Question) -> list[str]:
        hits = await search(store.read, Query(question.text, (OWNER,), (conversation.name,)), near=dense)
        return [hit.id for hit in hits]

    return alone, both


def measure(chosen: argparse.Namespace) -> Report:
    found = asyncio.run(_ways(chosen))
    questions = next(iter(found.values()))["all"].count
    rows: list[Row] = []
    for ours, base in PAIRS:
        if ours not in found:
            continue
        for name, tally in found[ours].items():
            own, beside = tally.percent(), found[base][name].percent()
            for figure in FIGURES if name == "all" else ("R@10",):
                limit = WANTED[ours] if (name, figure) == ("all", "R@10") else None
                what = f"{ours}: {figure}" if name == "all" else f"{ours}: {figure}, {name}"
                rows.append(Row(what, "%", Sample.one(own[figure]), Sample.one(beside[figure]), limit, at_least=True))
        took, other = (Sample.one(1e3 * found[way]["all"].took / questions) for way in (ours, base))
        rows.append(Row(f"{ours}: a question", "ms", took, other))
    return Report(
        "Recall of LoCoMo turns",
        "PRF-6",
        "without a model plain FTS5 (unicode61, every word, bm25); with one its vectors alone",
        rows,
        [
            f"{questions:,} questions; the share of a question's evidence that is among the first.",
            "On all ten conversations, all-MiniLM-L6-v2 alone, which most peers run, was measured at R@10 43.",
        ],
    )


async def _ways(chosen: argparse.Namespace) -> dict[str, dict[str, Tally]]:
    conversations = load(chosen.path)
    if chosen.only:
        conversations = [each for each in conversations if each.name in chosen.only.split(",")]
    if chosen.quick:
        conversations = conversations[:1]
    with tempfile.TemporaryDirectory() as name:
        store = await open_store(sqlite_url(Path(name) / "bench.db"), CATALOG, backups=Path(name) / "backups")
        try:
            for each in conversations:
                await store.write(lambda tx, items=each.items: index(tx, items))  # type: ignore[misc]
            ways = {"plain FTS5": plain(conversations), "no model": words_only(store)}
            if chosen.model:
                alone, both = await with_model(store, conversations, chosen.model)
                ways |= {"vectors alone": alone, "with a model": both}
            return {label: await _tally(way, conversations) for label, way in ways.items()}
        finally:
            await store.close()


async def _tally(way: Way, conversations: Sequence[Conversation]) -> dict[str, Tally]:
    tallies = {name: Tally() for name in ("all", *CATEGORIES.values(), *(each.name for each in conversations))}
    for conversation in conversations:
        for question in conversation.questions:
            began = time.perf_counter()
            ranking = await way(conversation, question)
            tallies["all"].took += time.perf_counter() - began
            for name in ("all", CATEGORIES[question.category], conversation.name):
                tallies[name].add(ranking, question.evidence)
    return {name: tally for name, tally in tallies.items() if tally.count}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", type=Path, help="LoCoMo's JSON file")
    parser.add_argument("--model", type=Path, help="a folder with model.onnx and tokenizer.json")
    parser.add_argument("--only", default="", help="these conversations, by sample_id, with commas between")


if __name__ == "__main__":
    main(measure, __doc__ or "", "python -m bench.recall locomo10.json --model arctic-embed-s", arguments)
