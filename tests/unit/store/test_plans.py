"""How SQLite finds what a query asks for: by the shortest index, even if its statistics are of an empty journal."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from pathlib import Path

import pytest

from holdfast.program import CATALOG
from holdfast.store import open_store, sqlite_url

NARROW = re.compile(r"(?<!OR )(?<!OR journal\.)\b(?:conversation = :conversation|tool_use_id = :tool_use_id)")


@pytest.mark.requirement("PRF-1")
def test_a_conversation_is_never_looked_for_among_all_events(tmp_path: Path) -> None:
    path = tmp_path / "holdfast.db"

    async def make() -> None:
        await (await open_store(sqlite_url(path), CATALOG, backups=tmp_path / "backups")).close()

    asyncio.run(make())
    database = sqlite3.connect(path)
    columns = [row[1] for row in database.execute("PRAGMA table_info(journal)") if row[3]]
    for number in range(20):
        values = [f"{name}{number}" for name in columns]
        database.execute(f"INSERT INTO journal ({', '.join(columns)}) VALUES ({', '.join('?' * len(values))})", values)
    database.execute("ANALYZE")
    narrow = {
        name: query
        for name, query in CATALOG.queries("sqlite").items()
        if "FROM journal" in query.text and NARROW.search(query.text)
    }
    assert {"journal.has_tool_use", "journal.has_prompt", "memory.last_words"} <= narrow.keys()
    for name, query in narrow.items():
        plan = database.execute(f"EXPLAIN QUERY PLAN {query.text}", dict.fromkeys(query.params, "x")).fetchall()
        steps = [step for *_, step in plan if " journal" in step]
        assert steps, name
        assert not [step for step in steps if step.startswith("SCAN") or "journal_event" in step], f"{name}: {steps}"
