"""A PostgreSQL database while it is prepared and migrated: its schema, its extension, its lock."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
from psycopg import sql

from holdfast.errors import StoreError
from holdfast.ids import now_us
from holdfast.store.lex import StoreKind
from holdfast.store.migrate import TABLE, Applied, Migration, dialect
from holdfast.store.postgres import dump
from holdfast.store.postgres.connect import SCHEMA, PostgresConnection

LOCK = 0x686F6C6466617374  # "holdfast": one migration at a time, among all daemons of this database
_SCRATCH = "holdfast_shape"
"""A schema that exists only inside a transaction that is undone."""


class PostgresGround:
    """A connection, before there is a writer."""

    kind: StoreKind = "postgresql"
    copy_suffix = dump.SUFFIX

    def __init__(self, connection: PostgresConnection, explain: Callable[[BaseException], BaseException]) -> None:
        self._connection = connection
        self.explain = explain

    def is_empty(self) -> bool:
        return not dump.tables(self._connection)

    def applied(self) -> list[Applied] | None:
        return dump.applied(self._connection)

    @contextmanager
    def alone(self) -> Iterator[None]:
        with self._connection.transaction():
            self._connection.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
            yield

    def execute(self, script: str) -> None:
        self._connection.execute(script.encode())

    def record(self, migration: Applied) -> None:
        self._connection.execute(
            "INSERT INTO schema_migration (number, name, checksum, applied_at) VALUES (%s, %s, %s, %s)",
            (migration.number, migration.name, migration.checksum, now_us()),
        )

    def made_by(self, known: Sequence[Migration]) -> int | None:
        there, shapes = _shape(self._connection, SCHEMA), [_shape(self._connection, _SCRATCH)]
        try:
            with self._connection.transaction(force_rollback=True):
                self._connection.execute(f"CREATE SCHEMA {_SCRATCH}; SET LOCAL search_path TO {_SCRATCH}, public")
                for script in (dialect(TABLE, self.kind), *(migration.script(self.kind) for migration in known)):
                    self.execute(script)
                    shapes.append(_shape(self._connection, _SCRATCH))
        except psycopg.errors.InsufficientPrivilege:
            return None  # the schema was made by an administrator, and we may make no other
        ours = {name for shape in shapes for name, _ in shape}
        there = {(name, text) for name, text in there if name in ours}
        return next((number for number in range(len(known), 0, -1) if shapes[number + 1] == there), None)

    def backup(self, target: Path) -> None:
        dump.write(self._connection, target)


def _shape(connection: PostgresConnection, schema: str) -> set[tuple[str, str]]:
    """All columns, indexes and constraints of a schema: of which table, and as the server describes them."""
    rows = connection.execute(
        "SELECT table_name AS of, concat_ws(' ', column_name, data_type, is_nullable, column_default) AS text"
        " FROM information_schema.columns WHERE table_schema = %(schema)s"
        " UNION ALL SELECT tablename, indexdef FROM pg_indexes WHERE schemaname = %(schema)s"
        " UNION ALL SELECT c.relname, pg_get_constraintdef(k.oid) FROM pg_constraint k"
        " JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace"
        " WHERE n.nspname = %(schema)s",
        {"schema": schema},
    )
    return {(str(row["of"]), str(row["text"]).replace(f"{schema}.", "")) for row in rows}


def prepare_database(connection: PostgresConnection, where: str) -> bool:
    """Our schema, and pgvector if it can be had. Returns whether it can."""
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise StoreError(
            f"The database at {where} keeps its text as {encoding}, which cannot hold every character; "
            "nothing was changed. Make one with ENCODING 'UTF8'."
        )
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
        # Not simply IF NOT EXISTS: that needs the right to create, even where the administrator has made it already.
        if not connection.execute("SELECT 1 FROM pg_namespace WHERE nspname = %s", (SCHEMA,)).fetchone():
            connection.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(SCHEMA)))
    return _vectors(connection)


def _vectors(connection: PostgresConnection) -> bool:
    installed = "SELECT 1 FROM pg_extension WHERE extname = 'vector'"
    if not connection.execute(installed).fetchone():
        # Absent from the server, or not allowed to this user, or another daemon is just doing it.
        with suppress(psycopg.Error):
            connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
    return connection.execute(installed).fetchone() is not None
