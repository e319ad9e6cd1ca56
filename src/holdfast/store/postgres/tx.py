"""Named queries on a PostgreSQL connection, and the writer's way to connect, begin and end a transaction."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress

import psycopg

from holdfast.errors import StoreAway
from holdfast.store.interface import Tx, Value
from holdfast.store.lex import StoreKind
from holdfast.store.postgres.connect import PostgresConnection, PostgresRow, explainer, lost
from holdfast.store.queries import Queries
from holdfast.store.text import storable_row

FIRST_PAUSE = 0.25
LONGEST_PAUSE = 15.0
LOCK_MS = 700
"""How long a write waits for another's lock: less than an event may wait, because all writes share one connection."""


class PostgresTx:
    """The queries of the catalog on one connection. Reading or writing is decided by its transaction."""

    kind: StoreKind = "postgresql"
    __slots__ = ("_connection", "_queries")

    def __init__(self, connection: PostgresConnection, known: Queries) -> None:
        self._connection = connection
        self._queries = known

    def one(self, query: str, /, **params: Value) -> dict[str, Value] | None:
        return self._execute(query, params).fetchone()

    def all(self, query: str, /, **params: Value) -> list[dict[str, Value]]:
        return self._execute(query, params).fetchall()

    def run(self, query: str, /, **params: Value) -> int:
        return self._execute(query, params).rowcount

    def many(self, query: str, rows: Iterable[Mapping[str, Value]], /) -> int:
        found = self._queries[query]

        def checked() -> Iterable[dict[str, Value]]:
            for row in rows:
                if row.keys() != found.params:
                    found.check(row)
                yield storable_row(row)

        with self._connection.cursor() as cursor:
            cursor.executemany(found.text.encode(), checked())
            return max(0, cursor.rowcount)

    def _execute(self, query: str, params: dict[str, Value]) -> psycopg.Cursor[PostgresRow]:
        found = self._queries[query]
        if params.keys() != found.params:
            found.check(params)
        return self._connection.execute(found.text.encode(), storable_row(params))


def impatient(connection: PostgresConnection, milliseconds: int) -> PostgresConnection:
    """The connection, which from now on waits for another's lock no longer than that."""
    connection.execute(b"SET lock_timeout = %d" % milliseconds)
    return connection


class PostgresLink:
    """The writer's connection. When it is lost, the next group connects anew; after a failure not at once again."""

    def __init__(
        self,
        connect: Callable[[], PostgresConnection],
        first: PostgresConnection,
        where: str,
        known: Queries,
        explain: Callable[[BaseException], BaseException] | None = None,
    ) -> None:
        self._queries = known
        self._connect = connect
        self._connection: PostgresConnection | None = impatient(first, LOCK_MS)
        self._tx = PostgresTx(first, known)
        self._explain = explain or explainer(where)
        self._where = where
        self._pause = FIRST_PAUSE
        self._not_before = 0.0

    def ready(self) -> Tx:
        if self._connection is None:
            if time.monotonic() < self._not_before:
                raise StoreAway(
                    f"The database at {self._where} cannot be reached at present; this was not written. "
                    "holdfast tries again by itself."
                )
            try:
                self._connection = impatient(self._connect(), LOCK_MS)
            except psycopg.Error as error:
                self._not_before = time.monotonic() + self._pause
                self._pause = min(self._pause * 2, LONGEST_PAUSE)
                raise self._explain(error) from error
            self._tx = PostgresTx(self._connection, self._queries)
            self._pause = FIRST_PAUSE
        return self._tx

    def begin(self) -> None:
        self._there().execute(b"BEGIN")

    def commit(self) -> None:
        # The COMMIT of a transaction in which a statement failed is a ROLLBACK, and no error.
        if self._there().execute(b"COMMIT").statusmessage != "COMMIT":
            raise psycopg.errors.InFailedSqlTransaction("a write went on after one of its statements had failed")

    def rollback(self) -> None:
        connection = self._connection
        if connection is None:
            return
        try:
            connection.execute(b"ROLLBACK")
        except psycopg.Error:
            self._drop()

    def lost(self, error: BaseException) -> bool:
        if not lost(error, self._connection):
            return False
        self._drop()
        return True

    def explain(self, error: BaseException) -> BaseException:
        return self._explain(error)

    def close(self) -> None:
        self._drop()

    def _there(self) -> PostgresConnection:
        if self._connection is None:
            raise psycopg.OperationalError("the connection is gone")
        return self._connection

    def _drop(self) -> None:
        if self._connection is not None:
            with suppress(psycopg.Error):
                self._connection.close()
            self._connection = None
