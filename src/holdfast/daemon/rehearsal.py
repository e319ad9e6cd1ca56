"""Composes the product in a temporary home and serves nothing: `make docs` refuses what a start would refuse, and SQL
that could not run or names a table of another room, which a start has no time to read.

`python -m holdfast.daemon.rehearsal` ends with 1 and the sentence that `holdfast start` would say.
"""

from __future__ import annotations

import asyncio
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from holdfast import config
from holdfast.build import Running
from holdfast.daemon.app import make_app
from holdfast.daemon.compose import PRODUCT, Parts, compose, declared_by, scrubber_of
from holdfast.errors import ConfigError, HoldfastError
from holdfast.paths import Home
from holdfast.store.catalog import Catalog


async def rehearse(home: Home, parts: Parts = PRODUCT) -> None:
    """Compose everything and close it again. A declaration that is wrong is an error with a sentence."""
    declared_by(parts)  # as `worker.serve` does
    loaded = config.load(home.config, environment={}, rooms=parts.rooms)
    composition = await compose(home, loaded, scrubber_of(loaded.config), parts)
    try:
        make_app(composition, 0, b"", Running())
        composition.store.catalog.check_spoken()
        _prepare(home, composition.store.catalog)
    finally:
        await composition.store.close()


def _prepare(home: Home, catalog: Catalog) -> None:
    """Have SQLite read every query; none is run."""
    with closing(sqlite3.connect(home.database)) as database:
        for name, query in catalog.queries("sqlite").items():
            try:
                database.execute(f"EXPLAIN {query.text}", dict.fromkeys(query.params))
            except sqlite3.Error as error:
                raise ConfigError(f"The query {name} cannot run: {error}.") from error


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="hf") as folder:
        home = Home(Path(folder))
        home.prepare()
        try:
            asyncio.run(rehearse(home))
        except HoldfastError as error:
            print(f"holdfast: {error}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
