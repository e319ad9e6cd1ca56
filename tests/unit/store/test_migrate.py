"""Migrations as text: order, dialect, and which stores are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.errors import ConfigError, StoreError
from holdfast.store.migrate import Applied, Migration, dialect, load, pending
from holdfast.store.sqlite.ground import statements

SHARED = """-- A table; with a comment.
CREATE TABLE t (
    id   TEXT PRIMARY KEY, -- TEXT here too
    body BLOB NOT NULL DEFAULT 'BLOB; TEXT'
);
-- only: sqlite
CREATE VIRTUAL TABLE f USING fts5(body);
-- end
-- only: postgresql
ALTER TABLE t ADD COLUMN words TEXT;
-- end
INSERT INTO t SELECT CAST(1 AS TEXT), NULL;
"""


@pytest.mark.requirement("STO-2")
def test_one_text_two_dialects() -> None:
    assert dialect(SHARED, "sqlite") == (
        "CREATE TABLE t (\n    id   TEXT PRIMARY KEY,\n    body BLOB NOT NULL DEFAULT 'BLOB; TEXT'\n);\n"
        "CREATE VIRTUAL TABLE f USING fts5(body);\nINSERT INTO t SELECT CAST(1 AS TEXT), NULL;"
    )
    assert dialect(SHARED, "postgresql") == (
        'CREATE TABLE t (\n    id   TEXT COLLATE "C" PRIMARY KEY,\n'
        "    body BYTEA NOT NULL DEFAULT 'BLOB; TEXT'\n);\n"
        "ALTER TABLE t ADD COLUMN words TEXT;\nINSERT INTO t SELECT CAST(1 AS TEXT), NULL;"
    )


@pytest.mark.requirement("STO-2")
def test_a_block_for_nobody_is_refused() -> None:
    for kind in ("sqlite", "postgresql"):
        with pytest.raises(ConfigError, match="which is no database"):
            dialect("-- only: oracle\nSELECT 1;\n-- end\n", kind)


@pytest.mark.requirement("STO-2")
def test_statements_of_a_script() -> None:
    trigger = "CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; SELECT ';'; END;"
    script = f"CREATE TABLE t (a TEXT DEFAULT ';');\n{trigger}\nINSERT INTO t VALUES ('x')"
    assert list(statements(script)) == [
        "CREATE TABLE t (a TEXT DEFAULT ';');",
        trigger,
        "INSERT INTO t VALUES ('x');",
    ]
    assert list(statements("\n;\n")) == []


@pytest.mark.requirement("STO-2")
@pytest.mark.parametrize("names", [["0002_b"], ["0001_a", "0003_c"], ["1_a"], ["0001_A"], ["0001_a", "0001_b"]])
def test_numbers_have_no_gaps(tmp_path: Path, names: list[str]) -> None:
    for name in names:
        (tmp_path / f"{name}.sql").write_text("SELECT 1;")
    with pytest.raises(ConfigError, match="not the next migration"):
        load(tmp_path)


def known(*names: str) -> list[Migration]:
    return [Migration(Applied(number, name, f"sum of {name}"), "") for number, name in enumerate(names, 1)]


@pytest.mark.requirement("STO-2")
def test_what_is_pending() -> None:
    three = known("a", "b", "c")
    assert pending(three, [], "here") == three
    assert pending(three, [each.applied for each in three[:2]], "here") == three[2:]
    assert pending(three, [each.applied for each in three], "here") == []


@pytest.mark.requirement("STO-2")
def test_other_histories_are_refused() -> None:
    two, three = known("a", "b"), known("a", "b", "c")
    with pytest.raises(StoreError, match=r"newer holdfast \(it has migration 0003_c, this one knows 2\)"):
        pending(two, [each.applied for each in three], "here")
    with pytest.raises(StoreError, match="another text of migration 0002_b"):
        pending(three, [three[0].applied, Applied(2, "b", "else")], "here")
