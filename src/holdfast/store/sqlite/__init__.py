"""The embedded store: one SQLite file in WAL mode, one writer, two readers. Standard library only."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from holdfast.store.catalog import Catalog
from holdfast.store.interface import Reader, Size, Tx
from holdfast.store.lex import Kind
from holdfast.store.migrate import migrate
from holdfast.store.readers import Readers
from holdfast.store.sqlite.connect import explain, open_reader, open_writer
from holdfast.store.sqlite.ground import SqliteGround, columns, copy
from holdfast.store.sqlite.traces import leave_no_trace
from holdfast.store.sqlite.tx import SqliteLink, SqliteTx
from holdfast.store.table import Columns
from holdfast.store.writer import Writer

T = TypeVar("T")


def open_connection(path: Path, catalog: Catalog, *, backups: Path) -> sqlite3.Connection:
    """The writer's connection to a store that is up to date."""
    connection = None
    try:
        connection = open_writer(path)
        migrate(SqliteGround(connection, path), catalog.migrations, where=str(path), backups=backups)
        catalog.check_columns(columns(connection))
        return connection
    except BaseException as error:
        if connection is not None:
            connection.close()
        explained = explain(error, path)
        if explained is error:
            raise
        raise explained from error


class SqliteStore:
    """Made inside the event loop that uses it."""

    kind: Kind = "sqlite"
    vectors = False

    def __init__(self, connection: sqlite3.Connection, path: Path, catalog: Catalog) -> None:
        self.columns: Columns = columns(connection)
        self._queries = catalog.queries(self.kind)
        self.url = f"sqlite://{path}"
        self._path = path
        self._writer = Writer(SqliteLink(connection, path, self._queries), where=f"store at {path}")
        self._readers: Readers[sqlite3.Connection] = Readers(lambda: open_reader(path))

    @property
    def commits(self) -> int:
        """Transactions committed since the store was opened."""
        return self._writer.commits

    async def write(self, work: Callable[[Tx], T], /, *, within: float | None = None) -> T:
        return await self._writer.write(work, within=within)

    async def read(self, work: Callable[[Reader], T], /) -> T:
        def view(connection: sqlite3.Connection) -> T:
            connection.execute("BEGIN")
            try:
                return work(SqliteTx(connection, self._queries))
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

        return await self._run(view)

    async def size(self, *, tables: bool = False) -> Size:
        def measure(connection: sqlite3.Connection) -> Size:
            files = [self._path, self._path.with_name(f"{self._path.name}-wal")]
            rows = {
                name: connection.execute(f'SELECT COUNT(*) FROM "{name}"').fetchone()[0]  # noqa: S608 (from the catalogue)
                for name in sorted(self.columns)
            }
            total = sum(file.stat().st_size for file in files if file.exists())
            return Size(total, rows, _bytes_by_table(connection) if tables else {})

        return await self._run(measure)

    async def backup(self, target: Path, /) -> None:
        await self._run(lambda connection: copy(connection, target))

    async def settle(self, removed: Sequence[str] = ()) -> None:
        try:
            await asyncio.to_thread(leave_no_trace, self._path, removed)
        except (sqlite3.Error, OSError) as error:
            raise explain(error, self._path) from error

    async def close(self) -> None:
        # The writer last: only a connection that may write can fold the WAL into the database and remove it.
        await self._readers.close()
        await self._writer.close()

    async def _run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        try:
            return await self._readers.run(work)
        except (sqlite3.Error, OSError) as error:
            raise explain(error, self._path) from error


def _bytes_by_table(connection: sqlite3.Connection) -> dict[str, int]:
    """Pages per table, indexes included; nothing where SQLite was built without `dbstat`."""
    query = (
        "SELECT m.tbl_name, SUM(s.pgsize) FROM dbstat('main', 1) s JOIN sqlite_master m ON m.name = s.name"
        " GROUP BY m.tbl_name"
    )
    with suppress(sqlite3.Error):
        return {str(name): int(size) for name, size in connection.execute(query)}
    return {}
