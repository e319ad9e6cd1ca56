"""The migrations make the schema that is written down, on both databases."""

from __future__ import annotations

import pytest

from holdfast.store import sqlite_path
from tests.contract.site import AnyStore, Site
from tests.contract.snapshot import describe_postgres, describe_sqlite, snapshot


@pytest.mark.requirement("STO-2")
def test_the_migrations_make_the_schema(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        pass

    site.tell(story)
    made = describe_sqlite(sqlite_path(site.url)) if site.kind == "sqlite" else describe_postgres(site.url)
    assert made == snapshot(site.kind).read_text(encoding="utf-8"), (
        "the migrations no longer make src/holdfast/store/schema; if that is meant, run "
        "`python -m tests.contract.snapshot` and read the difference"
    )
