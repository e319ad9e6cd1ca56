"""Bringing back a backup: look at it first, set the present store aside, put the copy in its place, and prove it.

Nobody may have the store open meanwhile: the caller holds the daemon's lock. What is set aside is never removed here.
"""

from __future__ import annotations

import json
import sqlite3
import stat
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from holdfast.errors import StoreError
from holdfast.ids import new_id, now_us
from holdfast.store import Catalog, restore_store, sqlite, sqlite_path
from holdfast.store.lex import StoreKind
from holdfast.store.migrate import Applied, pending, with_gaps_filled
from holdfast.store.record import ReadBack, Remembered, StoreRecord
from holdfast.store.sqlite.connect import open_reader
from holdfast.store.sqlite.examine import check
from holdfast.store.sqlite.ground import applied, set_aside

_MAGIC = b"SQLite format 3\0"
_DUMP = b'{"holdfast-backup"'
_MARGIN_US = 60 * 1_000_000
"""Events on their way when the copy was made are read back, too; what is known already is not taken twice."""


@dataclass(frozen=True, slots=True)
class Backup:
    """A copy that was found whole and of use to this holdfast."""

    path: Path
    kind: StoreKind
    bytes: int
    migrations: int
    rows: Mapping[str, int]
    newest_at: int = 0
    """When the newest event in it arrived; 0 when it holds none."""
    facts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Restored:
    """What was done, and what the store holds now."""

    aside: Path | None
    rows: Mapping[str, int]
    marks: int = 0
    """Marks of what was forgotten that the backup did not have. They were carried over."""
    since: int = 0
    aside_schema: str = ""
    """On PostgreSQL: the schema that what was there is in now."""


def kind_of(url: str) -> StoreKind:
    return "sqlite" if urlsplit(url).scheme == "sqlite" else "postgresql"


def inspect(source: Path, kind: StoreKind, catalog: Catalog) -> Backup:
    """Read all of a backup. Raises StoreError with the reason why it cannot be used; nothing is changed."""
    try:
        if not stat.S_ISREG(source.stat().st_mode):
            raise StoreError(f"{source} is not a file; nothing was changed.")
        with source.open("rb") as file:
            head = file.read(len(_DUMP))
    except FileNotFoundError:
        raise StoreError(f"There is no {source}; nothing was changed.") from None
    except OSError as error:
        raise StoreError(f"{source} cannot be read ({error.strerror}); nothing was changed.") from error
    found: StoreKind | None = "sqlite" if head.startswith(_MAGIC) else "postgresql" if head == _DUMP else None
    if found is None:
        raise StoreError(f"{source} is not a backup of holdfast's; nothing was changed.")
    if found != kind:
        names = {"sqlite": "a SQLite store", "postgresql": "a PostgreSQL store"}
        raise StoreError(
            f"{source} is a backup of {names[found]}, and this home uses {names[kind]}; nothing was changed. "
            "`holdfast config show store` says which."
        )
    return _inspect_file(source, catalog) if kind == "sqlite" else _inspect_dump(source, catalog)


def _inspect_file(source: Path, catalog: Catalog) -> Backup:
    try:
        found = check(source, full=True)
        if found.damage or found.indexes:
            raise StoreError(f"{source} is damaged ({(found.damage + found.indexes)[0]}); nothing was changed.")
        with closing(open_reader(source)) as connection:
            made_by = applied(connection)
            if made_by is None:
                raise StoreError(f"{source} is a database, but not holdfast's; nothing was changed.")
            pending(catalog.migrations, with_gaps_filled(catalog.migrations, made_by), str(source))
            facts = dict(connection.execute("SELECT name, value FROM fact WHERE name IN ('store_id', 'born_at')"))
            (newest,) = connection.execute("SELECT COALESCE(MAX(received_at), 0) FROM journal").fetchone()
            return Backup(
                source, "sqlite", source.stat().st_size, len(made_by), rows_of(connection), int(newest), facts
            )
    except (sqlite3.Error, OSError) as error:
        raise StoreError(f"{source} cannot be read as a backup ({error}); nothing was changed.") from error


def rows_of(connection: sqlite3.Connection) -> dict[str, int]:
    """Rows per table, without those that SQLite keeps for itself or for a virtual table."""
    named = connection.execute(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
        " AND name NOT LIKE 'sqlite!_%' ESCAPE '!'"
    ).fetchall()
    return {
        str(name): int(connection.execute(f'SELECT COUNT(*) FROM "{name}"').fetchone()[0])  # noqa: S608 (the catalogue)
        for (name,) in named
    }


def _inspect_dump(source: Path, catalog: Catalog) -> Backup:
    """Line by line, without a database: the last line counts the rows, which proves that the file is whole."""
    counts: dict[str, int] = {}
    facts: dict[str, str] = {}
    columns: list[str] = []
    table, newest = "", 0
    try:
        with source.open(encoding="utf-8") as file:
            made_by = [Applied(*each) for each in json.loads(file.readline())["migrations"]]
            pending(catalog.migrations, with_gaps_filled(catalog.migrations, made_by), str(source))
            for line in file:
                value: Any = json.loads(line)
                if isinstance(value, list):
                    counts[table] += 1
                    if table == "journal" and "received_at" in columns:
                        newest = max(newest, int(value[columns.index("received_at")]))
                    elif table == "fact":
                        facts |= {str(value[0]): str(value[1])}
                elif "end" in value:
                    if value["end"] == counts:
                        return Backup(source, "postgresql", source.stat().st_size, len(made_by), counts, newest, facts)
                    break
                else:
                    table, columns = str(value["table"]), list(value["columns"])
                    counts[table] = 0
    except (ValueError, KeyError, TypeError, OSError) as error:
        raise StoreError(f"{source} is damaged ({error}); nothing was changed.") from error
    raise StoreError(f"{source} is not whole (its end is missing or its counts are wrong); nothing was changed.")


def restore(url: str, backup: Backup, catalog: Catalog, *, record: StoreRecord, backups: Path, marks: Path) -> Restored:
    """Put the backup in the store's place, and remember it. Nobody else has the store open."""
    aside = restore_store(url, backup.path, catalog, backups=backups)
    since = max(0, backup.newest_at - _MARGIN_US)
    if kind_of(url) == "postgresql":
        from holdfast.store import postgres

        carried = postgres.carry_marks(url, read_marks(marks))
        _remember(record, backup.facts, since, backup.bytes)
        return Restored(aside, backup.rows, carried, since)
    return _settled(sqlite_path(url), catalog, aside, record, since, backups=backups, marks=marks, born_at=None)


def begin_anew(url: str, catalog: Catalog, *, record: StoreRecord, backups: Path, marks: Path) -> Restored:
    """Set what is there aside and make an empty store, of the same birth: transcripts are read from there on."""
    remembered = record.read()
    born_at = remembered.born_at if remembered and remembered.born_at else now_us()
    if kind_of(url) == "postgresql":
        from holdfast.store import postgres

        schema = postgres.set_aside(url)
        record.write(None)
        return Restored(None, {}, aside_schema=schema)
    path = sqlite_path(url)
    aside = set_aside(path)
    record.write(None)
    return _settled(path, catalog, aside, record, born_at, backups=backups, marks=marks, born_at=born_at)


def _settled(
    path: Path,
    catalog: Catalog,
    aside: Path | None,
    record: StoreRecord,
    since: int,
    *,
    backups: Path,
    marks: Path,
    born_at: int | None,
) -> Restored:
    """Bring the store up to date, carry over what must not come back, and remember it."""
    connection = sqlite.open_connection(path, catalog, backups=backups).connection
    with closing(connection):
        connection.execute("BEGIN IMMEDIATE")
        names = {"store_id": new_id(), "born_at": str(born_at or now_us())}
        for name, value in names.items():
            connection.execute(
                "INSERT INTO fact (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING", (name, value)
            )
        carried = _carry(connection, [*marks_of(aside), *read_marks(marks)])
        connection.execute("COMMIT")
        facts = dict(connection.execute("SELECT name, value FROM fact WHERE name IN ('store_id', 'born_at')"))
        rows = rows_of(connection)
    _remember(record, facts, since, path.stat().st_size)
    return Restored(aside, rows, carried, since)


def _remember(record: StoreRecord, facts: Mapping[str, str], since: int, size: int) -> None:
    was = record.read()
    record.write(
        Remembered(
            id=facts.get("store_id", ""),
            born_at=int(facts.get("born_at", 0)),
            bytes=size,
            seen_at=now_us(),
            backed_up_at=was.backed_up_at if was else 0,
            refill=ReadBack(since),
        )
    )


# --- marks of what was forgotten: hashes, so that no older copy and no transcript brings it back

Mark = tuple[str, int, int]


def marks_of(store: Path | None) -> list[Mark]:
    """The marks in a store that was set aside, as far as it can still be read."""
    found: list[Mark] = []
    if store is None or not store.is_file():
        return found
    with suppress(sqlite3.Error), closing(open_reader(store)) as connection:
        for mark, until, at in connection.execute("SELECT mark, until_at, forgotten_at FROM tombstone"):
            found.append((str(mark), int(until), int(at)))
    return found


def read_marks(path: Path) -> list[Mark]:
    """The marks that the home keeps beside its store."""
    try:
        return [(str(mark), int(until), int(at)) for mark, until, at in json.loads(path.read_bytes())]
    except (OSError, ValueError, TypeError):
        return []


def _carry(connection: sqlite3.Connection, marks: list[Mark]) -> int:
    before = connection.execute("SELECT COUNT(*) FROM tombstone").fetchone()[0]
    connection.executemany(
        "INSERT INTO tombstone (mark, until_at, forgotten_at) VALUES (?, ?, ?) ON CONFLICT (mark) DO UPDATE SET"
        " until_at = MAX(until_at, excluded.until_at)",
        marks,
    )
    return int(connection.execute("SELECT COUNT(*) FROM tombstone").fetchone()[0]) - int(before)
