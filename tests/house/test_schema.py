"""The schema walk: every table and text column of both databases is declared, and covered by what covers all rooms."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from holdfast.daemon.logs import forget_lines
from holdfast.ids import new_id
from holdfast.paths import Home
from holdfast.program import CATALOG
from holdfast.store import open_store, sqlite_path, sqlite_url
from holdfast.store.interface import Store, Tx
from holdfast.store.migrate import migrate
from holdfast.store.postgres.connect import connect, explainer
from holdfast.store.postgres.ground import PostgresGround, prepare_database
from holdfast.store.sqlite.connect import open_writer
from holdfast.store.sqlite.ground import SqliteGround, statements
from holdfast.store.table import Table
from holdfast.upkeep.forget_selection import ForgetRequest
from holdfast.upkeep.reindex import Reindexing
from holdfast.upkeep.sweep import sweep
from tests.contract.site import AnyStore, Site
from tests.house.planted import OWNER, Planter, everything
from tests.support.upkeep import Portable, forgetting, items_of

WORD = "zanzibarquartz"
LANDED = Path(__file__).parents[1] / "data" / "landed"


def worded() -> Iterator[tuple[str, str]]:
    for table in CATALOG.tables.values():
        if not table.derived:
            yield from ((table.name, column) for column in table.worded)


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


def text_for(table: Table, column: str) -> str:
    """The word in a form that this column can hold."""
    shape = table.shapes.get(column)
    if shape == "list":
        return json.dumps([f"src/{WORD}.py"])
    if column in ("payload", "by_model", "by_rules") or shape == "object":
        return json.dumps({"text": f"About the {WORD.upper()} of old"})
    return f"About the {WORD.upper()}\nof old"


@pytest.mark.requirement("HSE-3")
@pytest.mark.requirement("MEM-11")
@pytest.mark.requirement("SEC-1")
def test_a_planted_word_is_gone_from_every_column_and_copy(site: Site, tmp_path: Path) -> None:
    """One row per word column of every table; all of it, and the copy that was made meanwhile, is gone afterwards."""
    home = Home(tmp_path / "home")
    home.backups.mkdir(parents=True)
    ending = "db" if site.kind == "sqlite" else "jsonl"

    async def story(store: AnyStore) -> None:
        planter = Planter(store, CATALOG)
        items = items_of(store, OWNER)

        def plant(tx: Tx) -> None:
            about = str(planter.row(tx, CATALOG.tables["memory"])["id"])
            for name, column in worded():
                table = CATALOG.tables[name]
                planter.row(tx, table, about, **{column: text_for(table, column)})

        await store.write(plant)
        await Reindexing(store, items, OWNER).reindex()
        before = await everything(store, CATALOG)
        holding = {name for name, rows in before.items() if WORD in json.dumps(rows, default=str).lower()}
        assert holding >= {name for name, _ in worded()} | {"recall_item"}
        await store.backup(home.backups / f"before.{ending}")
        swept = partial(sweep, home, store, CATALOG.tables, forget_lines)
        receipt = await forgetting(store, OWNER, items, sweep=swept).forget(ForgetRequest(text=WORD))
        assert receipt.swept.backups == (f"before.{ending}",)
        assert receipt.swept.made
        after = await everything(store, CATALOG)
        for name, rows in after.items():
            assert WORD not in json.dumps(rows, default=str).lower(), name
        # The ledgers keep their rows.
        for name in ("model_call", "job", "supersession"):
            assert len(after[name]) == len(before[name]), name
        assert {row["error"] for row in after["model_call"]} == {"forgotten"}
        if site.kind == "sqlite":
            file = sqlite_path(site.url)
            for path in file.parent.glob(f"{file.name}*"):
                assert WORD.encode() not in path.read_bytes().lower(), path.name
        for path in home.backups.iterdir():
            assert WORD.encode() not in path.read_bytes().lower(), path.name

    site.tell(story)


@pytest.mark.requirement("HSE-3")
def test_a_copy_with_a_table_that_is_declared_no_more_is_searched_too(tmp_path: Path) -> None:
    """A backup of the landed version has `citation_change`: nothing declares it today."""
    import sqlite3

    home = Home(tmp_path / "home")
    home.backups.mkdir(parents=True)
    copy = sqlite3.connect(home.backups / "old.db")
    copy.executescript(
        "CREATE TABLE citation_change (id TEXT, url TEXT, found_at BIGINT);"
        f"INSERT INTO citation_change VALUES ('1', 'https://{WORD}.example', 5);"
    )
    copy.close()
    site = Site("sqlite", sqlite_url(tmp_path / "s.db"), tmp_path / "backups")

    async def story(store: AnyStore) -> None:
        swept = partial(sweep, home, store, CATALOG.tables, forget_lines)
        service = forgetting(store, OWNER, sweep=swept)
        assert (await service.forget(ForgetRequest(text="something else"))).swept.backups == ()
        assert (await service.forget(ForgetRequest(text=WORD))).swept.backups == ("old.db",)

    site.tell(story)


@pytest.mark.requirement("HSE-3")
@pytest.mark.requirement("MEM-11")
def test_every_exported_table_survives_a_round_trip(site: Site, tmp_path: Path) -> None:
    """Export, import into an empty store of the other kind, export: the same lines."""

    async def exported(store: Store) -> list[str]:
        return [line.decode().strip() async for line in Portable(store, OWNER).export(citations=True)]

    async def story(store: AnyStore) -> None:
        first = await open_store(sqlite_url(tmp_path / "first.db"), CATALOG, backups=tmp_path / "b")
        try:
            planter = Planter(first, CATALOG)

            def plant(tx: Tx) -> None:
                about = str(planter.row(tx, CATALOG.tables["memory"])["id"])
                for table in CATALOG.tables.values():
                    if table.exported:
                        target = (
                            about
                            if table.name != "supersession"
                            else str(planter.row(tx, CATALOG.tables["memory"])["id"])
                        )
                        planter.row(tx, table, target)

            await first.write(plant)
            lines = await exported(first)
        finally:
            await first.close()
        told = {json.loads(line).get("record") for line in lines} - {None}
        assert told == {table.name for table in CATALOG.tables.values() if table.exported}
        new = await Portable(store, OWNER).take_in(lines)
        assert dict(new) == json.loads(lines[-1])["end"]
        assert (await exported(store))[1:] == lines[1:]

    site.tell(story)


# --- what the landed version left


def told(lines: list[str]) -> list[str]:
    """The records of an export, whatever their order; what older ones do not have, as it was."""
    found = [json.loads(line) for line in lines[1:-1]]
    whole = [dict(CATALOG.tables[record["record"]].since) | record for record in found]
    return sorted(json.dumps(record, sort_keys=True) for record in whole)


@pytest.mark.requirement("MEM-11")
def test_an_export_of_the_landed_version_is_taken_in(site: Site) -> None:
    """Made with the code of 0.1.0."""
    lines = (LANDED / "export-0.1.0.jsonl").read_text("utf-8").splitlines()
    end = json.loads(lines[-1])["end"]

    async def story(store: AnyStore) -> None:
        assert dict(await Portable(store, OWNER).take_in(lines)) == end
        again = [line.decode().strip() async for line in Portable(store, OWNER).export(citations=True)]
        assert told(again) == told(lines)

    site.tell(story)


@pytest.mark.requirement("STO-2")
@pytest.mark.requirement("CIT-9")
def test_a_store_of_the_landed_version_migrates(site: Site) -> None:
    """Every row finds its owner, and what was found changed stays marked."""
    rows = (LANDED / "rows-0.1.0.sql").read_text("utf-8").partition("\n")[2]
    old = CATALOG.migrations[:5]
    if site.kind == "sqlite":
        path = sqlite_path(site.url)
        writer = open_writer(path)
        migrate(SqliteGround(writer, path), old, where="here", backups=site.backups)
        for statement in statements(rows):
            writer.execute(statement)
        writer.close()
    else:
        with connect(site.url) as connection:
            prepare_database(connection, "here")
            migrate(PostgresGround(connection, explainer("here")), old, where="here", backups=site.backups)
            connection.execute(rows.encode())

    async def story(store: AnyStore) -> None:
        Planter(store, CATALOG)
        kept = await everything(store, CATALOG)
        for name in ("supersession", "cited_page", "touched_file", "model_summary"):
            assert {row["owner"] for row in kept[name]} == {OWNER}, name
        assert len(kept["page"]) == 2
        marked = {row["url"].rpartition("/")[2]: row["new_version"] for row in kept["cited_page"]}
        assert marked == {"guide": "v2", "faq": None}
        lines = (LANDED / "export-0.1.0.jsonl").read_text("utf-8").splitlines()
        again = [line.decode().strip() async for line in Portable(store, OWNER).export(citations=True)]
        assert told(again) == told(lines)

    site.tell(story)
    assert list(site.backups.iterdir()), "a copy was made before"


# --- lines that do not fit


@pytest.mark.requirement("MEM-11")
@pytest.mark.parametrize(
    ("kind", "column", "value"),
    [
        ("injection", "parts", "no json"),
        ("injection", "parts", "[]"),
        ("injection", "score", "high"),
        ("session", "window_number", 2**63),
        ("session", "started_at", -(2**63) - 1),
        ("reading", "bytes", 1.5),
        ("memory", "created_at", 10**400),
        ("prompt", "id", None),
        ("cited_page", "changed_at", "yesterday"),
    ],
)
def test_a_value_that_does_not_fit_takes_nothing(site: Site, kind: str, column: str, value: object) -> None:
    from holdfast.errors import UsageError

    lines = (LANDED / "export-0.1.0.jsonl").read_text("utf-8").splitlines()
    record = next(json.loads(line) for line in lines if json.loads(line).get("record") == kind)
    wrong = json.dumps(record | {column: value})

    async def story(store: AnyStore) -> None:
        with pytest.raises(
            UsageError, match=rf"Line {len(lines) + 1} (\({kind}\) says nothing that fits under '{column}'|is not JSON)"
        ):
            await Portable(store, OWNER).take_in([*lines, wrong])
        Planter(store, CATALOG)
        assert not (await everything(store, CATALOG))["project"]

    site.tell(story)


@pytest.mark.requirement("MEM-11")
@pytest.mark.parametrize("kind", ["prompt", "observation", "summary", "memory", "session", "worktree"])
def test_a_record_of_an_unknown_project_takes_nothing(site: Site, kind: str) -> None:
    from holdfast.errors import UsageError

    lines = (LANDED / "export-0.1.0.jsonl").read_text("utf-8").splitlines()
    record = next(json.loads(line) for line in lines if json.loads(line).get("record") == kind)
    stray = json.dumps(record | {"id": new_id(), "project_id": new_id()})

    async def story(store: AnyStore) -> None:
        with pytest.raises(UsageError, match=rf"\({kind}\) is of a project that is not known here"):
            await Portable(store, OWNER).take_in([*lines, stray])
        Planter(store, CATALOG)
        assert not (await everything(store, CATALOG))["project"]

    site.tell(story)
