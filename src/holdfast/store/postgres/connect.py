"""Connecting to PostgreSQL, so that values look as they do from SQLite, and saying what its errors mean.

Everything of ours is in the schema `holdfast`. Knows no query and no table.
"""

from __future__ import annotations

import errno
from collections.abc import Callable
from typing import Any

import psycopg
from psycopg import errors, rows
from psycopg.adapt import Buffer, Loader
from psycopg.types.numeric import Int8Dumper
from psycopg.types.string import StrDumper

from holdfast.errors import HoldfastError, StoreAway, StoreBusy, StoreError, StoreFull, StoreUnfit

SCHEMA = "holdfast"

PostgresRow = dict[str, Any]
PostgresConnection = psycopg.Connection[PostgresRow]

_FULL = (errors.DiskFull, errors.OutOfMemory)
_AWAY = (
    errors.AdminShutdown,
    errors.CrashShutdown,
    errors.CannotConnectNow,
    errors.DatabaseDropped,
    errors.IdleSessionTimeout,
    errors.TooManyConnections,
    errors.ConnectionException,
)

_PASSING = ("too many connections", "connection slots", "terminating connection")
"""What a server may say after it has asked for the password, and that goes away by itself."""


class _Number(Loader):
    """SUM over BIGINT is NUMERIC here and an integer in SQLite."""

    def load(self, data: Buffer) -> int | float:
        text = bytes(data)
        return int(text) if text.lstrip(b"-").isdigit() else float(text)


class _Truth(Loader):
    """SQLite's truth is 1."""

    def load(self, data: Buffer) -> int:
        return int(bytes(data) == b"t")


def connect(url: str) -> PostgresConnection:
    """A connection in autocommit mode: transactions are begun by those who need one."""
    connection = psycopg.Connection[PostgresRow].connect(
        url,
        autocommit=True,
        row_factory=rows.dict_row,
        prepare_threshold=2,
        connect_timeout=5,
        client_encoding="UTF8",
        application_name="holdfast",
        keepalives_idle=30,
        keepalives_interval=10,
        keepalives_count=3,
        tcp_user_timeout=15_000,
    )
    adapters = connection.adapters
    # One type per Python type, whatever the value: or each size of number would make a statement of its own.
    adapters.register_dumper(int, Int8Dumper)
    adapters.register_dumper(str, StrDumper)
    adapters.register_loader("numeric", _Number)
    adapters.register_loader("bool", _Truth)
    try:
        connection.execute(f"SET search_path TO {SCHEMA}, public")
    except BaseException:
        connection.close()
        raise
    return connection


def lost(error: BaseException, connection: PostgresConnection | None) -> bool:
    """Is the connection gone, or no longer fit for use?"""
    if not isinstance(error, psycopg.Error):
        return False
    if connection is None or connection.closed or connection.broken or isinstance(error, _AWAY):
        return True
    # A prepared statement from before another daemon's migration: a new connection prepares it anew.
    return isinstance(error, errors.FeatureNotSupported) and "cached plan" in str(error)


def turned_away(error: BaseException) -> bool:
    """Can the URL not be used at all, or did the server not let us in? Neither goes away by itself.

    libpq has no SQLSTATE for a connection that was never made. But it knows whether the server had asked for a password
    by then (not before it is ready to work), and writes what a server says as `SEVERITY:  sentence`, in any language.
    """
    text = str(error)
    if not isinstance(error, psycopg.OperationalError) or error.pgconn is None:
        return False
    if text.startswith("connection is bad: invalid"):
        return True
    asked = error.pgconn.used_password and ":  " in text and not any(word in text for word in _PASSING)
    return text.startswith("connection failed: ") and (error.pgconn.needs_password or asked)


def explainer(where: str) -> Callable[[BaseException], BaseException]:
    """A sentence for what we know; anything else as it is. `where` is the URL for people."""

    def known(error: BaseException) -> StoreError | None:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        if isinstance(error, _FULL) or (isinstance(error, OSError) and error.errno == errno.ENOSPC):
            return StoreFull(
                f"The database at {where} has no room left: this was not written, and what was kept before is safe. "
                "Free some space there; holdfast goes on by itself."
            )
        if isinstance(error, errors.ReadOnlySqlTransaction | errors.InsufficientPrivilege):
            return StoreError(
                f"The database at {where} does not let this user write ({reason}); nothing was changed. "
                "Ask its administrator for the rights, or name another database."
            )
        if isinstance(error, errors.LockNotAvailable | errors.QueryCanceled):
            return StoreBusy(
                f"Another program holds a lock in the database at {where} ({reason}), so this was not written. "
                "End its transaction; holdfast goes on by itself."
            )
        if isinstance(error, errors.UndefinedTable | errors.InvalidSchemaName):
            return StoreUnfit(
                f"The store in the database at {where} is damaged: {reason}. Events wait in the spool; "
                "`holdfast restore FILE` brings back a backup."
            )
        if turned_away(error):
            return StoreError(
                f"The database at {where} cannot be opened ({reason}); nothing was changed. "
                "Correct the store's URL, or ask the administrator of the database."
            )
        if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
            return StoreAway(
                f"The database at {where} cannot be reached ({reason}); this was not written. "
                "holdfast tries again by itself."
            )
        if isinstance(error, OSError):
            return StoreError(f"A file for the store at {where} cannot be written ({error.strerror}).")
        return None

    def explain(error: BaseException) -> BaseException:
        if isinstance(error, HoldfastError):
            return error
        found = known(error)
        if found is None:
            return error
        found.__cause__ = error
        return found

    return explain
