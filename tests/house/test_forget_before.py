"""`forget --before` on every table of both databases: it takes what people and agents wrote, never the bookkeeping."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from holdfast.program import CATALOG
from holdfast.store.generated import all_of
from holdfast.store.interface import Tx
from holdfast.store.shared import HOUSE, SHARED
from holdfast.store.table import Table
from holdfast.upkeep.forget_selection import ForgetRequest
from tests.contract.site import AnyStore, Site
from tests.house.planted import OWNER, START, Planter, everything
from tests.support.upkeep import forgetting, items_of

DAY = 86_400_000_000
BETWEEN = START + 30 * DAY
FUTURE = START + 10_000 * DAY


def timed() -> Iterator[Table]:
    yield from (table for table in CATALOG.tables.values() if table.time and not table.derived)


def plant(planter: Planter, tx: Tx) -> None:
    """An old and a new row in every table that has a time, and one in all others."""
    about = str(planter.row(tx, CATALOG.tables["memory"])["id"])
    for table in CATALOG.tables.values():
        if table.derived or table.name == "schema_migration":  # a store with a made-up migration would not open
            continue
        if not table.time:
            planter.row(tx, table, about)
            continue
        for at in (START, START + 60 * DAY):
            target = str(planter.row(tx, CATALOG.tables["memory"])["id"])
            planter.row(tx, table, target, **{table.time: at})


def told(rows: list[dict[str, Any]]) -> set[str]:
    return {json.dumps(row, sort_keys=True, default=str) for row in rows}


@pytest.mark.requirement("MEM-11")
@pytest.mark.requirement("STO-2")
@pytest.mark.parametrize("before", [BETWEEN, FUTURE])
def test_what_a_time_chooses_is_never_bookkeeping_and_the_store_opens_again(site: Site, before: int) -> None:
    async def story(store: AnyStore) -> None:
        planter = Planter(store, CATALOG)
        await store.write(partial(plant, planter))
        kept = await everything(store, CATALOG)
        for table in timed():
            assert kept[table.name], table.name
        await forgetting(store, OWNER, items_of(store, OWNER)).forget(ForgetRequest(before=before))
        left = await everything(store, CATALOG)
        for table in CATALOG.tables.values():
            if table.owner is None:
                assert told(left[table.name]) >= told(kept[table.name]), f"{table.name} is bookkeeping"
        for name in ("project", "worktree", "session", "memory", "supersession"):
            assert told(left[name]) == told(kept[name]), f"{name} lasts"
        for table in timed():
            if not table.stays:
                assert not [row for row in left[table.name] if row[table.time] < before], f"{table.name} is old"
        assert len(left["tombstone"]) > len(kept["tombstone"]), "what was forgotten is marked"

    async def again(store: AnyStore) -> int:
        return len((await everything(store, CATALOG))["schema_migration"])

    site.tell(story)
    assert site.tell(again) == len(CATALOG.migrations)
    assert not site.backups.exists(), "no migration was applied again"


@pytest.mark.requirement("STO-2")
def test_no_query_chooses_bookkeeping_by_a_time_or_a_session() -> None:
    """Not even by mistake: the SQL that would do it is not made."""
    removing = ("of_time", "drop_time", "count_of_time", "of_conversation", "drop_conversation", "drop")
    made = {name for name, _ in all_of(CATALOG.tables)}
    for table in (*SHARED, *HOUSE):
        if table.owner is None:
            assert not made & {f"table.{table.name}.{each}" for each in removing}, table.name
