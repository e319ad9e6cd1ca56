"""A whole store as one file of JSON lines, and back: PostgreSQL's own dump program may not be where holdfast runs.

Line 1 says what it is and which migrations made it; then, for each table, a line with its columns and a line per
row; the last line counts the rows, which proves that the file is whole.
"""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from psycopg import sql
from psycopg.rows import tuple_row

from holdfast.errors import StoreError
from holdfast.store.migrate import TABLE as MIGRATION_TABLE
from holdfast.store.migrate import Applied, Migration, dialect
from holdfast.store.postgres.connect import SCHEMA, PostgresConnection
from holdfast.store.table import Column

SUFFIX = ".jsonl"
_MARK = "holdfast-backup"
_BATCH = 1_000


def tables(connection: PostgresConnection) -> list[str]:
    """Our tables, in the order they were made: a table comes after those it refers to."""
    rows = connection.execute(
        "SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
        " WHERE n.nspname = %s AND c.relkind IN ('r', 'p') ORDER BY c.oid",
        (SCHEMA,),
    )
    return [row["name"] for row in rows]


def columns(connection: PostgresConnection) -> dict[str, dict[str, Column]]:
    """The columns of our tables."""
    found: dict[str, dict[str, Column]] = {}
    rows = connection.execute(
        "SELECT c.relname AS of, a.attname AS name, format_type(a.atttypid, NULL) AS kind, a.attnotnull AS filled"
        " FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace"
        " WHERE n.nspname = %s AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped"
        " ORDER BY c.oid, a.attnum",
        (SCHEMA,),
    )
    for row in rows:
        kind = row["kind"]
        column = Column(kind == "text", not row["filled"], kind in ("bigint", "integer"))
        found.setdefault(row["of"], {})[row["name"]] = column
    return found


def applied(connection: PostgresConnection) -> list[Applied] | None:
    """The migrations a database remembers; None when it has no store of ours."""
    if "schema_migration" not in tables(connection):
        return None
    rows = connection.execute("SELECT number, name, checksum FROM schema_migration ORDER BY number")
    return [Applied(**row) for row in rows]


def write(connection: PostgresConnection, target: Path) -> None:
    """A consistent copy: owner-only, there when it is whole."""
    unfinished = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            os.fchmod(descriptor, 0o600)
            for line in _lines(connection):
                file.write(json.dumps(line, ensure_ascii=False, separators=(",", ":"), default=_bytes))
                file.write("\n")
            file.flush()
            os.fsync(descriptor)
        os.replace(unfinished, target)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def _bytes(value: object) -> dict[str, str]:
    if isinstance(value, bytes):
        return {"base64": base64.b64encode(value).decode()}
    raise TypeError(f"no column of ours holds a {type(value).__name__}")


def _lines(connection: PostgresConnection) -> Iterator[object]:
    with _view(connection):
        made_by = applied(connection) or []
        yield {_MARK: 1, "migrations": [[each.number, each.name, each.checksum] for each in made_by]}
        counts: dict[str, int] = {}
        for table in tables(connection):
            query = sql.SQL("SELECT * FROM {}").format(sql.Identifier(SCHEMA, table))
            with connection.cursor("holdfast_dump", row_factory=tuple_row) as cursor:
                cursor.execute(query)
                yield {"table": table, "columns": [column.name for column in cursor.description or ()]}
                counts[table] = 0
                for row in cursor:
                    counts[table] += 1
                    yield row
        yield {"end": counts}


@contextmanager
def _view(connection: PostgresConnection) -> Iterator[None]:
    connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    try:
        yield
    finally:
        connection.execute("ROLLBACK")


def load(connection: PostgresConnection, source: Path, known: list[Migration]) -> None:
    """Put a copy in the place of everything there is, in one transaction. Nobody else may be at work here."""
    with source.open(encoding="utf-8") as file, connection.transaction():
        lines = _read(file, source)
        head = next(lines, None)
        if not isinstance(head, dict) or head.get(_MARK) != 1:
            raise StoreError(f"{source} is not a backup of a PostgreSQL store; nothing was changed.")
        made_by = [Applied(*each) for each in head["migrations"]]
        if [migration.applied for migration in known[: len(made_by)]] != made_by:
            raise StoreError(f"{source} was made by another holdfast than this one; nothing was changed.")
        for table in reversed(tables(connection)):
            connection.execute(sql.SQL("DROP TABLE {} CASCADE").format(sql.Identifier(SCHEMA, table)))
        connection.execute(dialect(MIGRATION_TABLE, "postgresql").encode())
        for migration in known[: len(made_by)]:
            connection.execute(migration.script("postgresql").encode())
        for table in tables(connection):  # rows that a migration brought along are in the copy too
            connection.execute(sql.SQL("TRUNCATE {} CASCADE").format(sql.Identifier(SCHEMA, table)))
        _fill(connection, lines, source)


def _fill(connection: PostgresConnection, lines: Iterator[Any], source: Path) -> None:
    counts: dict[str, int] = {}
    insert: sql.Composed | None = None
    batch: list[list[Any]] = []
    table = ""

    def flush() -> None:
        if batch and insert is not None:
            with connection.cursor() as cursor:
                cursor.executemany(insert, batch)
            counts[table] += len(batch)
            batch.clear()

    for line in lines:
        if isinstance(line, list):
            batch.append([_value(value) for value in line])
            if len(batch) >= _BATCH:
                flush()
            continue
        flush()
        if "end" in line:
            if line["end"] == counts:
                return
            break
        table = line["table"]
        counts[table] = 0
        insert = sql.SQL("INSERT INTO {} ({}) VALUES ({})").format(
            sql.Identifier(SCHEMA, table),
            sql.SQL(", ").join(map(sql.Identifier, line["columns"])),
            sql.SQL(", ").join([sql.Placeholder()] * len(line["columns"])),
        )
    raise StoreError(f"{source} is not whole (its end is missing or its counts are wrong); nothing was changed.")


def _value(value: Any) -> Any:
    return base64.b64decode(value["base64"]) if isinstance(value, dict) else value


def _read(file: Any, source: Path) -> Iterator[Any]:
    try:
        for line in file:
            yield json.loads(line)
    except ValueError as error:
        raise StoreError(f"{source} is damaged ({error}); nothing was changed.") from error
