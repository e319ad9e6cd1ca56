"""The store for teams: one PostgreSQL database, shared by several daemons, with pgvector if it is installed.

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

from holdfast.errors import StoreError, StoreUnfit
from holdfast.ids import now_us
from holdfast.paths import make_private_folder
from holdfast.store.catalog import Catalog
from holdfast.store.health import Health
from holdfast.store.interface import Reader, Size, Tx
from holdfast.store.lex import StoreKind
from holdfast.store.mask import mask
from holdfast.store.migrate import Migration, migrate
from holdfast.store.postgres import dump
from holdfast.store.postgres.connect import SCHEMA, PostgresConnection, connect, explainer, lost, turned_away
from holdfast.store.postgres.examine import missing_tables, recognise, shut
from holdfast.store.postgres.ground import PostgresGround, prepare_database
from holdfast.store.postgres.tx import PostgresLink, PostgresTx, impatient
from holdfast.store.readers import Readers
from holdfast.store.record import Remembered
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
    connection: PostgresConnection
    vectors: bool
    columns: Columns


def prepare(url: str, catalog: Catalog, *, backups: Path, remembered: Remembered | None = None) -> Server:
    """Connect, make the schema, migrate. With something remembered, only the store that it is about will do."""
    where = mask(url)
    explain = explainer(where)
    connection = None
    try:
        connection = connect(url)
        vectors = prepare_database(connection, where)
        if remembered is not None:
            recognise(connection, remembered, catalog.migrations, where, backups)
        migrate(PostgresGround(connection, explain), catalog.migrations, where=where, backups=backups)
        there = dump.columns(connection)
        catalog.check_columns(there)
        return Server(url, where, connection, vectors, there)
    except BaseException as error:
        if connection is not None:
            connection.close()
        explained = explain(error)
        if remembered is not None and turned_away(error):
            explained = shut(where, error, backups)
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


def set_aside(url: str) -> str:
    """Rename our schema, with all that is in it, and say what it is called now; '' when there was none."""
    name = f"{SCHEMA}_aside_{now_us()}"
    try:
        with connect(url) as connection:
            if not dump.tables(connection):
                return ""
            connection.execute(
                sql.SQL("ALTER SCHEMA {} RENAME TO {}").format(sql.Identifier(SCHEMA), sql.Identifier(name))
            )
            return name
    except psycopg.Error as error:
        raise StoreError(f"The store at {mask(url)} could not be set aside ({error}); nothing was changed.") from error


def carry_marks(url: str, marks: Sequence[tuple[str, int, int]]) -> int:
    """Marks of what was forgotten, into a store that was just restored; how many it did not have."""
    with connect(url) as connection:
        if "tombstone" not in dump.tables(connection):
            return 0
        before = connection.execute("SELECT COUNT(*) AS n FROM tombstone").fetchone()
        with connection.cursor() as cursor:
            cursor.executemany(
                "INSERT INTO tombstone (mark, until_at, forgotten_at) VALUES (%s, %s, %s) ON CONFLICT (mark) DO UPDATE"
                " SET until_at = GREATEST(tombstone.until_at, excluded.until_at)",
                marks,
            )
        after = connection.execute("SELECT COUNT(*) AS n FROM tombstone").fetchone()
        return int((after or {"n": 0})["n"]) - int((before or {"n": 0})["n"])


class PostgresStore:
    """Made inside the event loop that uses it."""

    kind: StoreKind = "postgresql"

    def __init__(self, place: Server, catalog: Catalog) -> None:
        self.catalog = catalog
        self.columns: Columns = place.columns
        self._queries = catalog.queries(self.kind)
        self.url = place.where
        self.health = Health()
        self.vectors = place.vectors
        """Can this database search vectors itself?"""
        open_connection = functools.partial(connect, place.url)
        self._explain = self._reporting(explainer(place.where))
        self._where = place.where
        self._migrations = catalog.migrations
        self._writer = Writer(
            PostgresLink(open_connection, place.connection, place.where, self._queries, self._explain),
            where=f"database at {place.where}",
        )
        self._readers: Readers[PostgresConnection] = Readers(lambda: impatient(open_connection(), READ_LOCK_MS))

    @property
    def commits(self) -> int:
        """Transactions committed since the store was opened."""
        return self._writer.commits

    async def write(self, work: Callable[[Tx], T], /, *, within: float | None = None) -> T:
        self.health.refuse()
        return await self._writer.write(work, within=within)

    async def read(self, work: Callable[[Reader], T], /) -> T:
        def view(connection: PostgresConnection) -> T:
            connection.execute(b"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            try:
                return work(PostgresTx(connection, self._queries))
            finally:
                if not connection.closed:
                    connection.execute(b"ROLLBACK")

        return await self._run(view)

    async def size(self, *, tables: bool = False) -> Size:
        def measure(connection: PostgresConnection) -> Size:
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

    async def bytes(self) -> int:
        def measure(connection: PostgresConnection) -> int:
            query = (
                "SELECT COALESCE(SUM(pg_total_relation_size(c.oid)), 0)::BIGINT AS size FROM pg_class c"
                " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = %s AND c.relkind IN ('r', 'p')"
            )
            found = connection.execute(query, (SCHEMA,)).fetchone()
            return int(found["size"]) if found else 0

        return await self._run(measure)

    async def look(self) -> StoreUnfit | None:
        """Nothing to be seen from outside: a table that is missing is met by whoever needs it."""
        return None

    async def check(self, *, full: bool) -> tuple[str, ...]:
        """Are all tables there? The database's administrator looks after their content."""

        def missing(connection: PostgresConnection) -> tuple[str, ...]:
            return missing_tables(connection, self._migrations)

        try:
            return await self._run(missing)
        except StoreUnfit as error:
            return (str(error),)

    async def rescue(self, target: Path, /) -> None:
        raise StoreError("There is nothing to rescue: the database is elsewhere.")

    async def backup(self, target: Path, /) -> None:
        await self._run(lambda connection: dump.write(connection, target))

    async def settle(self, removed: Sequence[str] = ()) -> None:
        """Dead rows leave their pages. The server's own log and copies are its administrator's business."""

        def vacuum(connection: PostgresConnection) -> None:
            for table in dump.tables(connection):
                connection.execute(sql.SQL("VACUUM {}").format(sql.Identifier(SCHEMA, table)))

        await self._run(vacuum)

    async def close(self) -> None:
        await self._readers.close()
        await self._writer.close()

    def _reporting(self, explain: Callable[[BaseException], BaseException]) -> Callable[[BaseException], BaseException]:
        """A database that was open and lets us in no more, or has lost tables, is unfit; the daemon is told."""

        def explained(error: BaseException) -> BaseException:
            found = shut(self._where, error) if turned_away(error) else explain(error)
            self.health.report(found)
            return found

        return explained

    async def _run(self, work: Callable[[PostgresConnection], T]) -> T:
        """On a reader; once more on a new connection when the old one turns out to be gone."""

        def twice(connection: PostgresConnection) -> T:
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
