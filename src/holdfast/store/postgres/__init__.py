"""The store for teams: one PostgreSQL database, shared by several daemons, with pgvector where it is to be had.

Imported only when a URL asks for it, since its driver is an extra.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import psycopg
from psycopg import sql

from holdfast.errors import StoreError
from holdfast.ids import now_us
from holdfast.paths import make_private_folder
from holdfast.store.catalog import Catalog
from holdfast.store.interface import Reader, Size, Tx
from holdfast.store.lex import Kind
from holdfast.store.mask import mask
from holdfast.store.migrate import Migration, migrate
from holdfast.store.postgres import dump
from holdfast.store.postgres.connect import SCHEMA, Connection, connect, explainer, lost
from holdfast.store.postgres.ground import PostgresGround, prepare_database
from holdfast.store.postgres.tx import PostgresLink, PostgresTx, impatient
from holdfast.store.readers import Readers
from holdfast.store.table import Columns
from holdfast.store.writer import Writer

T = TypeVar("T")

READ_LOCK_MS = 2_000
"""A read that waits longer for a lock gives up: the readers are few."""


@dataclass(frozen=True, slots=True)
class Server:
    """A database that is up to date, and the first connection to it."""

    url: str
    where: str
    connection: Connection
    vectors: bool
    columns: Columns


def prepare(url: str, catalog: Catalog, *, backups: Path) -> Server:
    """Connect, make the schema, migrate."""
    where = mask(url)
    explain = explainer(where)
    connection = None
    try:
        connection = connect(url)
        vectors = prepare_database(connection, where)
        migrate(PostgresGround(connection, explain), catalog.migrations, where=where, backups=backups)
        there = dump.columns(connection)
        catalog.check_columns(there)
        return Server(url, where, connection, vectors, there)
    except BaseException as error:
        if connection is not None:
            connection.close()
        explained = explain(error)
        if explained is error:
            raise
        raise explained from error


def restore(url: str, source: Path, known: Sequence[Migration], *, backups: Path) -> Path | None:
    """Put the backup `source` in the place of everything in this database; a copy of that goes to `backups`."""
    where = mask(url)
    try:
        with connect(url) as connection:
            prepare_database(connection, where)
            aside = None
            if dump.tables(connection):
                make_private_folder(backups)
                aside = backups / f"before-restore-{now_us()}{dump.SUFFIX}"
                dump.write(connection, aside)
            dump.load(connection, source, list(known))
            return aside
    except (psycopg.Error, OSError, UnicodeDecodeError) as error:
        raise StoreError(f"{source} could not be restored ({error}); nothing was changed.") from error


class PostgresStore:
    """Made inside the event loop that uses it."""

    kind: Kind = "postgresql"

    def __init__(self, place: Server, catalog: Catalog) -> None:
        self.columns: Columns = place.columns
        self._queries = catalog.queries(self.kind)
        self.url = place.where
        self.vectors = place.vectors
        """Can this database search vectors itself?"""
        open_connection = functools.partial(connect, place.url)
        self._explain = explainer(place.where)
        self._writer = Writer(
            PostgresLink(open_connection, place.connection, place.where, self._queries),
            where=f"database at {place.where}",
        )
        self._readers: Readers[Connection] = Readers(lambda: impatient(open_connection(), READ_LOCK_MS))

    @property
    def commits(self) -> int:
        """Transactions committed since the store was opened."""
        return self._writer.commits

    async def write(self, work: Callable[[Tx], T], /, *, within: float | None = None) -> T:
        return await self._writer.write(work, within=within)

    async def read(self, work: Callable[[Reader], T], /) -> T:
        def view(connection: Connection) -> T:
            connection.execute(b"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            try:
                return work(PostgresTx(connection, self._queries))
            finally:
                if not connection.closed:
                    connection.execute(b"ROLLBACK")

        return await self._run(view)

    async def size(self, *, tables: bool = False) -> Size:
        def measure(connection: Connection) -> Size:
            rows: dict[str, int] = {}
            sizes: dict[str, int] = {}
            for table in sorted(self.columns):
                name = sql.Identifier(SCHEMA, table)
                query = sql.SQL("SELECT COUNT(*) AS n, pg_total_relation_size({}::regclass) AS size FROM {}").format(
                    sql.Literal(name.as_string(connection)), name
                )
                found = connection.execute(query).fetchone()
                if found:
                    rows[table] = found["n"]
                    sizes[table] = found["size"]
            return Size(sum(sizes.values()), rows, sizes)

        return await self._run(measure)

    async def backup(self, target: Path, /) -> None:
        await self._run(lambda connection: dump.write(connection, target))

    async def settle(self, removed: Sequence[str] = ()) -> None:
        """Dead rows leave their pages. What the server's own log and copies still hold is its keeper's business."""

        def vacuum(connection: Connection) -> None:
            for table in dump.tables(connection):
                connection.execute(sql.SQL("VACUUM {}").format(sql.Identifier(SCHEMA, table)))

        await self._run(vacuum)

    async def close(self) -> None:
        await self._readers.close()
        await self._writer.close()

    async def _run(self, work: Callable[[Connection], T]) -> T:
        """On a reader; once more on a new connection when the old one turns out to be gone."""

        def twice(connection: Connection) -> T:
            try:
                return work(connection)
            except psycopg.Error as error:
                if not lost(error, connection):
                    raise
                self._readers.forget()
                return work(self._readers.connection())

        try:
            return await self._readers.run(twice)
        except (psycopg.Error, OSError) as error:
            raise self._explain(error) from error
