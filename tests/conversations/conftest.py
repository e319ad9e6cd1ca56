"""Stores of both databases, so that every conversation is had twice; and an origin to talk about.

A conversation begins with a store that has its tables. They are made once, and copied: making them anew for each test
takes longer than most conversations. How they are made is the contract's business.
"""

from __future__ import annotations

import fcntl
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from holdfast.store import sqlite_url
from holdfast.store.interface import Store
from tests.contract import postgres
from tests.contract.conftest import postgres_server
from tests.contract.site import Site
from tests.conversations.origin import Origin

__all__ = ["origin", "postgres_server", "site"]

_TEMPLATE = "with_tables"


async def _nothing(store: Store) -> None:
    """Opening it makes the tables."""


@pytest.fixture(scope="session")
def _sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("template")
    Site("sqlite", sqlite_url(folder / "holdfast.db"), folder / "backups").tell(_nothing)
    return folder / "holdfast.db"


@pytest.fixture(scope="session")
def _postgres_template(postgres_server: postgres.Server, shared_folder: Path) -> str:
    """The first worker makes it; the others wait and find it made."""
    made = shared_folder / _TEMPLATE
    with (shared_folder / f"{_TEMPLATE}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            postgres_server.make(_TEMPLATE)
            Site("postgresql", postgres_server.url_of(_TEMPLATE), shared_folder / "backups").tell(_nothing)
            made.touch()
    return _TEMPLATE


@pytest.fixture(params=["sqlite", "postgresql"])
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Site]:
    backups = tmp_path / "backups"
    with ExitStack() as stack:
        if request.param == "sqlite":
            path = Path(shutil.copy(request.getfixturevalue("_sqlite_template"), tmp_path / "holdfast.db"))
            yield Site("sqlite", sqlite_url(path), backups)
        else:
            server: postgres.Server = request.getfixturevalue("postgres_server")
            template = request.getfixturevalue("_postgres_template")
            yield Site("postgresql", stack.enter_context(server.database(template)), backups)


@pytest.fixture
def origin() -> Iterator[Origin]:
    with Origin() as served:
        yield served
