"""The schema walk: every table and text column of both databases is declared, and covered by what covers all rooms."""

from __future__ import annotations

import pytest

from holdfast.program import CATALOG
from tests.contract.site import AnyStore, Site


@pytest.mark.requirement("HSE-3")
def test_every_table_and_text_column_is_declared(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        assert store.columns.keys() == CATALOG.tables.keys()
        for name, columns in store.columns.items():
            table = CATALOG.tables[name]
            texts = {column for column, about in columns.items() if about.text}
            assert texts == {*table.worded, *table.plain}, name
            assert len(texts) == len(table.worded) + len(table.plain), name
            if table.exported:
                owner = {table.owner} if isinstance(table.owner, str) else set()
                assert set(table.exported) == columns.keys() - owner, name

    site.tell(story)
