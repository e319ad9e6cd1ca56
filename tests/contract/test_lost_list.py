"""A store whose list of migrations an older holdfast deleted (`forget --before`) starts again, on both databases."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from holdfast.errors import StoreUnfit
from holdfast.program import CATALOG
from holdfast.store import Catalog, CatalogSource, migrate
from tests.contract.site import AnyStore, Site, add_query, count, keep

pytestmark = pytest.mark.requirement("STO-2", "STO-6")

LIST = "SELECT number, name, checksum FROM schema_migration ORDER BY number"


def broken(site: Site, *statements: str) -> None:
    """A store with one row, to which this was done."""

    async def story(store: AnyStore) -> None:
        await keep(store, "k1")
        for number, statement in enumerate(statements):
            add_query(f"test.break_{number}", statement)
            await store.write(lambda tx, number=number: tx.run(f"test.break_{number}"))  # type: ignore[misc]

    site.tell(story)


def migrations(site: Site, catalog: Catalog = CATALOG) -> list[object]:
    async def story(store: AnyStore) -> list[object]:
        add_query("test.list", LIST, catalog)
        return [row["number"] for row in await store.read(lambda reader: reader.all("test.list"))]

    return site.tell(story, catalog)


@pytest.mark.parametrize("condition", ["TRUE", "number <= 12", "number = 3", "number < 20"])
def test_a_store_that_forgot_its_migrations_remembers_them_again(
    site: Site, condition: str, caplog: pytest.LogCaptureFixture
) -> None:
    broken(site, f"DELETE FROM schema_migration WHERE {condition}", "DELETE FROM tombstone")
    assert site.tell(count) == 1
    assert "had lost its list of migrations" in caplog.text
    assert "an import could bring that back" in caplog.text
    assert list(migrations(site)) == [each.applied.number for each in CATALOG.migrations]
    caplog.clear()
    assert site.tell(count) == 1
    assert not caplog.records, "once is enough"


def test_it_goes_on_with_the_next_migration(site: Site, tmp_path: Path) -> None:
    broken(site, "DELETE FROM schema_migration")
    (tmp_path / "room" / "migrations").mkdir(parents=True)
    following = len(CATALOG.migrations) + 1
    text = "CREATE TABLE extra (id TEXT PRIMARY KEY);"
    (tmp_path / "room" / "migrations" / f"{following:04}_more.sql").write_text(text)
    catalog = Catalog(*CATALOG.sources, CatalogSource("room", folder=tmp_path / "room"))
    assert list(migrations(site, catalog)) == [*range(1, following + 1)]
    assert site.tell(count, catalog) == 1


@pytest.mark.parametrize("made", [1, 4, 9, 10, 15, 19])
def test_an_older_store_is_known_by_its_tables(site: Site, made: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many migrations as an older holdfast had made it; the others follow."""
    whole = migrate.pending
    monkeypatch.setattr(migrate, "pending", lambda known, *rest: whole(known[:made], *rest))
    monkeypatch.setattr(Catalog, "check_columns", lambda *_: None)

    async def story(store: AnyStore) -> None:
        add_query("test.forget_list", "DELETE FROM schema_migration")
        await store.write(lambda tx: tx.run("test.forget_list"))

    site.tell(story)
    monkeypatch.undo()
    assert list(migrations(site)) == [each.applied.number for each in CATALOG.migrations]


def test_a_shape_of_no_version_is_left_as_it_is_with_a_sentence(site: Site) -> None:
    broken(site, "ALTER TABLE fact ADD COLUMN strange TEXT", "DELETE FROM schema_migration")
    with pytest.raises(StoreUnfit) as caught:
        site.tell(count)
    sentence = str(caught.value)
    assert re.search(r"has lost its list of migrations \(an older holdfast's `forget --before` deleted it\)", sentence)
    assert "It was left as it is" in sentence
    assert "`holdfast restore" in sentence
