"""`forget` counts before and after what goes: each row of each table, also those that go with a row they belong to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from holdfast.program import CATALOG
from holdfast.store.interface import Tx
from holdfast.store.table import Table, Via
from holdfast.upkeep.forget_selection import ForgetRequest
from holdfast.upkeep.reindex import Reindexing
from tests.contract.site import AnyStore, Site
from tests.house.planted import OWNER, Planter, everything
from tests.house.test_schema import WORD, text_for, worded
from tests.support.upkeep import forgetting, items_of

UNCOUNTED = {"tombstone": "the marks that forgetting itself leaves"}


def children(table: Table) -> list[tuple[Table, Via]]:
    """The tables whose rows belong to rows of this one."""
    every = ((each, each.owner) for each in CATALOG.tables.values() if not each.derived)
    return [(each, owner) for each, owner in every if isinstance(owner, Via) and owner.table == table.name]


def called(table: Table) -> str:
    """Under which name the rows of a table are counted."""
    if table.name == "journal":
        return "entries"
    return table.family or table.counted or "rows"


def gone(before: Mapping[str, list[dict[str, Any]]], after: Mapping[str, list[dict[str, Any]]]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for name, rows in before.items():
        table = CATALOG.tables[name]
        if name not in UNCOUNTED and not table.derived:
            counts[called(table)] += max(0, len(rows) - len(after[name]))
    return +counts


@pytest.mark.requirement("HSE-3")
@pytest.mark.requirement("MEM-11")
def test_preview_and_receipt_count_every_row_that_goes(site: Site) -> None:
    """One row with the word for each column, and rows without it that belong to such a row."""

    async def story(store: AnyStore) -> None:
        planter = Planter(store, CATALOG)
        items = items_of(store, OWNER)

        def plant(tx: Tx) -> None:
            about = str(planter.row(tx, CATALOG.tables["memory"])["id"])
            for name, column in worded():
                table = CATALOG.tables[name]
                row = planter.row(tx, table, about, **{column: text_for(table, column)})
                for child, via in children(table):
                    planter.row(tx, child, about, **{via.column: row[via.key]})

        await store.write(plant)
        await Reindexing(store, items, OWNER).reindex()
        before = await everything(store, CATALOG)
        service, request = forgetting(store, OWNER, items), ForgetRequest(text=WORD)
        preview = (await service.preview(request)).counts
        receipt = (await service.forget(request)).counts
        went = gone(before, await everything(store, CATALOG))
        assert receipt == preview
        assert {name: preview.get(name, 0) for name in went} == dict(went)

    site.tell(story)
