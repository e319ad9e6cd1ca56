"""The store: one interface, SQLite (embedded) or PostgreSQL (teams) behind it, chosen by a URL.

`open_store` is all that others need from here, besides `interface`.
"""

from __future__ import annotations

import asyncio
import importlib.util
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from holdfast.errors import ConfigError
from holdfast.store.catalog import Catalog, Source
from holdfast.store.interface import Store
from holdfast.store.mask import mask

__all__ = ["Catalog", "Source", "Store", "mask", "open_store", "restore_store", "sqlite_path", "sqlite_url"]


async def open_store(url: str, catalog: Catalog, *, backups: Path) -> Store:
    """Open the store at `url`, bring it up to date (after a backup into `backups`), for this event loop.

    `catalog` says which tables, queries and migrations there are: `rooms.room.catalog(ROOMS)`.
    """
    scheme = urlsplit(url).scheme
    if scheme == "sqlite":
        from holdfast.store import sqlite

        path = sqlite_path(url)
        connection = await asyncio.to_thread(sqlite.open_connection, path, catalog, backups=backups)
        return sqlite.SqliteStore(connection, path, catalog)
    if scheme in ("postgresql", "postgres"):
        return await _open_postgres(url, catalog, backups=backups)
    raise ConfigError(f"The store's URL must begin with sqlite:/// or postgresql://, not {mask(url)!r}.")


async def _open_postgres(url: str, catalog: Catalog, *, backups: Path) -> Store:
    _require_driver()
    from holdfast.store import postgres

    place = await asyncio.to_thread(postgres.prepare, url, catalog, backups=backups)
    return postgres.PostgresStore(place, catalog)


def restore_store(url: str, source: Path, catalog: Catalog, *, backups: Path) -> Path | None:
    """Put a backup in the place of the store at `url`, which nobody may have open.

    Returns where what was there before is now, if there was something.
    """
    if urlsplit(url).scheme == "sqlite":
        from holdfast.store.sqlite import ground

        return ground.restore(source, sqlite_path(url), catalog.migrations)
    _require_driver()
    from holdfast.store import postgres

    return postgres.restore(url, source, catalog.migrations, backups=backups)


def _require_driver() -> None:
    """PostgreSQL's driver is an extra."""
    if importlib.util.find_spec("psycopg") is None:
        raise ConfigError("The store is a PostgreSQL, but its driver is not here; install holdfast[postgres].")


def sqlite_url(path: Path) -> str:
    """The URL of a SQLite file."""
    return "sqlite://" + quote(str(path.absolute()))


def sqlite_path(url: str) -> Path:
    """The file of a SQLite URL."""
    parts = urlsplit(url)
    if parts.netloc or not parts.path.strip("/") or parts.query or parts.fragment:
        raise ConfigError(f"A SQLite store's URL is sqlite:///absolute/path, not {url!r}.")
    return Path("/" + unquote(parts.path).lstrip("/"))
