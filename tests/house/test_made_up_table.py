"""A table of a room that holdfast has never heard of: declared, and covered by all of upkeep, on both databases."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from holdfast.daemon.logs import forget_lines
from holdfast.errors import ConfigError
from holdfast.paths import Home
from holdfast.program import CATALOG
from holdfast.store import Catalog, CatalogSource
from holdfast.store.interface import Store, Tx, Value
from holdfast.store.table import Age, Table, Via
from holdfast.times import DAY_US
from holdfast.upkeep.export import Export
from holdfast.upkeep.forget import Forgetting
from holdfast.upkeep.forget_selection import ForgetRequest
from holdfast.upkeep.retention import Retention
from holdfast.upkeep.settings import RetentionSettings
from holdfast.upkeep.sweep import sweep
from holdfast.upkeep.take_in import TakeIn
from tests.contract.kept import OWNER, START, fill
from tests.contract.site import AnyStore, Site
from tests.house.planted import Planter
from tests.rooms import albums
from tests.rooms.daemon import numbered
from tests.support.upkeep import DAYS, HOOKS, items_of, no_files

NOTE = Table(
    "note",
    ("id",),
    owner="owner",
    time="made_at",
    project="project_id",
    conversation="conversation",
    words=("text",),
    files=("path",),
    plain={"id": "an id", "owner": "a name", "project_id": "an id", "conversation": "an id"},
    counted="notes",
    exported=("id", "project_id", "conversation", "text", "path", "made_at"),
    refers={"project_id": "project"},
    ages=(Age("detail_days"),),
)
MIGRATION = """CREATE TABLE note (
    id TEXT PRIMARY KEY, owner TEXT NOT NULL, project_id TEXT NOT NULL, conversation TEXT NOT NULL,
    text TEXT NOT NULL, path TEXT NOT NULL, made_at BIGINT NOT NULL
);
"""
SQL = """-- name: add
INSERT INTO note (id, owner, project_id, conversation, text, path, made_at)
VALUES (:id, :owner, :project_id, :conversation, :text, :path, :made_at)

-- name: ids
SELECT id FROM note ORDER BY id
"""


@pytest.fixture
def catalog(tmp_path: Path) -> Catalog:
    """The product's, and a room of one table that brings its own folder."""
    return with_note(tmp_path, NOTE)


def with_note(tmp_path: Path, table: Table) -> Catalog:
    folder = tmp_path / "notes"
    (folder / "migrations").mkdir(parents=True)
    (folder / "notes.sql").write_text(SQL)
    (folder / "migrations" / f"{len(CATALOG.migrations) + 1:04}_notes.sql").write_text(MIGRATION)
    return Catalog(*CATALOG.sources, CatalogSource("notes", (table,), folder))


async def add(store: Store, project: str, **notes: dict[str, Value]) -> None:
    def write(tx: Tx) -> None:
        for name, given in notes.items():
            row: dict[str, Value] = {"text": "a plain text", "path": "a.py", "conversation": "c1", "made_at": START}
            tx.run("notes.add", **{"id": name, "owner": OWNER, "project_id": project} | row | given)

    await store.write(write)


async def ids(store: Store) -> list[str]:
    return [str(row["id"]) for row in await store.read(lambda reader: reader.all("notes.ids"))]


@pytest.mark.requirement("HSE-3")
@pytest.mark.requirement("MEM-11")
def test_forgetting_in_every_way_covers_it(site: Site, catalog: Catalog, tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    home.backups.mkdir(parents=True)
    ending = "db" if site.kind == "sqlite" else "jsonl"

    async def story(store: AnyStore) -> None:
        swept = partial(sweep, home, store, catalog.tables, forget_lines)
        service = Forgetting(store, catalog, items_of(store), OWNER, hooks=HOOKS, sweep=swept)
        project = (await fill(store))["project"]
        late: dict[str, Value] = {"made_at": START + 9 * DAY_US, "conversation": "c2"}
        await add(
            store,
            project,
            text=late | {"text": "the Brass\nGasket leaks"},
            others=late | {"text": "the brass gasket", "owner": "you"},
            file=late | {"path": "src/pump.py"},
            session={"made_at": START + 9 * DAY_US},
            time={"conversation": "c2"},
            stays=late,
        )
        await store.backup(home.backups / f"before.{ending}")
        assert (await service.preview(ForgetRequest(text="brass gasket"))).counts == {"notes": 1}
        receipt = await service.forget(ForgetRequest(text="brass gasket"))
        assert receipt.counts == {"notes": 1}
        assert receipt.swept.backups == (f"before.{ending}",)
        assert await ids(store) == ["file", "others", "session", "stays", "time"]
        await service.forget(ForgetRequest(file=("src/pump.py",), project=project))
        assert await ids(store) == ["others", "session", "stays", "time"]
        await service.forget(ForgetRequest(session="c1"))
        assert await ids(store) == ["others", "stays", "time"]
        await service.forget(ForgetRequest(before=START + DAY_US))
        assert await ids(store) == ["others", "stays"]

    site.tell(story, catalog)


@pytest.mark.requirement("HSE-3")
@pytest.mark.requirement("MEM-11")
def test_it_is_exported_and_imported_and_stays_forgotten(site: Site, catalog: Catalog) -> None:
    async def story(store: AnyStore) -> None:
        items = items_of(store)
        imports = TakeIn(store, catalog, items, OWNER, hooks=HOOKS, clean=lambda value: value)
        exports = Export(store, catalog, items, OWNER, clean=lambda value: value)
        forgets = Forgetting(store, catalog, items, OWNER, hooks=HOOKS, sweep=no_files)
        project = (await fill(store))["project"]
        await add(store, project, one={}, other={"text": "the brass gasket"})
        lines = [line.decode() async for line in exports.lines()]
        assert json.loads(lines[-1])["end"]["note"] == 2
        await forgets.forget(ForgetRequest(text="brass gasket"))
        assert await ids(store) == ["one"]
        assert not (await imports.take_in(lines)).get("note")
        assert await ids(store) == ["one"]

    site.tell(story, catalog)


@pytest.mark.requirement("HSE-3")
@pytest.mark.requirement("MEM-15")
def test_it_ages_and_is_counted(site: Site, catalog: Catalog) -> None:
    async def story(store: AnyStore) -> None:
        project = (await fill(store))["project"]
        await add(store, project, old={}, new={"made_at": START + 90 * DAY_US})
        assert (await store.size()).rows["note"] == 2
        ages = Retention(store, catalog, items_of(store), OWNER, RetentionSettings(detail_days=30), DAYS)
        assert (await ages.run(START + 100 * DAY_US)).rows["note"] == 1
        assert await ids(store) == ["new"]

    site.tell(story, catalog)


@pytest.mark.requirement("HSE-3")
@pytest.mark.requirement("MEM-15")
def test_what_means_nothing_without_others_ages_with_the_last_of_them(site: Site) -> None:
    room = numbered(albums.ROOM)
    album, picture = room.tables
    tables = (album, replace(picture, ages=(Age("detail_days"),)))
    with_albums = Catalog(*CATALOG.sources, CatalogSource("albums", tables, room.sql))

    async def story(store: Store) -> None:
        def paste(tx: Tx) -> None:
            for title, days in (("old", (0, 1)), ("mixed", (1, 90)), ("new", (90,))):
                tx.run("albums.begin", id=title, owner=OWNER, title=title, at=START)
                for day in days:
                    at = START + day * DAY_US
                    tx.run("albums.paste", id=f"{title}{day}", album_id=title, caption="a heron", at=at)

        await store.write(paste)
        ages = Retention(store, with_albums, items_of(store), OWNER, RetentionSettings(detail_days=30), DAYS)
        assert (await ages.run(START + 100 * DAY_US)).rows == {"picture": 3, "album": 1}
        left = await store.read(lambda reader: reader.all("albums.all", owner=OWNER))
        assert [row["title"] for row in left] == ["mixed", "new"]

    site.tell(story, with_albums)


@pytest.mark.requirement("HSE-3")
def test_a_word_column_that_is_not_there_refuses_to_start(site: Site, tmp_path: Path) -> None:
    wrong = with_note(tmp_path, replace(NOTE, words=("text", "tone")))
    with pytest.raises(ConfigError, match="the table note of the room notes has no column tone"):
        site.tell(ids, wrong)


SHELF = Table(
    "shelf",
    ("id",),
    owner="owner",
    time="made_at",
    conversation="conversation",
    words=("label",),
    files=("path",),
    plain={"id": "an id", "owner": "a name", "conversation": "an id"},
    counted="shelves",
    exported=("id", "conversation", "label", "path", "made_at"),
    ages=(Age("detail_days"),),
)
BOX = Table(
    "box",
    ("id",),
    owner=Via("shelf_id", "shelf"),
    words=("label",),
    plain={"id": "an id", "shelf_id": "an id"},
    counted="boxes",
    exported=("id", "shelf_id", "label"),
    refers={"shelf_id": "shelf"},
)
COIN = Table(
    "coin",
    ("id",),
    owner=Via("box_id", "box"),
    words=("label",),
    plain={"id": "an id", "box_id": "an id"},
    counted="coins",
    exported=("id", "box_id", "label"),
    refers={"box_id": "box"},
)
COINS = """-- name: shelf
INSERT INTO shelf (id, owner, conversation, label, path, made_at) VALUES (:id, 'me', :conversation, :label, :path, :at)

-- name: box
INSERT INTO box (id, shelf_id, label) VALUES (:id, :above, :label)

-- name: coin
INSERT INTO coin (id, box_id, label) VALUES (:id, :above, :label)

-- name: left
SELECT id FROM shelf UNION ALL SELECT id FROM box UNION ALL SELECT id FROM coin
"""
COINS_MIGRATION = """
CREATE TABLE shelf (
    id TEXT PRIMARY KEY, owner TEXT NOT NULL, conversation TEXT NOT NULL, label TEXT NOT NULL, path TEXT NOT NULL,
    made_at BIGINT NOT NULL
);
CREATE TABLE box (id TEXT PRIMARY KEY, shelf_id TEXT NOT NULL, label TEXT NOT NULL);
CREATE TABLE coin (id TEXT PRIMARY KEY, box_id TEXT NOT NULL, label TEXT NOT NULL);
"""
EVERYTHING = {"shelves": 1, "boxes": 2, "coins": 2}


def collection(tmp_path: Path) -> Catalog:
    """Three tables, of which only the first knows its conversation, its time and its file."""
    folder = tmp_path / "coins"
    (folder / "migrations").mkdir(parents=True)
    (folder / "coins.sql").write_text(COINS)
    (folder / "migrations" / f"{len(CATALOG.migrations) + 1:04}_coins.sql").write_text(COINS_MIGRATION)
    return Catalog(*CATALOG.sources, CatalogSource("coins", (SHELF, BOX, COIN), folder))


def shelve(tx: Tx, name: str, conversation: str, path: str, at: int) -> None:
    """A shelf with two boxes of one coin each."""
    tx.run("coins.shelf", id=name, conversation=conversation, label=f"{name} of oak", path=path, at=at)
    for each in ("1", "2"):
        tx.run("coins.box", id=f"{name}-{each}", above=name, label="cardboard")
        tx.run("coins.coin", id=f"{name}-{each}-a", above=f"{name}-{each}", label=f"a {name} sovereign")


@pytest.mark.requirement("HSE-3")
@pytest.mark.requirement("MEM-11")
@pytest.mark.parametrize(
    ("request_", "counts"),
    [
        (ForgetRequest(text="attic of oak"), EVERYTHING),
        (ForgetRequest(session="c-attic"), EVERYTHING),
        (ForgetRequest(file=("src/attic.py",)), EVERYTHING),
        (ForgetRequest(before=START + DAY_US), EVERYTHING),
        (ForgetRequest(text="a attic sovereign"), {"coins": 2}),
    ],
    ids=["text", "session", "file", "time", "a part"],
)
def test_rows_go_with_the_row_they_belong_to_however_far(
    site: Site, tmp_path: Path, request_: ForgetRequest, counts: dict[str, int]
) -> None:
    catalog = collection(tmp_path)

    async def story(store: AnyStore) -> None:
        items = items_of(store)
        exports = Export(store, catalog, items, OWNER, clean=lambda value: value)
        imports = TakeIn(store, catalog, items, OWNER, hooks=HOOKS, clean=lambda value: value)
        service = Forgetting(store, catalog, items, OWNER, hooks=HOOKS, sweep=no_files)
        planter = Planter(store, catalog)
        await store.write(lambda tx: planter.row(tx, catalog.tables["session"], conversation="c-attic"))
        await store.write(lambda tx: shelve(tx, "attic", "c-attic", "src/attic.py", START))
        await store.write(lambda tx: shelve(tx, "cellar", "c-cellar", "src/cellar.py", START + 9 * DAY_US))
        every = await shelved(store)
        older = [line.decode() async for line in exports.lines()]
        assert (await service.preview(request_)).counts == counts
        assert (await service.forget(request_)).counts == counts
        left = await shelved(store)
        assert len(every - left) == sum(counts.values())
        assert {each for each in every if each.startswith("cellar")} <= left
        await imports.take_in(older)
        assert await shelved(store) == left

    site.tell(story, catalog)


async def shelved(store: Store) -> set[str]:
    return {str(row["id"]) for row in await store.read(lambda reader: reader.all("coins.left"))}


@pytest.mark.requirement("HSE-3")
@pytest.mark.requirement("MEM-15")
def test_rows_age_with_the_row_they_belong_to(site: Site, tmp_path: Path) -> None:
    catalog = collection(tmp_path)

    async def story(store: AnyStore) -> None:
        await store.write(lambda tx: shelve(tx, "attic", "c-attic", "src/attic.py", START))
        await store.write(lambda tx: shelve(tx, "cellar", "c-cellar", "src/cellar.py", START + 90 * DAY_US))
        ages = Retention(store, catalog, items_of(store), OWNER, RetentionSettings(detail_days=30), DAYS)
        assert (await ages.run(START + 100 * DAY_US)).rows["shelf"] == 1
        assert {each.partition("-")[0] for each in await shelved(store)} == {"cellar"}

    site.tell(story, catalog)
