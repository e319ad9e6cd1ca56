"""Named queries on a SQLite connection, and the writer's way to begin and end a transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from holdfast.store.interface import Tx, Value
from holdfast.store.lex import StoreKind
from holdfast.store.queries import Queries
from holdfast.store.sqlite.checkpoint import Checkpointer
from holdfast.store.sqlite.connect import explain, open_beside
from holdfast.store.sqlite.ground import copy
from holdfast.store.sqlite.rows import SIZES, of_size, row_insert
from holdfast.store.text import has_nul, storable_row


class SqliteTx:
    """The queries of the catalog on one connection. Reading or writing is decided by the connection."""

    kind: StoreKind = "sqlite"
    __slots__ = ("_connection", "_queries")

    def __init__(self, connection: sqlite3.Connection, known: Queries) -> None:
        self._connection = connection
        self._queries = known

    @property
    def connection(self) -> sqlite3.Connection:
        """For the store's own care of its file; rooms have named queries."""
        return self._connection

    def one(self, query: str, /, **params: Value) -> dict[str, Value] | None:
        cursor = self._execute(query, params)
        row = cursor.fetchone()
        return None if row is None else dict(zip((column[0] for column in cursor.description), row, strict=True))

    def all(self, query: str, /, **params: Value) -> list[dict[str, Value]]:
        cursor = self._execute(query, params)
        rows = cursor.fetchall()
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in rows]

    def run(self, query: str, /, **params: Value) -> int:
        changed = self._execute(query, params).rowcount
        if changed < 0:  # the driver counts only for statements that begin with INSERT, UPDATE or DELETE
            changed = self._connection.execute("SELECT changes()").fetchone()[0]
        return changed

    def many(self, query: str, rows: Iterable[Mapping[str, Value]], /) -> int:
        found = self._queries[query]
        kept: list[Mapping[str, Value]] = []
        for row in rows:
            if row.keys() != found.params:
                found.check(row)
            kept.append(storable_row(row))
        parts = row_insert(found.text) if len(kept) > 1 else None
        if parts is None:
            return self._connection.executemany(found.text, kept).rowcount if kept else 0
        changed, at = 0, 0
        for size in SIZES:
            while len(kept) - at >= size:
                values = [row[name] for row in kept[at : at + size] for name in parts.names]
                changed += self._connection.execute(of_size(found.text, size), values).rowcount
                at += size
        return changed + sum(self._connection.execute(found.text, row).rowcount for row in kept[at:])

    def _execute(self, query: str, params: dict[str, Value]) -> sqlite3.Cursor:
        found = self._queries[query]
        if params.keys() != found.params:
            found.check(params)
        if has_nul(params.values()):
            params = storable_row(params)
        try:
            return self._connection.execute(found.text, params)
        except UnicodeEncodeError:  # raised while binding, before anything ran
            return self._connection.execute(found.text, storable_row(params))


class SqliteLink:
    """The writer's connection."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        path: Path,
        known: Queries,
        report: Callable[[BaseException], None] = lambda error: None,
    ) -> None:
        self._connection = connection
        self._path = path
        self._report = report
        self._tx = SqliteTx(connection, known)
        self._checkpointer = Checkpointer(lambda: open_beside(path))

    def ready(self) -> Tx:
        return self._tx

    def begin(self) -> None:
        self._connection.execute("BEGIN IMMEDIATE")

    def commit(self) -> None:
        self._connection.execute("COMMIT")
        self._checkpointer.written()

    def rollback(self) -> None:
        if self._connection.in_transaction:  # a full disk may have undone it already
            with suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")

    def lost(self, error: BaseException) -> bool:
        return False

    def explain(self, error: BaseException) -> BaseException:
        explained = explain(error, self._path)
        self._report(explained)
        return explained

    def close(self) -> None:
        self._checkpointer.close()
        with suppress(sqlite3.Error):
            self._connection.execute("PRAGMA optimize")
        self._connection.close()


def reindex_all(tx: Tx) -> None:
    """Make every index anew from its table."""
    assert isinstance(tx, SqliteTx)
    tx.connection.execute("REINDEX")


def rescued(tx: Tx, target: Path) -> None:
    """Copy the database as this connection sees it, whatever its file is called by now."""
    assert isinstance(tx, SqliteTx)
    tx.connection.execute("COMMIT")  # SQLite copies nothing for a connection that is about to write
    try:
        copy(tx.connection, target)
    finally:
        tx.connection.execute("BEGIN IMMEDIATE")
