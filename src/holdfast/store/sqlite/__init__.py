"""The embedded store: one SQLite file in WAL mode, one writer, two readers. Standard library only."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from holdfast.errors import StoreError, StoreUnfit
from holdfast.ids import now_us
from holdfast.paths import make_private_folder
from holdfast.store.background import in_background
from holdfast.store.catalog import Catalog
from holdfast.store.health import Health
from holdfast.store.interface import Reader, Size, Tx
from holdfast.store.lex import StoreKind
from holdfast.store.migrate import migrate
from holdfast.store.readers import Readers
from holdfast.store.record import Remembered
from holdfast.store.sqlite.connect import explain, make_private_file, open_reader, open_writer
from holdfast.store.sqlite.examine import Examiner, check
from holdfast.store.sqlite.ground import SqliteGround, columns, copy
from holdfast.store.sqlite.traces import leave_no_trace
from holdfast.store.sqlite.tx import SqliteLink, SqliteTx, reindex_all, rescued
from holdfast.store.table import Columns
from holdfast.store.writer import Writer

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Opened:
    """The writer's connection to a store that is up to date."""

    connection: sqlite3.Connection
    lost_frames: int = 0


def open_connection(
    path: Path, catalog: Catalog, *, backups: Path, remembered: Remembered | None = None, had: bool = False
) -> Opened:
    """Examine the file, open it, bring it up to date. Without `had`, a file that is not there is made."""
    connection = None
    try:
        examined = Examiner(path, backups, catalog.migrations, remembered, had).examine()
        if examined.lost_frames:
            keep_log(path, backups)
        connection = open_writer(path)
        migrate(SqliteGround(connection, path), catalog.migrations, where=str(path), backups=backups)
        catalog.check_columns(columns(connection))
        return Opened(connection, examined.lost_frames)
    except BaseException as error:
        if connection is not None:
            connection.close()
        explained = explain(error, path)
        if explained is error:
            raise
        raise explained from error


def keep_log(path: Path, backups: Path) -> None:
    """A log that SQLite will overwrite although it could not read all of it."""
    make_private_folder(backups)
    kept = backups / f"log-{now_us()}.db"
    with suppress(OSError):
        make_private_file(kept)
        shutil.copyfile(path.with_name(f"{path.name}-wal"), kept)


class SqliteStore:
    """Made inside the event loop that uses it."""

    kind: StoreKind = "sqlite"
    vectors = False

    def __init__(self, opened: Opened, path: Path, catalog: Catalog) -> None:
        self.catalog = catalog
        self.columns: Columns = columns(opened.connection)
        self._queries = catalog.queries(self.kind)
        self.url = f"sqlite://{path}"
        self.health = Health()
        self.lost_frames = opened.lost_frames
        """Frames of the log that were damaged when the store was opened."""
        self._path = path
        self._file = _identity(path)
        self._writer = Writer(
            SqliteLink(opened.connection, path, self._queries, self.health.report), where=f"store at {path}"
        )
        self._readers: Readers[sqlite3.Connection] = Readers(lambda: open_reader(path))

    @property
    def commits(self) -> int:
        """Transactions committed since the store was opened."""
        return self._writer.commits

    async def write(self, work: Callable[[Tx], T], /, *, within: float | None = None) -> T:
        self.health.refuse()
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
            rows = {
                name: connection.execute(f'SELECT COUNT(*) FROM "{name}"').fetchone()[0]  # noqa: S608 (from the catalogue)
                for name in sorted(self.columns)
            }
            return Size(_size(self._path), rows, _bytes_by_table(connection) if tables else {})

        return await self._run(measure)

    async def bytes(self) -> int:
        return await asyncio.to_thread(_size, self._path)

    async def backup(self, target: Path, /) -> None:
        await self._run(lambda connection: copy(connection, target))

    async def look(self) -> StoreUnfit | None:
        """Is the file still the one that was opened? (SQLite writes on into one that was removed.)"""
        there = await asyncio.to_thread(_identity, self._path)
        if there == self._file:
            return None
        if there is None:
            return StoreUnfit(f"The store at {self._path} was removed while the daemon used it.", "gone")
        return StoreUnfit(f"The store at {self._path} was replaced while the daemon used it.", "replaced")

    async def check(self, *, full: bool) -> tuple[str, ...]:
        """Read every page beside everyone else; what is damaged. Indexes that do not fit their tables are made anew."""
        try:
            found = await in_background(lambda: check(self._path, full=full))
            if found.indexes and not found.damage:
                await self._writer.write(reindex_all)
                found = await in_background(lambda: check(self._path, full=full))
            return found.damage + found.indexes
        except (sqlite3.Error, OSError) as error:
            raise explain(error, self._path) from error

    async def rescue(self, target: Path, /) -> None:
        """Copy what the writer still has open, when the file itself is no longer there."""
        await self._writer.write(lambda tx: rescued(tx, target))
        found = await in_background(lambda: check(target, full=True))
        if found.damage:  # the file was cut, not only renamed: no copy that anybody should bring back
            target.unlink(missing_ok=True)
            raise StoreError(f"it is not whole: {found.damage[0]}")

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
            explained = explain(error, self._path)
            self.health.report(explained)
            raise explained from error


def _size(path: Path) -> int:
    total = 0
    for file in (path, path.with_name(f"{path.name}-wal")):
        with suppress(OSError):
            total += file.stat().st_size
    return total


def _identity(path: Path) -> tuple[int, int] | None:
    """Which file it is; None when there is none, or an empty one in its place."""
    try:
        facts = path.stat()
    except OSError:
        return None
    return (facts.st_dev, facts.st_ino) if facts.st_size else None


def _bytes_by_table(connection: sqlite3.Connection) -> dict[str, int]:
    """Pages per table, indexes included; nothing where SQLite was built without `dbstat`."""
    query = (
        "SELECT m.tbl_name, SUM(s.pgsize) FROM dbstat('main', 1) s JOIN sqlite_master m ON m.name = s.name"
        " GROUP BY m.tbl_name"
    )
    with suppress(sqlite3.Error):
        return {str(name): int(size) for name, size in connection.execute(query)}
    return {}
