"""Every test that asks for a `site` is told twice: once on SQLite, once on a real PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from holdfast.store import sqlite_url
from tests.contract import postgres
from tests.contract.site import Site


@pytest.fixture(scope="session")
def postgres_server(shared_folder: Path) -> postgres.Server:
    """One server for all workers; each test makes a database of its own in it."""
    return postgres.shared(shared_folder)


@pytest.fixture(params=["sqlite", "postgresql"])
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Site]:
    backups = tmp_path / "backups"
    with ExitStack() as stack:
        if request.param == "sqlite":
            yield Site("sqlite", sqlite_url(tmp_path / "holdfast.db"), backups)
        else:
            server: postgres.Server = request.getfixturevalue("postgres_server")
            yield Site("postgresql", stack.enter_context(server.database()), backups)


@pytest.fixture
def postgres_site(postgres_server: postgres.Server, tmp_path: Path) -> Iterator[Site]:
    with postgres_server.database() as url:
        yield Site("postgresql", url, tmp_path / "backups")
