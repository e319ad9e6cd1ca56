"""Named queries: what a file may say, and what becomes of it for each database."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.program import CATALOG
from holdfast.store import queries
from holdfast.store.lex import StoreKind
from holdfast.store.queries import Queries, QueryError, translate


def loaded(folder: Path, text: str, kind: StoreKind = "sqlite") -> Queries:
    (folder / "room.sql").write_text(text, encoding="utf-8")
    return queries.load(kind, [folder / "room.sql"])


@pytest.mark.requirement("STO-1")
@pytest.mark.parametrize(
    ("text", "postgresql", "params"),
    [
        ("SELECT :a, :b_2, :a", "SELECT %(a)s, %(b_2)s, %(a)s", {"a", "b_2"}),
        ("SELECT ':no', :yes", "SELECT ':no', %(yes)s", {"yes"}),
        ("SELECT 'it''s :no' || :yes", "SELECT 'it''s :no' || %(yes)s", {"yes"}),
        ('SELECT ":no" FROM t', 'SELECT ":no" FROM t', set()),
        ("SELECT x::text, :y::vector", "SELECT x::text, %(y)s::vector", {"y"}),
        ("SELECT x LIKE '50%' AND 7 % 2 = :r", "SELECT x LIKE '50%%' AND 7 %% 2 = %(r)s", {"r"}),
        ("SELECT 1 -- :no % 'open\n, :a /* :no\n ' */ + 1;", "SELECT 1\n, %(a)s  + 1", {"a"}),
        ("SELECT $$ :no $$, $q$ :no $q$, :a", "SELECT $$ :no $$, $q$ :no $q$, %(a)s", {"a"}),
    ],
)
def test_parameters(text: str, postgresql: str, params: set[str]) -> None:
    assert translate("q", text, "postgresql").text == postgresql
    assert translate("q", text, "postgresql").params == params
    assert translate("q", text, "sqlite").params == params


@pytest.mark.requirement("STO-1")
def test_sqlite_takes_parameters_as_they_are() -> None:
    assert translate("q", "SELECT :a, '%' -- note", "sqlite").text == "SELECT :a, '%'"


@pytest.mark.requirement("STO-1")
@pytest.mark.parametrize("order", [0, 1])
def test_a_variant_is_for_one_database(tmp_path: Path, order: int) -> None:
    parts = ["-- name: find\n-- For all.\nSELECT 1\n", "-- name: find [postgresql]\nSELECT 2\n"]
    text = "-- A file about finding.\n" + "\n".join(parts[::-1] if order else parts)
    assert loaded(tmp_path, text, "sqlite")["room.find"].text == "SELECT 1"
    assert loaded(tmp_path, text, "postgresql")["room.find"].text == "SELECT 2"


@pytest.mark.requirement("STO-1")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("-- name: a\nSELECT 1\n-- name: a\nSELECT 2\n", "written twice"),
        ("-- name: a [sqlite]\nSELECT 1\n-- name: a [sqlite]\nSELECT 2\n", "written twice"),
        ("-- name: a\n-- only words\n", "has no text"),
        ("SELECT 1\n-- name: a\nSELECT 1\n", "before the first"),
        ("-- name: Not A Name\nSELECT 1\n", "not a query's name"),
        ("-- name: a [oracle]\nSELECT 1\n", "not a query's name"),
    ],
)
def test_a_badly_written_file_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(QueryError, match=message):
        loaded(tmp_path, text)


@pytest.mark.requirement("STO-1")
def test_an_unknown_name_and_wrong_parameters() -> None:
    known = Queries({"journal.get": translate("journal.get", "SELECT :id", "sqlite")})
    with pytest.raises(QueryError, match=r"no query named journal\.gte .*; did you mean journal\.get\?"):
        known["journal.gte"]
    known["journal.get"].check(["id"])
    with pytest.raises(QueryError, match="missing parameters: id; unknown parameters: a, b"):
        known["journal.get"].check(["b", "a"])


@pytest.mark.requirement("STO-1")
def test_our_own_files_load_for_both_with_the_same_names() -> None:
    """Only the recall index may ask one database what the other has no word for: searching and vectors differ."""
    sqlite, postgresql = CATALOG.queries("sqlite"), CATALOG.queries("postgresql")
    ours = {name for name in {*sqlite, *postgresql} if not name.startswith("test.")}
    assert "journal.insert" in ours
    alone = {name for name in ours if name not in sqlite or name not in postgresql}
    assert {name.split(".")[0] for name in alone} <= {"recall"}
    for name in ours - alone:
        if not name.startswith("recall."):
            assert sqlite[name].params == postgresql[name].params, name
