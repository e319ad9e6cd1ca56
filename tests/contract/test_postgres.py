"""What only PostgreSQL does: vectors, lost connections, rights."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from holdfast.errors import StoreAway, StoreError
from holdfast.store.interface import Tx
from tests.contract import postgres
from tests.contract.site import AnyStore, Site, add_query, count, keep
from tests.support.patience import PATIENCE


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[postgres.Server]:
    """A server that a test may stop."""
    with postgres.server() as server:
        yield server


def end_connections(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as other:
        other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE application_name = 'holdfast' AND datname = current_database()"
        )


@pytest.mark.requirement("STO-1")
def test_vectors_can_be_searched(postgres_site: Site) -> None:
    add_query("test.make_vectors", "CREATE TEMPORARY TABLE point (id TEXT, at vector(3))")
    add_query("test.add_vector", "INSERT INTO point (id, at) VALUES (:id, CAST(:at AS vector))")
    add_query("test.nearest", "SELECT id FROM point ORDER BY at <-> CAST(:at AS vector) LIMIT 2")

    async def story(store: AnyStore) -> None:
        assert store.vectors

        def work(tx: Tx) -> list[object]:
            tx.run("test.make_vectors")
            for name, at in (("far", "[9,9,9]"), ("near", "[1,0,0]"), ("nearer", "[1,1,0]")):
                tx.run("test.add_vector", id=name, at=at)
            return [row["id"] for row in tx.all("test.nearest", at="[1,1,0.1]")]

        assert await store.write(work) == ["nearer", "near"]

    postgres_site.tell(story)


@pytest.mark.requirement("STO-1")
def test_a_dropped_connection_is_made_anew_unnoticed(postgres_site: Site) -> None:
    async def story(store: AnyStore) -> None:
        await keep(store, "k1")
        assert await count(store) == 1
        await asyncio.to_thread(end_connections, postgres_site.url)
        assert await asyncio.gather(*(keep(store, f"l{number}") for number in range(20))) == [1] * 20
        assert await count(store) == 21

    postgres_site.tell(story)


@pytest.mark.requirement("OPS-5")
def test_a_server_that_goes_and_comes_back(own_server: postgres.Server, tmp_path: Path) -> None:
    site = Site("postgresql", own_server.url, tmp_path)

    async def story(store: AnyStore) -> None:
        await keep(store, "k1")
        await count(store)
        await asyncio.to_thread(own_server.stop)
        try:
            for _ in range(3):
                with pytest.raises(StoreAway, match="cannot be reached") as told:
                    await keep(store, "k2")
                assert own_server.password not in str(told.value)
            with pytest.raises(StoreAway):
                await count(store)
        finally:
            await asyncio.to_thread(own_server.start)
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                assert await keep(store, "k2") == 1
                break
            except StoreAway:
                assert time.monotonic() < deadline
                await asyncio.sleep(0.05)
        assert await count(store) == 2

    site.tell(story)


@pytest.mark.requirement("EVT-7")
def test_a_swallowed_error_is_not_answered_as_kept(postgres_site: Site) -> None:
    add_query("test.no_such", "SELECT 1 FROM no_such_table")

    async def story(store: AnyStore) -> None:
        def careless(tx: Tx) -> str:
            tx.run("session.fact_set", name="a", value="b")
            try:
                tx.all("test.no_such")
            except psycopg.Error:
                pass
            return "kept"

        with pytest.raises(psycopg.Error, match="went on"):
            await store.write(careless)
        assert await keep(store, "k1") == 1

    postgres_site.tell(story)


@pytest.mark.requirement("STO-1")
def test_no_server_no_database_no_rights(postgres_server: postgres.Server, tmp_path: Path) -> None:
    async def nothing(store: AnyStore) -> None:
        raise AssertionError("it opened")

    away = f"postgresql://me:hush@127.0.0.1:{postgres.free_port()}/holdfast"
    with pytest.raises(StoreAway, match="cannot be reached") as told:
        Site("postgresql", away, tmp_path).tell(nothing)
    assert "hush" not in str(told.value)
    for url in (
        postgres_server.url_of("no_such_database"),
        postgres_server.url.replace(postgres_server.password, "hush"),
    ):
        with pytest.raises(StoreError, match="cannot be opened") as closed:
            Site("postgresql", url, tmp_path).tell(nothing)
        assert not isinstance(closed.value, StoreAway), "it would be waited for"
        assert "hush" not in str(closed.value)


@pytest.mark.requirement("STO-1")
def test_a_user_with_few_rights(postgres_server: postgres.Server, tmp_path: Path) -> None:
    with postgres_server.database() as url:
        with psycopg.connect(url, autocommit=True) as keeper:
            keeper.execute("CREATE ROLE guest LOGIN PASSWORD 'guest'")
            keeper.execute("CREATE SCHEMA holdfast")
        guest = Site("postgresql", url.replace(f"keeper:{postgres_server.password}", "guest:guest"), tmp_path)
        try:
            with pytest.raises(StoreError, match=r"does not let this user|could not be brought up to date"):
                guest.tell(count)
            with psycopg.connect(url, autocommit=True) as keeper:
                keeper.execute("GRANT ALL ON SCHEMA holdfast TO guest")

            async def story(store: AnyStore) -> None:
                assert not store.vectors, "pgvector is not a trusted extension: its absence is no failure"
                assert await keep(store, "k1") == 1

            guest.tell(story)
        finally:
            with psycopg.connect(url, autocommit=True) as keeper:
                keeper.execute("DROP OWNED BY guest CASCADE")
                keeper.execute("DROP ROLE guest")


@pytest.mark.requirement("STO-1")
def test_a_database_that_cannot_hold_every_character(postgres_server: postgres.Server, tmp_path: Path) -> None:
    with psycopg.connect(postgres_server.url, autocommit=True) as keeper:
        keeper.execute("CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'")
        try:
            with pytest.raises(StoreError, match=r"LATIN1.*ENCODING 'UTF8'"):
                Site("postgresql", postgres_server.url_of("latin"), tmp_path).tell(count)
        finally:
            keeper.execute("DROP DATABASE latin WITH (FORCE)")
