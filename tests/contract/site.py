"""A place for a store, and the words with which the stories are told. The same for both databases."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from holdfast.ids import new_id, now_us
from holdfast.program import CATALOG
from holdfast.store import Catalog, open_store, queries
from holdfast.store.interface import Value
from holdfast.store.lex import StoreKind
from holdfast.store.postgres import PostgresStore
from holdfast.store.sqlite import SqliteStore

T = TypeVar("T")
AnyStore = SqliteStore | PostgresStore


@dataclass(frozen=True, slots=True)
class Site:
    """Where a test's store lives: empty at first, gone afterwards."""

    kind: StoreKind
    url: str
    backups: Path

    @property
    def ending(self) -> str:
        """How the names of its copies end."""
        return "db" if self.kind == "sqlite" else "jsonl"

    @asynccontextmanager
    async def open(self, catalog: Catalog = CATALOG) -> AsyncIterator[AnyStore]:
        store = await open_store(self.url, catalog, backups=self.backups)
        assert isinstance(store, SqliteStore | PostgresStore)
        try:
            yield store
        finally:
            await store.close()

    def tell(self, story: Callable[[AnyStore], Awaitable[T]], catalog: Catalog = CATALOG) -> T:
        """Open the store, run `story`, close it."""

        async def told() -> T:
            async with self.open(catalog) as store:
                return await story(store)

        return asyncio.run(told())


def arrival(key: str, **other: Value) -> dict[str, Value]:
    """One row of the journal."""
    row: dict[str, Value] = {
        "id": new_id(),
        "event_key": key,
        "owner": "me",
        "event": "PostToolUse",
        "conversation": "c1",
        "agent_id": "",
        "session_id": None,
        "project_id": None,
        "worktree_id": None,
        "prompt_id": None,
        "tool_name": "Bash",
        "tool_use_id": f"toolu_{key}",
        "happened_at": now_us(),
        "received_at": now_us(),
        "source": "http",
        "payload": "{}",
        "scrubbed": None,
        "cut_bytes": 0,
    }
    return row | other


async def keep(store: AnyStore, key: str, **other: Value) -> int:
    """Write one arrival; the number of rows that changed."""
    row = arrival(key, **other)
    return await store.write(lambda tx: tx.run("journal.insert", **row))


async def count(store: AnyStore) -> int:
    found = await store.read(lambda view: view.one("journal.count"))
    assert found is not None
    assert isinstance(found["n"], int)
    return found["n"]


def add_query(name: str, text: str, catalog: Catalog = CATALOG) -> None:
    """A query of a test's own, for both databases."""
    kinds: tuple[StoreKind, ...] = ("sqlite", "postgresql")
    for kind in kinds:
        catalog.queries(kind)[name] = queries.translate(name, text, kind)
