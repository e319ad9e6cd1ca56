"""Taking over a claude-mem database, in the shapes it has had; read only, and twice is once."""

from __future__ import annotations

import hashlib
import sqlite3
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from holdfast import recall
from holdfast.errors import HoldfastError
from holdfast.rooms.memory.takeover import claude_mem
from holdfast.rooms.memory.takeover.claude_mem import ClaudeMem, DatabaseStep
from holdfast.store.interface import Store
from holdfast.upkeep.forget_selection import ForgetRequest
from tests.contract.kept import OWNER, fill, forgetting
from tests.contract.site import AnyStore, Site
from tests.support.upkeep import Portable

AT = 1_760_000_000_000

OLDER = """
CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY, claude_session_id TEXT, sdk_session_id TEXT, project TEXT,
    user_prompt TEXT, started_at TEXT, started_at_epoch INTEGER, completed_at_epoch INTEGER, status TEXT);
CREATE TABLE observations (id INTEGER PRIMARY KEY, sdk_session_id TEXT, project TEXT, text TEXT, type TEXT,
    created_at TEXT, created_at_epoch INTEGER);
CREATE TABLE session_summaries (id INTEGER PRIMARY KEY, sdk_session_id TEXT, project TEXT, request TEXT,
    investigated TEXT, learned TEXT, completed TEXT, next_steps TEXT, files_edited TEXT, notes TEXT,
    created_at TEXT, created_at_epoch INTEGER);
"""
NEWER = """
CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY, content_session_id TEXT, memory_session_id TEXT, project TEXT,
    platform_source TEXT, started_at TEXT, started_at_epoch INTEGER, status TEXT);
CREATE TABLE user_prompts (id INTEGER PRIMARY KEY, content_session_id TEXT, prompt_number INTEGER, prompt_text TEXT,
    created_at_epoch INTEGER);
CREATE TABLE observations (id INTEGER PRIMARY KEY, memory_session_id TEXT, project TEXT, text TEXT, type TEXT,
    title TEXT, subtitle TEXT, facts TEXT, narrative TEXT, concepts TEXT, files_read TEXT, files_modified TEXT,
    prompt_number INTEGER, discovery_tokens INTEGER, created_at_epoch INTEGER);
CREATE TABLE session_summaries (id INTEGER PRIMARY KEY, memory_session_id TEXT, project TEXT, request TEXT,
    investigated TEXT, learned TEXT, completed TEXT, next_steps TEXT, notes TEXT, prompt_number INTEGER,
    created_at_epoch INTEGER);
"""


def database(path: Path, schema: str, **rows: list[dict[str, Any]]) -> Path:
    with sqlite3.connect(path) as made:
        made.executescript(schema)
        for table, listed in rows.items():
            for row in listed:
                names, marks = ", ".join(row), ", ".join("?" * len(row))
                made.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(row.values()))
    made.close()
    return path


def older(path: Path) -> Path:
    session = {"claude_session_id": "s-old", "sdk_session_id": "m-old", "project": "garden", "started_at_epoch": AT}
    observation = {
        "sdk_session_id": "m-old",
        "project": "garden",
        "text": "The hose leaks at the valve",
        "type": "bugfix",
    }
    summary = {"sdk_session_id": "m-old", "project": "garden", "request": "Mend the hose", "completed": "Mended it"}
    return database(
        path,
        OLDER,
        sdk_sessions=[session],
        observations=[observation | {"created_at_epoch": AT + 1_000}],
        session_summaries=[summary | {"files_edited": "hose.py, valve.py", "created_at_epoch": AT + 2_000}],
    )


def newer(path: Path, count: int = 3) -> Path:
    session = {"content_session_id": "s-new", "memory_session_id": "m-new", "project": "w", "started_at_epoch": AT}
    prompts = [
        {
            "content_session_id": "s-new",
            "prompt_number": n,
            "prompt_text": f"Prune the rose {n}",
            "created_at_epoch": AT + n,
        }
        for n in range(1, count + 1)
    ]
    observations = [
        {
            "memory_session_id": "m-new",
            "project": "w",
            "type": "discovery",
            "title": f"Rose {n} has black spots",
            "narrative": "A fungus, because it was too wet.",
            "facts": '["spores survive the winter"]',
            "files_modified": '["rose.py"]',
            "files_read": None,
            "prompt_number": n,
            "created_at_epoch": AT + n,
        }
        for n in range(1, count + 1)
    ]
    return database(path, NEWER, sdk_sessions=[session], user_prompts=prompts, observations=observations)


async def take(store: Store, path: Path) -> Counter[str]:
    service, records = ClaudeMem(store, OWNER), Portable(store, OWNER, clean=lambda value: value)
    new: Counter[str] = Counter()
    step: dict[str, Any] = {"path": str(path)}
    while True:
        taken = await service.take(DatabaseStep(**step), records)
        told = taken.told["new"]
        assert isinstance(told, dict)
        new.update(told)
        if taken.next is None:
            return +new
        step |= taken.next


async def found(store: Store, question: str) -> list[recall.Hit]:
    asked = recall.Query(question, (OWNER,), limit=50)
    return await store.read(lambda reader: recall.find(reader, asked))


@pytest.mark.requirement("MEM-13")
def test_an_older_database_is_taken_over(site: Site, tmp_path: Path) -> None:
    async def story(store: AnyStore) -> None:
        path = older(tmp_path / "claude-mem.db")
        before = hashlib.sha256(path.read_bytes()).hexdigest()
        new = await take(store, path)
        assert dict(new) == {"project": 1, "worktree": 1, "session": 1, "observation": 1, "summary": 1}
        assert not await take(store, path)
        assert hashlib.sha256(path.read_bytes()).hexdigest() == before
        [hit] = [hit for hit in await found(store, "hose leaks valve") if hit.kind == "edit"]
        row = await store.read(lambda reader: reader.one("memory.observation", id=hit.id))
        assert row is not None
        assert (row["tool"], row["trust"], row["happened_at"]) == ("claude-mem", "agent", (AT + 1_000) * 1_000)
        summaries = await store.read(lambda reader: reader.all("memory.summaries_of", conversation="s-old"))
        assert [(row["done"], row["written_by"], row["files"]) for row in summaries] == [
            ("Mended it", "model", '["hose.py","valve.py"]')
        ]

    site.tell(story)


@pytest.mark.requirement("MEM-13")
def test_a_newer_database_goes_to_the_project_of_its_name(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claude_mem, "PAGE", 50)

    async def story(store: AnyStore) -> None:
        ids = await fill(store)
        path = newer(tmp_path / "claude-mem.db", 70)  # more than one page
        new = await take(store, path)
        assert dict(new) == {"worktree": 1, "session": 1, "prompt": 70, "observation": 70}
        assert not await take(store, path)
        hits = await found(store, "rose fungus spores winter")
        assert {hit.project_id for hit in hits} == {ids["project"]}
        assert hits[0].files == ("rose.py",)

    site.tell(story)


@pytest.mark.requirement("MEM-11")
@pytest.mark.requirement("MEM-13")
def test_a_taken_over_summary_goes_with_what_its_turn_was_made_of(site: Site, tmp_path: Path) -> None:
    """Nobody knows what it tells of; and it does not come back."""
    path = newer(tmp_path / "claude-mem.db")
    told = {"memory_session_id": "m-new", "project": "w", "learned": "Roses rot", "created_at_epoch": AT + 9}
    with sqlite3.connect(path) as made:
        for number in (1, 2):
            values = told | {"request": f"Prune the rose {number}", "prompt_number": number}
            names, marks = ", ".join(values), ", ".join("?" * len(values))
            made.execute(f"INSERT INTO session_summaries ({names}) VALUES ({marks})", tuple(values.values()))
    made.close()

    async def story(store: AnyStore) -> None:
        await fill(store)
        await take(store, path)
        [_, second, _] = await store.read(
            lambda reader: reader.all("memory.prompts_of", conversation="s-new", limit=10)
        )
        await forgetting(store).forget(ForgetRequest(ids=(str(second["id"]),)))
        await take(store, path)
        left = await store.read(lambda reader: reader.all("memory.summaries_of", conversation="s-new"))
        assert [row["request"] for row in left] == ["Prune the rose 1"]

    site.tell(story)


@pytest.mark.requirement("MEM-13")
def test_what_is_no_such_database_is_said_so(tmp_path: Path, site: Site) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("no database\n" * 100)
    empty = database(tmp_path / "empty.db", "CREATE TABLE other (id INTEGER)")

    async def story(store: AnyStore) -> None:
        for path, reason in ((tmp_path / "none.db", "no file"), (text, "not a SQLite"), (empty, "none of claude-mem")):
            with pytest.raises(HoldfastError, match=reason):
                await take(store, path)

    site.tell(story)
