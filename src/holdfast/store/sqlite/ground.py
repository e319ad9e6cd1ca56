"""A SQLite file while it is migrated, and the copies that are made of it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from holdfast.errors import StoreError
from holdfast.ids import now_us
from holdfast.store.lex import StoreKind
from holdfast.store.migrate import TABLE, Applied, Migration, pending, with_gaps_filled
from holdfast.store.sqlite.connect import explain, make_private_file, open_reader
from holdfast.store.table import Column


class SqliteGround:
    """The writer's connection, before there is a writer."""

    kind: StoreKind = "sqlite"
    copy_suffix = ".db"

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path

    def is_empty(self) -> bool:
        return self._connection.execute("SELECT 1 FROM sqlite_master").fetchone() is None

    def applied(self) -> list[Applied] | None:
        return applied(self._connection)

    @contextmanager
    def alone(self) -> Iterator[None]:
        # Off while tables are rebuilt (SQLite's own advice for ALTER TABLE), and only possible outside a transaction.
        self._connection.execute("PRAGMA foreign_keys = OFF")
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                if self._connection.execute("PRAGMA foreign_key_check").fetchone():
                    raise StoreError(
                        f"A migration would leave rows without their parents in {self._path}; nothing was changed."
                    )
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
        finally:
            self._connection.execute("PRAGMA foreign_keys = ON")

    def execute(self, script: str) -> None:
        # Not executescript(): it commits what is open.
        for statement in statements(script):
            self._connection.execute(statement)

    def record(self, migration: Applied) -> None:
        self._connection.execute(
            "INSERT INTO schema_migration (number, name, checksum, applied_at) VALUES (?, ?, ?, ?)",
            (migration.number, migration.name, migration.checksum, now_us()),
        )

    def made_by(self, known: Sequence[Migration]) -> int | None:
        there, shapes = _shape(self._connection), [set[tuple[str, str]]()]
        with closing(sqlite3.connect("", isolation_level=None)) as scratch:  # a database without a file
            for script in (TABLE, *(migration.script("sqlite") for migration in known)):
                for statement in statements(script):
                    scratch.execute(statement)
                shapes.append(_shape(scratch))
        ours = {name for shape in shapes for name, _ in shape}
        there = {(name, text) for name, text in there if name in ours}
        return next((number for number in range(len(known), 0, -1) if shapes[number + 1] == there), None)

    def backup(self, target: Path) -> None:
        copy(self._connection, target)

    def explain(self, error: BaseException) -> BaseException:
        return explain(error, self._path)


def _shape(connection: sqlite3.Connection) -> set[tuple[str, str]]:
    """All tables, indexes and triggers, as they were made."""
    return {*connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")}


def applied(connection: sqlite3.Connection) -> list[Applied] | None:
    """The migrations a file remembers; None when it is not a store of ours."""
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'schema_migration'").fetchone():
        return None
    rows = connection.execute("SELECT number, name, checksum FROM schema_migration ORDER BY number")
    return [Applied(*row) for row in rows]


def columns(connection: sqlite3.Connection) -> dict[str, dict[str, Column]]:
    """The columns of our tables; those that only an index keeps for itself are not ours."""
    found: dict[str, dict[str, Column]] = {}
    rows = connection.execute(
        'SELECT t.name, c.name, c.type, c."notnull" FROM pragma_table_list t, pragma_table_info(t.name) c'
        " WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite!_%' ESCAPE '!'"
    )
    for table, name, kind, filled in rows:
        found.setdefault(table, {})[name] = Column(kind == "TEXT", not filled, kind in ("BIGINT", "INTEGER"))
    return found


def statements(script: str) -> Iterator[str]:
    """The statements of a script; a trigger is one, whatever semicolons are in it."""
    begun = ""
    for part in script.split(";"):
        begun += part + ";"
        if sqlite3.complete_statement(begun):
            if begun.strip() != ";":
                yield begun.strip()
            begun = ""
    if begun.strip(" \n;"):
        yield begun.strip().removesuffix(";")


def copy(source: sqlite3.Connection, target: Path) -> None:
    """A consistent copy while others write: owner-only, one file, there when it is whole."""
    unfinished = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        make_private_file(unfinished)
        with closing(sqlite3.connect(unfinished, isolation_level=None)) as copied:
            source.backup(copied)
            copied.execute("PRAGMA journal_mode = DELETE").fetchall()
        with unfinished.open("rb") as file:
            os.fsync(file.fileno())
        os.replace(unfinished, target)
    except BaseException as error:
        unfinished.unlink(missing_ok=True)
        explained = explain(error, target)
        if explained is error:
            raise
        raise explained from error


def restore(source: Path, target: Path, known: Sequence[Migration]) -> Path | None:
    """Put the copy `source` in the place of `target`; what was there is moved aside, to the path given back.

    Nobody may have the store open.
    """
    try:
        with closing(open_reader(source)) as connection:
            made_by = applied(connection)
            if made_by is None or connection.execute("PRAGMA quick_check").fetchone()[0] != "ok":
                raise StoreError(f"{source} is not a whole backup of holdfast's; nothing was changed.")
            pending(known, with_gaps_filled(known, made_by), str(source))
            unfinished = target.with_name(f".{target.name}.restore")
            copy(connection, unfinished)
    except (sqlite3.Error, OSError) as error:
        raise StoreError(f"{source} cannot be read as a backup ({error}); nothing was changed.") from error
    aside = set_aside(target)
    os.replace(unfinished, target)
    return aside


def set_aside(target: Path) -> Path | None:
    """Move a store away, with its log, whatever it is by now: the path where it lies, None when nothing was there."""
    aside = target.with_name(f"{target.name}.aside-{now_us()}")
    moved = False
    for suffix in ("-wal", "-shm", ""):
        there = target.with_name(target.name + suffix)
        if os.path.lexists(there):
            os.replace(there, aside.with_name(aside.name + suffix))
            moved = True
    return aside if moved else None
