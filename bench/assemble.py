"""How long a context takes to assemble, beside a plain search for the same words (CTX-1).

One project with so many experiences of made-up debugging, five thousand commits and a code index of so many functions.
The composition of the daemon is asked directly: the figures are the work itself, without a socket. A plain search is
what the tool `search` does.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import random
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from bench.figures import Report, Row, Sample, main, quantile

from holdfast.config import Config, Loaded
from holdfast.daemon.compose import Parts, assemble
from holdfast.ids import new_item_id
from holdfast.items.assembling import AssemblyPlace, ContextAssembler
from holdfast.paths import Home
from holdfast.program import CATALOG
from holdfast.rooms.code.service import Code
from holdfast.rooms.commits import tables as commit_tables
from holdfast.rooms.commits.model import Commit, CommitFile
from holdfast.rooms.learning import tables
from holdfast.rooms.learning.model import Ghap
from holdfast.rooms.learning.service import Learning
from holdfast.scrub import default_scrubber
from holdfast.source.index_file import IndexFile
from holdfast.source.listing import look
from holdfast.source.model import CodeUnit, FileContent
from holdfast.store import open_store, sqlite_url
from holdfast.store.interface import Store, Tx

OWNER = "bench"
_PARTS = ("login", "cart", "invoice", "search", "upload", "mailer", "cache", "report", "webhook", "scheduler")
_THINGS = ("cookie", "timeout", "lock", "index", "encoding", "retry", "token", "fixture", "migration", "path")
_DEEDS = ("expires early", "is shared by two tests", "loses its order", "is read twice", "is never closed", "overflows")
_CAUSES = ("wrong-assumption", "test-isolation", "timing-issue", "oversight", "environment-issue")
_COMMITS = 5_000
_IN_FILE = 50
"""Functions of one file."""
_BATCH = 500


def entry(number: int, project_id: str, chance: random.Random, now: int) -> Ghap:
    part, thing, deed = chance.choice(_PARTS), chance.choice(_THINGS), chance.choice(_DEEDS)
    at = now - chance.randrange(1, 200) * 86_400_000_000
    values: dict[str, Any] = {
        "id": new_item_id(at),
        "project_id": project_id,
        "conversation": f"c{number // 3}",
        "goal": f"Repair the {part} when its {thing} {deed}",
        "hypothesis": f"The {thing} of the {part} {deed}",
        "action": f"Look at {part}_{thing}.py number {number}",
        "prediction": f"test passes: test_{part}",
        "domain": "debugging",
        "strategy": "check-assumptions",
        "status": chance.choice(("confirmed", "falsified")),
        "tier": "gold",
        "root_cause": chance.choice(_CAUSES),
        "lesson": f"When the {part} fails, look whether its {thing} {deed} before case {number}",
        "trust": "agent",
        "created_at": at,
        "updated_at": at,
        "resolved_at": at,
    }
    empty: dict[str, Any] = dict.fromkeys(Ghap.__struct_fields__, "")
    numbers = dict.fromkeys(("iterations", "auto_captured", "left_at"), 0)
    return Ghap(**(empty | numbers | {"history": "[]"} | values))


def commit(number: int, chance: random.Random, now: int) -> Commit:
    part, thing = chance.choice(_PARTS), chance.choice(_THINGS)
    changes = tuple(CommitFile(f"src/{part}_{chance.choice(_THINGS)}.py", 5, 2) for _ in range(3))
    subject = f"Repair the {thing} of the {part}, step {number}"
    return Commit(
        hashlib.sha1(subject.encode()).hexdigest(), "Ada", now - number * 3_600_000_000, subject, "", changes, 3
    )


async def filled(store: Store, learning: Learning, project_id: str, count: int, now: int) -> None:
    chance = random.Random(11)
    for first in range(0, count, _BATCH):
        entries = [entry(each, project_id, chance, now) for each in range(first, min(count, first + _BATCH))]

        def write(tx: Tx, entries: list[Ghap] = entries) -> None:
            for each in entries:
                tables.write(tx, each, OWNER)
                learning.index.put(tx, each, OWNER)

        await store.write(write)
    commits = [commit(each, chance, now) for each in range(_COMMITS)]
    await store.write(lambda tx: commit_tables.add(tx, project_id, commits, OWNER))


def indexed(index: IndexFile, root: Path, count: int, now: int) -> None:
    """Files with made-up functions, and the index of them as the parser would have written it."""
    chance = random.Random(7)
    index.begin()
    tree = index.tree(str(root))
    for number in range(0, count, _IN_FILE):
        path = root / f"src/{chance.choice(_PARTS)}_{number}.py"
        path.parent.mkdir(exist_ok=True)
        units = []
        for each in range(_IN_FILE):
            part, thing = chance.choice(_PARTS), chance.choice(_THINGS)
            name = f"{chance.choice(('load', 'check', 'close', 'repair'))}_{part}_{thing}_{number + each}"
            body = f"def {name}(request):\n    return {thing}_of({part}, request)\n"
            units.append(CodeUnit("function", name, "", 2 * each + 1, 2 * each + 2, "", body, (f"{thing}_of",)))
        path.write_text("".join(unit.body for unit in units))
        content = index.add_content(str(number).encode(), "python", FileContent("python", tuple(units)))
        listed = look(str(root), str(path.relative_to(root)))
        assert listed is not None
        index.put_file(tree, listed, content)
    index.note_whole(tree, now)
    index.commit()
    index.close()


async def timed(ask: Callable[[str], Awaitable[object]], queries: list[str]) -> tuple[list[float], float]:
    """How long each took, in milliseconds, and the processor time of all of them, in seconds."""
    took, began = [], time.process_time()
    for query in queries:
        before = time.perf_counter()
        await ask(query)
        took.append(1e3 * (time.perf_counter() - before))
    return sorted(took), time.process_time() - began


async def run(folder: Path, count: int, functions: int, rounds: int) -> list[Row]:
    store = await open_store(sqlite_url(folder / "holdfast.db"), CATALOG, backups=folder)
    try:
        made = assemble(Home(folder), Loaded(Config()), default_scrubber(), store, Parts(owner=OWNER))
        items, assembler = made.items, made.services.get(ContextAssembler)
        project_id = await items.project_at(str(folder))
        await filled(store, made.services.get(Learning), project_id, count, made.now())
        code = made.services.get(Code).index_of(str(folder))
        indexed(IndexFile(code, writes=True), folder, functions, made.now())
        chance = random.Random(5)
        queries = [
            f"the {chance.choice(_PARTS)} fails because its {chance.choice(_THINGS)} {chance.choice(_DEEDS)}"
            for _ in range(rounds)
        ]
        spot = AssemblyPlace(OWNER, project_id, str(folder))

        async def context(query: str) -> None:
            await assembler.assemble(query, spot, limit=20, max_tokens=2_000)

        async def search(query: str) -> None:
            await items.search(query, project=project_id, limit=20)

        await context(queries[0])  # the words of the commits are read once
        ours, spent = await timed(context, queries)
        base, base_spent = await timed(search, queries)
        rows = []
        for share, limit in ((0.5, 50.0), (0.99, 100.0)):
            name = f"assemble_context, p{round(100 * share)}"
            rows.append(Row(name, "ms", Sample.one(quantile(ours, share)), Sample.one(quantile(base, share)), limit))
        used = Sample.one(1e3 * spent / len(queries))
        return [
            *rows,
            Row("processor time of one, every thread", "ms", used, Sample.one(1e3 * base_spent / len(queries))),
        ]
    finally:
        await store.close()


def measure(chosen: argparse.Namespace) -> Report:
    count = 1_000 if chosen.quick else int(chosen.experiences)
    with tempfile.TemporaryDirectory() as folder:
        functions = 2_000 if chosen.quick else int(chosen.functions)
        rows = asyncio.run(run(Path(folder).resolve(), count, functions, 30 if chosen.quick else int(chosen.rounds)))
    held = f"One project with {count:,} experiences, {_COMMITS:,} commits and {functions:,} functions."
    return Report("Assembling a context", "CTX-1", "a plain search for the same words in the same run", rows, [held])


if __name__ == "__main__":
    main(
        measure, __doc__ or "", "python -m bench.assemble",
        experiences=(10_000, "experiences"), functions=(100_000, "functions"), rounds=(200, "queries"),
    )  # fmt: skip
