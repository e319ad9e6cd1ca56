"""How long a prompt's recall takes with ten thousand, a hundred thousand and a million observations (PRF-2).

Made-up coding sessions in twenty projects, one of which has half of everything. Asked of that one, of a small one and
of all, without a model. Also the bytes that an item takes in the store, and the time it takes to index it.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from pathlib import Path

from bench.coding import OWNER, Asked, Sessions
from bench.figures import Report, Row, Sample, main, quantile

from holdfast.recall import Query, index, search
from holdfast.store import Store, open_store, sqlite_url

LIMITS = {100_000: (15.0, 50.0), 1_000_000: (None, 100.0)}
SCOPES = {"the largest project": ("p1-0",), "a small project": ("p1-3",), "all projects": ()}
ROUNDS = 3


async def _fill(store: Store, count: int, asked: list[Asked]) -> float:
    began = time.perf_counter()
    batch = []
    for item in Sessions(1).items(count, asked):
        batch.append(item)
        if len(batch) == 1_000:
            await store.write(lambda tx, items=tuple(batch): index(tx, items))  # type: ignore[misc]
            batch = []
    await store.write(lambda tx: index(tx, batch))
    return time.perf_counter() - began


async def _one(folder: Path, count: int, prompts: int) -> list[Row]:
    path = folder / f"{count}.db"
    store = await open_store(sqlite_url(path), backups=folder / "backups")
    asked: list[Asked] = []
    took = await _fill(store, count, asked)
    await store.close()
    rows = [
        Row(f"{count:,} items: in the store", "bytes per item", Sample.of([path.stat().st_size / count])),
        Row(f"{count:,} items: to index one", "µs", Sample.of([1e6 * took / count])),
    ]
    store = await open_store(sqlite_url(path), backups=folder / "backups")
    try:
        chosen = random.Random(7).sample(asked, min(prompts, len(asked)))
        for scope, projects in SCOPES.items():
            middle, high, busy = [], [], []
            for _ in range(ROUNDS):
                times, work = [], []
                for each in chosen:
                    began, used = time.perf_counter(), time.process_time()
                    await search(store.read, Query(each.prompt, (OWNER,), projects, now=1))
                    times.append(1e3 * (time.perf_counter() - began))
                    work.append(1e3 * (time.process_time() - used))
                times.sort()
                middle.append(quantile(times, 0.5))
                high.append(quantile(times, 0.99))
                busy.append(quantile(sorted(work), 0.99))
            low_limit, high_limit = LIMITS.get(count, (None, None))
            rows.append(Row(f"{count:,} items, {scope}: p50", "ms", Sample.of(middle), limit=low_limit))
            rows.append(Row(f"{count:,} items, {scope}: p99", "ms", Sample.of(high), limit=high_limit))
            rows.append(Row(f"{count:,} items, {scope}: p99 of processor time", "ms", Sample.of(busy)))
    finally:
        await store.close()
    return rows


def measure(chosen: argparse.Namespace) -> Report:
    sizes = [10_000] if chosen.quick else [10_000, 100_000, 1_000_000]
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as name:
        for size in sizes:
            if size <= chosen.most:
                rows += asyncio.run(_one(Path(name), size, 50 if chosen.quick else int(chosen.prompts)))
    note = "processor time is what a search needs; the rest of its time it waits, on a shared machine for others"
    return Report("Recall by words, while a prompt waits", "PRF-2", "none: the targets are absolute", rows, [note])


if __name__ == "__main__":
    main(
        measure,
        __doc__ or "",
        "python -m bench.recall_latency --most 100000",
        most=(1_000_000, "the largest store to make"),
        prompts=(200, "prompts per round"),
    )
