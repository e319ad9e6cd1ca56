"""Declarations of tables: what is incomplete does not start, and the sentence names the table and the room."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from holdfast.errors import ConfigError
from holdfast.program import CATALOG
from holdfast.store import catalog as catalog_module
from holdfast.store.catalog import Catalog, CatalogSource
from holdfast.store.migrate import load
from holdfast.store.shared import HOUSE
from holdfast.store.table import Age, Column, Table, Via
from tests.support.table import each_of

NOTE = Table(
    "note",
    ("id",),
    owner="owner",
    time="made_at",
    words=("text",),
    plain={"id": "an id", "owner": "a name"},
    exported=("id", "text", "made_at"),
)
COLUMNS = {
    "id": Column(text=True, nullable=False),
    "owner": Column(text=True, nullable=False),
    "text": Column(text=True, nullable=False),
    "made_at": Column(text=False, nullable=False),
}


LANDED = {
    "0001_road": "11dcd1ca23c4",
    "0002_citations": "7bf4f89602d1",
    "0003_recall": "c3d33a908d1d",
    "0004_memory": "a31c375679ba",
    "0005_upkeep": "331c0f816125",
}


def wrong(*tables: Table) -> str:
    with pytest.raises(ConfigError) as told:
        Catalog(*CATALOG.sources, CatalogSource("notes", tables))
    return str(told.value)


@pytest.mark.requirement("HSE-3")
def test_a_whole_declaration_starts() -> None:
    assert Catalog(*CATALOG.sources, CatalogSource("notes", (NOTE,))).room_of("note") == "notes"


@pytest.mark.requirement("HSE-3")
@each_of(
    ("change", "reason"),
    [
        ({"owner": None}, "has no owner"),
        ({"owner": Via("page_id", "nowhere")}, "leads to nowhere, which no room declares"),
        ({"owner": Via("page_id", "citation")}, "leads to citation, a table of the room citations"),
        ({"owner": Via("parent", "note")}, "leads back to itself"),
        ({"owner": Via("id", "item")}, "cannot know its owner by an item"),
        ({"refers": {"id": "citation"}}, "leads to citation"),
        ({"project": Via("id", "summary")}, "leads to summary"),
        ({"exported": ()}, "must be exported, or say in `kept_back` why not"),
        ({"kept_back": "why"}, "must be exported, or say in `kept_back` why not"),
        ({"plain": {"id": " ", "owner": "a name"}}, "gives no reason why its column id"),
        ({"plain": {"text": "a text", "owner": "a name"}}, "as words and as plain"),
        ({"key": ()}, "has no key"),
        ({"key": ("id; DROP",)}, "uses the name"),
        ({"family": "note", "time": ""}, "holds items"),
        ({"owner": ""}, "has an empty name for its owner"),
        ({"project": ""}, "has an empty name for its owner, project or conversation"),
        ({"conversation": ""}, "has an empty name for its owner, project or conversation"),
        ({"owner": Via("id", "schema_migration", "name")}, "leads to schema_migration, whose rows belong to this"),
        ({"mark": "reading"}, "has the same `mark` as the table reading"),
        ({"mark": "written"}, "has the same `mark` as the table model_summary"),
    ],
)
def test_an_incomplete_declaration_names_table_and_room(change: dict[str, object], reason: str) -> None:
    told = wrong(replace(NOTE, **change))  # type: ignore[arg-type]
    assert "the table note of the room notes" in told
    assert reason in told


@pytest.mark.requirement("HSE-3")
def test_two_tables_of_one_name_are_refused() -> None:
    assert "the table note of the room notes is declared by notes too" in wrong(NOTE, NOTE)
    assert "is declared by memory too" in wrong(replace(NOTE, name="prompt"))
    assert "is declared by holdfast itself too" in wrong(replace(NOTE, name="journal"))


@pytest.mark.requirement("HSE-3")
@pytest.mark.parametrize(
    ("change", "columns", "reason"),
    [
        ({"words": ("text", "tone")}, COLUMNS, "has no column tone"),
        ({}, COLUMNS | {"tone": Column(text=True, nullable=True)}, "text column tone that is neither"),
        ({}, COLUMNS | {"size": Column(text=False, nullable=True)}, "does not export its column size"),
        ({}, None, "is not made by any migration"),
        ({"time": ""}, COLUMNS, "has a column made_at and no `time`. Name it, or say in `timeless` why"),
    ],
)
def test_a_declaration_fits_the_database(
    change: dict[str, object], columns: dict[str, Column] | None, reason: str
) -> None:
    catalog = Catalog(*CATALOG.sources)
    catalog.tables.clear()
    catalog.tables["note"] = replace(NOTE, **change)  # type: ignore[arg-type]
    catalog._rooms["note"] = "notes"
    with pytest.raises(ConfigError, match=f"the table note of the room notes .*{reason}"):
        catalog.check_columns({"note": columns} if columns else {})


@pytest.mark.requirement("HSE-3")
@pytest.mark.parametrize(
    "change",
    [
        {"family": "note"},
        {"conversation": "id"},
        {"ages": (Age("detail_days"),)},
        {"found": "drop", "words": ("text",)},
    ],
)
def test_bookkeeping_of_the_installation_is_declared_as_what_stays(
    change: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = Table("ledger", ("id",), owner=None, time="made_at", plain={"id": "an id"}, kept_back="about this store")
    monkeypatch.setattr(catalog_module, "HOUSE", (*HOUSE, kept))
    assert Catalog(*CATALOG.sources).tables["ledger"].stays
    monkeypatch.setattr(catalog_module, "HOUSE", (*HOUSE, replace(kept, **change)))  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="the table ledger of holdfast itself is of this installation"):
        Catalog(*CATALOG.sources)


@pytest.mark.requirement("HSE-3")
def test_a_table_that_a_room_makes_and_does_not_declare_is_refused(tmp_path: Path) -> None:
    (tmp_path / "migrations").mkdir()
    file = tmp_path / "migrations" / f"{len(CATALOG.migrations) + 1:04}_notes.sql"
    file.write_text("CREATE TABLE note (id TEXT PRIMARY KEY);\nCREATE TABLE IF NOT EXISTS spare (id TEXT PRIMARY KEY);")
    with pytest.raises(ConfigError, match="the room notes makes the table spare and does not declare it"):
        Catalog(*CATALOG.sources, CatalogSource("notes", (NOTE,), tmp_path)).check_made()
    file.write_text("CREATE TABLE note (id TEXT PRIMARY KEY); CREATE TABLE old (id TEXT); DROP TABLE old;")
    Catalog(*CATALOG.sources, CatalogSource("notes", (NOTE,), tmp_path)).check_made()


@pytest.mark.requirement("HSE-3")
@pytest.mark.parametrize("text", ["SELECT 1;", "-- name: one\n\n-- name: two\nSELECT 1", "-- name: A B\nSELECT 1"])
def test_a_file_of_queries_that_cannot_be_read_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "notes.sql").write_text(text)
    with pytest.raises(ConfigError, match=r"holdfast cannot start: .*notes.sql"):
        Catalog(*CATALOG.sources, CatalogSource("notes", (NOTE,), tmp_path)).queries("sqlite")


@pytest.mark.requirement("HSE-4")
def test_rooms_number_their_migrations_together(tmp_path: Path) -> None:
    ours = len(CATALOG.migrations)
    assert [each.applied.number for each in CATALOG.migrations] == list(range(1, ours + 1))
    folder = tmp_path / "migrations"
    folder.mkdir()
    for number, fits in ((ours, False), (ours + 2, False), (ours + 1, True)):
        file = folder / f"{number:04}_more.sql"
        file.write_text("SELECT 1;")
        if fits:
            assert len(Catalog(*CATALOG.sources, CatalogSource("more", folder=tmp_path)).migrations) == ours + 1
        else:
            with pytest.raises(ConfigError, match="without gaps or doubles"):
                Catalog(*CATALOG.sources, CatalogSource("more", folder=tmp_path))
        file.unlink()


@pytest.mark.requirement("STO-2")
def test_the_migrations_of_the_landed_version_are_the_same() -> None:
    """Only their folders changed: a store that they made is known again."""
    sums = {str(each.applied): each.applied.checksum[:12] for each in CATALOG.migrations[:5]}
    assert sums == LANDED
    assert load() == []
