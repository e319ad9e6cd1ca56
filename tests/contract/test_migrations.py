"""Migrations on both databases: from empty, again, from the future, half-way."""

from __future__ import annotations

import asyncio
import stat
from pathlib import Path

import pytest

from holdfast.errors import StoreError
from holdfast.program import CATALOG
from holdfast.store import Catalog, CatalogSource, open_store
from tests.contract.site import AnyStore, Site, add_query, count, keep

MORE = """
-- A comment; with a semicolon, and a BLOB.
CREATE TABLE extra (id TEXT PRIMARY KEY, body BLOB, note TEXT NOT NULL DEFAULT 'a;b -- BLOB');
INSERT INTO extra (id, body) SELECT id, NULL FROM journal;
-- only: sqlite
CREATE TRIGGER extra_note AFTER INSERT ON extra BEGIN
    UPDATE extra SET note = 'by sqlite' WHERE id = NEW.id; SELECT 1;
END;
-- end
-- only: postgresql
CREATE FUNCTION extra_note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN NEW.note := 'by postgresql'; RETURN NEW; END $$;
CREATE TRIGGER extra_note BEFORE INSERT ON extra FOR EACH ROW EXECUTE FUNCTION extra_note();
-- end
"""


@pytest.fixture
def room(tmp_path: Path) -> Path:
    """The folder of a room to which a test may add migrations."""
    (tmp_path / "room" / "migrations").mkdir(parents=True)
    return tmp_path / "room"


def with_room(folder: Path) -> Catalog:
    return Catalog(*CATALOG.sources, CatalogSource("room", folder=folder))


def following(room: Path, text: str, name: str = "more") -> Path:
    folder = room / "migrations"
    path = folder / f"{len(CATALOG.migrations) + len(list(folder.iterdir())) + 1:04}_{name}.sql"
    path.write_text(text, encoding="utf-8")
    return path


async def nothing(store: AnyStore) -> None:
    """Open and close."""


async def tables(store: AnyStore) -> set[str]:
    return set((await store.size()).rows)


def one_row(site: Site, room: Path) -> None:
    async def story(store: AnyStore) -> None:
        await keep(store, "k1")

    site.tell(story, with_room(room))


@pytest.mark.requirement("STO-2")
def test_from_empty_and_again(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        assert {"journal", "schema_migration"} <= await tables(store)
        await keep(store, "k1")

    site.tell(story)
    assert site.tell(count) == 1
    assert not site.backups.exists(), "nothing was changed, so nothing needed a copy"


@pytest.mark.requirement("STO-2")
def test_two_daemons_begin_at_once(site: Site) -> None:
    async def story() -> None:
        stores = await asyncio.gather(*(open_store(site.url, CATALOG, backups=site.backups) for _ in range(4)))
        for number, store in enumerate(stores):
            await store.write(
                lambda tx, number=number: tx.run("session.fact_set", name=str(number), value="x")  # type: ignore[misc]
            )
        size = await stores[0].size()
        assert size.rows["fact"] == 4
        assert size.rows["schema_migration"] == len(CATALOG.migrations)
        await asyncio.gather(*(store.close() for store in stores))

    asyncio.run(story())


@pytest.mark.requirement("STO-2")
def test_a_new_migration_is_applied_after_a_backup(site: Site, room: Path) -> None:
    one_row(site, room)
    following(room, MORE)
    catalog = with_room(room)
    add_query("test.extra_add", "INSERT INTO extra (id, body) VALUES (:id, :body)", catalog)
    add_query("test.extra", "SELECT id, body, note FROM extra WHERE id = :id", catalog)

    async def story(store: AnyStore) -> None:
        assert (await store.size()).rows["extra"] == 1
        await store.write(lambda tx: tx.run("test.extra_add", id="x", body=b"\0\1"))
        found = await store.read(lambda view: view.one("test.extra", id="x"))
        assert found == {"id": "x", "body": b"\0\1", "note": f"by {site.kind}"}

    site.tell(story, catalog)
    (copy,) = site.backups.iterdir()
    assert copy.name.startswith("auto-")
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert stat.S_IMODE(site.backups.stat().st_mode) == 0o700


@pytest.mark.requirement("STO-2")
def test_a_failing_migration_changes_nothing(site: Site, room: Path) -> None:
    one_row(site, room)
    following(room, "CREATE TABLE fine (id TEXT PRIMARY KEY); DELETE FROM journal;", "fine")
    wrong = following(room, "CREATE TABLE half (id TEXT PRIMARY KEY); INSERT INTO nowhere VALUES (1);", "wrong")
    with pytest.raises(StoreError, match="nothing was changed") as told:
        site.tell(nothing, with_room(room))
    (copy,) = site.backups.iterdir()
    assert str(copy) in str(told.value)
    assert f"in {'/'.join(wrong.parts[-3:])}" in str(told.value), "it names the file"
    assert "keeper:" not in str(told.value)

    async def story(store: AnyStore) -> None:
        assert await count(store) == 1
        assert not {"fine", "half"} & await tables(store)

    site.tell(story)
    wrong.write_text("CREATE TABLE whole (id TEXT PRIMARY KEY)")
    assert {"fine", "whole"} <= site.tell(tables, with_room(room))


@pytest.mark.requirement("STO-2")
def test_starts_that_fail_push_no_good_copy_out(site: Site, room: Path) -> None:
    """A start that fails is tried again and again. Only the newest copy of those stays, besides all that are good."""
    one_row(site, room)
    site.backups.mkdir(parents=True)
    good = {f"auto-2026010{number}T000000Z-after-forget.{site.ending}" for number in range(1, 6)}
    for name in good:
        (site.backups / name).write_bytes(b"good")
    following(room, "INSERT INTO nowhere VALUES (1);")
    for _ in range(7):
        with pytest.raises(StoreError, match="nothing was changed"):
            site.tell(nothing, with_room(room))
    kept = {path.name for path in site.backups.iterdir()}
    assert good <= kept
    (failed,) = kept - good
    assert failed.endswith(f"-failed.{site.ending}")


@pytest.mark.requirement("STO-2")
def test_rows_without_parents_are_refused(site: Site, room: Path) -> None:
    site.tell(nothing, with_room(room))
    following(room, "INSERT INTO worktree (id, project_id, path, created_at) VALUES ('w', 'none', '/', 1);")
    with pytest.raises(StoreError, match="nothing was changed"):
        site.tell(nothing, with_room(room))
    assert site.tell(lambda store: store.size()).rows["worktree"] == 0


@pytest.mark.requirement("STO-2")
def test_the_last_five_copies_are_kept(site: Site, room: Path) -> None:
    one_row(site, room)
    for number in range(7):
        following(room, f"CREATE TABLE extra_{number} (id TEXT PRIMARY KEY);")
        site.tell(nothing, with_room(room))
    names = sorted(path.name for path in site.backups.iterdir())
    last = len(CATALOG.migrations) + len(list((room / "migrations").iterdir()))
    assert [name[-10:].partition(".")[0][-4:] for name in names if name] == [
        f"{number:04}"[-4:] for number in range(last - 4, last + 1)
    ]


@pytest.mark.requirement("STO-2")
def test_a_store_from_the_future_is_refused(site: Site, room: Path) -> None:
    following(room, "CREATE TABLE extra (id TEXT PRIMARY KEY);", "future")
    one_row(site, room)
    with pytest.raises(StoreError, match=r"newer holdfast.*_future.*nothing was changed.*Upgrade"):
        site.tell(nothing)
    assert site.tell(count, with_room(room)) == 1


@pytest.mark.requirement("STO-2")
def test_a_migration_that_changed_afterwards_is_refused(site: Site, room: Path) -> None:
    added = following(room, "CREATE TABLE extra (id TEXT PRIMARY KEY);")
    one_row(site, room)
    added.write_text("CREATE TABLE extra (id TEXT PRIMARY KEY, more TEXT);")
    with pytest.raises(StoreError, match="another text of migration"):
        site.tell(nothing, with_room(room))


@pytest.mark.requirement("STO-2")
def test_somebody_elses_database_is_left_alone(site: Site, room: Path) -> None:
    if site.kind == "sqlite":
        import sqlite3

        from holdfast.store import sqlite_path

        connection = sqlite3.connect(sqlite_path(site.url))
        connection.execute("CREATE TABLE theirs (id TEXT)")
        connection.close()
    else:
        import psycopg

        with psycopg.connect(site.url) as other:
            other.execute("CREATE SCHEMA holdfast")
            other.execute("CREATE TABLE holdfast.theirs (id TEXT)")
    with pytest.raises(StoreError, match="not holdfast's; nothing was changed"):
        site.tell(nothing)
