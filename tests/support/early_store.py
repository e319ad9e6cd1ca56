"""A store as the first versions left it: the tables of migrations 1 to 3, and a journal that nobody read."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

from holdfast.events.parse import parse
from holdfast.events.scene import Place
from holdfast.ids import EntryId, WindowId, new_id
from holdfast.program import CATALOG
from holdfast.road.journal import Arrival, event_key, journal_text, row
from holdfast.store import Catalog, open_store
from holdfast.store.interface import Store, Tx, Value
from tests.contract.site import AnyStore, Site, add_query

_OPEN = """
INSERT INTO session (id, owner, conversation, agent_id, window_number, project_id, worktree_id, began_by, started_at,
                     last_event_at)
VALUES (:id, :owner, :conversation, :agent_id, 1, :project_id, :worktree_id, '', :at, :at)
"""


def catalog_of(last: int) -> Catalog:
    """The migrations up to this number. Declarations of later tables do not fit such a store, so there are none."""
    catalog = Catalog(*CATALOG.sources)
    catalog.migrations = catalog.migrations[:last]
    catalog.tables.clear()
    return catalog


def early_catalog() -> Catalog:
    """The migrations 1 to 3."""
    catalog = catalog_of(3)
    add_query("test.early_session", _OPEN, catalog)
    return catalog


@asynccontextmanager
async def early_store(site: Site) -> AsyncIterator[Store]:
    """A store of that time, open."""
    async with site.open(early_catalog()) as store:
        yield store


async def journal(store: Store | AnyStore, told: Iterable[tuple[int, dict[str, Any]]], owner: str = "me") -> int:
    """Journal payloads as the road of that time did, each at its moment; how many."""
    project, worktree = new_id(), new_id()
    windows: dict[tuple[str, str], str] = {}
    count = itertools.count()

    def write(tx: Tx, part: list[tuple[int, dict[str, Any]]]) -> None:
        tx.run("session.project_add", id=project, owner=owner, place="/p", name="p", created_at=1)
        tx.run("session.worktree_add", id=worktree, project_id=project, path="/p", created_at=1)
        for at, payload in part:
            event = parse(payload)
            key = (event.session_id, event.agent_id or "")
            if key not in windows:
                windows[key] = new_id(at)
                about: dict[str, Value] = {
                    "id": windows[key],
                    "owner": owner,
                    "project_id": project,
                    "worktree_id": worktree,
                    "at": at,
                }
                tx.run("test.early_session", conversation=key[0], agent_id=key[1], **about)
            entry_id = new_id(at)
            place = Place(project, "p", worktree, "/p", WindowId(windows[key]), 1)
            text, cut = journal_text(event.hook_event_name, payload)
            arrival = Arrival(EntryId(entry_id), at, at, "http")
            tx.run("journal.insert", **row(arrival, event, event_key(event, entry_id), place, owner, text, (), cut))
            next(count)

    listed = list(told)
    for start in range(0, len(listed), 500):
        part = listed[start : start + 500]
        await store.write(lambda tx, part=part: write(tx, part))  # type: ignore[misc]
    return next(count)


async def make_early(url: str, backups: Any, told: Iterable[tuple[int, dict[str, Any]]], owner: str) -> int:
    """Write such a store and close it."""
    store = await open_store(url, early_catalog(), backups=backups)
    try:
        return await journal(store, told, owner)
    finally:
        await store.close()
