"""The store: one interface, SQLite (embedded) or PostgreSQL (teams) behind it, chosen by a URL.

`open_store` is all that others need from here, besides `interface`.
"""

from __future__ import annotations

import asyncio
import importlib.util
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from holdfast.errors import ConfigError
from holdfast.ids import new_id, now_us
from holdfast.store.catalog import Catalog, CatalogSource
from holdfast.store.health import backups_in, day
from holdfast.store.interface import Store, Tx
from holdfast.store.mask import mask
from holdfast.store.record import ReadBack, Remembered, StoreRecord

__all__ = [
    "Catalog",
    "CatalogSource",
    "Store",
    "mask",
    "open_home_store",
    "open_store",
    "restore_store",
    "sqlite_path",
    "sqlite_url",
]


async def open_store(
    url: str, catalog: Catalog, *, backups: Path, remembered: Remembered | None = None, had: bool = False
) -> Store:
    """Open the store at `url`, bring it up to date (after a backup into `backups`), for this event loop.

    `catalog` says which tables, queries and migrations there are: `program.CATALOG`. With what a home
    remembers, a store that is not the one it had is StoreUnfit; so is none at all with `had`.
    """
    scheme = urlsplit(url).scheme
    if scheme == "sqlite":
        from holdfast.store import sqlite

        path = sqlite_path(url)
        opened = await asyncio.to_thread(
            sqlite.open_connection, path, catalog, backups=backups, remembered=remembered, had=had
        )
        return sqlite.SqliteStore(opened, path, catalog)
    if scheme in ("postgresql", "postgres"):
        _require_driver()
        from holdfast.store import postgres

        place = await asyncio.to_thread(postgres.prepare, url, catalog, backups=backups, remembered=remembered)
        return postgres.PostgresStore(place, catalog)
    raise ConfigError(f"The store's URL must begin with sqlite:/// or postgresql://, not {mask(url)!r}.")


async def open_home_store(url: str, catalog: Catalog, *, backups: Path, record: StoreRecord) -> Store:
    """Open a home's store, if it is the one the home remembers, and remember it."""
    remembered = record.read()
    had = remembered is not None or record.is_broken or (record.is_missing and bool(backups_in(backups)))
    store = await open_store(url, catalog, backups=backups, remembered=remembered, had=had)
    try:
        await _introduce(store, record, remembered)
    except BaseException:
        await store.close()
        raise
    return store


async def _introduce(store: Store, record: StoreRecord, remembered: Remembered | None) -> None:
    """Give the store an id and a birth if it has none, and write down whom the home has now."""

    def facts(tx: Tx) -> dict[str, str]:
        found: dict[str, str] = {}
        for name, value in (("store_id", new_id()), ("born_at", str(now_us()))):
            tx.run("session.fact_set", name=name, value=value)
            found[name] = str((tx.one("session.fact", name=name) or {})["value"])
        return found

    about = await store.write(facts)
    known = remembered or Remembered("", 0)
    lost = getattr(store, "lost_frames", 0)
    refill, note = known.refill, known.note
    if lost:
        note = LOG_LOST.format(day=day(now_us()), lost=lost)
        refill = ReadBack(known.seen_at)
    record.write(
        replace(
            known,
            id=about["store_id"],
            born_at=int(about["born_at"]),
            bytes=await store.bytes(),
            seen_at=now_us(),
            damage=None,
            refill=refill,
            note=note,
        )
    )


LOG_LOST = (
    "On {day} the log beside the store was found damaged: {lost} changes that had not been folded in are lost. The "
    "client's transcripts were read again."
)


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
