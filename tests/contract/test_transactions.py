"""One writer that groups, readers beside it: what a caller may rely on, on both databases."""

from __future__ import annotations

import asyncio
import threading

import pytest

from holdfast.errors import StoreError
from holdfast.store.interface import Reader, Tx
from holdfast.store.queries import QueryError
from tests.contract.site import AnyStore, Site, add_query, arrival, count, keep
from tests.support.patience import PATIENCE


@pytest.mark.requirement("STO-1")
def test_many_writes_are_few_commits(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        before = store.commits
        changed = await asyncio.gather(*(keep(store, f"k{number}") for number in range(2_000)))
        assert sum(changed) == 2_000
        assert await count(store) == 2_000
        assert store.commits - before < 200

    site.tell(story)


@pytest.mark.requirement("STO-1")
def test_who_fails_in_a_group_fails_alone(site: Site) -> None:
    add_query("test.wrong", "INSERT INTO meter (owner, event, name, value) VALUES (:owner, 'e', 'n', NULL)")

    async def story(store: AnyStore) -> None:
        blocked = threading.Event()

        def wait(tx: Tx) -> None:
            blocked.wait(PATIENCE)

        def bad(tx: Tx) -> None:
            tx.run("journal.insert", **arrival("of the bad one"))
            tx.run("test.wrong", owner="me")

        def odd(tx: Tx) -> None:
            raise StopIteration

        first = asyncio.create_task(store.write(wait))
        good = [asyncio.create_task(keep(store, f"k{number}")) for number in range(50)]
        wrong = [asyncio.create_task(store.write(bad)), asyncio.create_task(store.write(odd))]
        more = [asyncio.create_task(keep(store, f"l{number}")) for number in range(50)]
        await asyncio.sleep(0)
        blocked.set()
        await first
        assert await asyncio.gather(*good, *more) == [1] * 100
        failed = await asyncio.gather(*wrong, return_exceptions=True)
        assert [type(error).__name__ for error in failed][1] == "RuntimeError"
        assert "null" in str(failed[0]).lower()
        assert await count(store) == 100

    site.tell(story)


@pytest.mark.requirement("STO-1")
def test_what_was_answered_can_be_read(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        for number in range(100):
            await keep(store, f"k{number}")
            assert await count(store) == number + 1

    site.tell(story)


@pytest.mark.requirement("STO-1")
def test_a_read_sees_one_moment(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        await keep(store, "before")
        looked, written = threading.Event(), threading.Event()

        def look(view: Reader) -> tuple[int, int]:
            first = len(view.all("journal.after", id="", owner="me", conversation="", event="", limit=9))
            looked.set()
            assert written.wait(PATIENCE)
            return first, len(view.all("journal.after", id="", owner="me", conversation="", event="", limit=9))

        reading = asyncio.create_task(store.read(look))
        assert await asyncio.to_thread(looked.wait, 10)
        await keep(store, "meanwhile")
        assert await count(store) == 2, "another reader is not held up, nor is the writer"
        written.set()
        assert await reading == (1, 1)
        assert await count(store) == 2

    site.tell(story)


@pytest.mark.requirement("STO-1")
def test_a_reader_cannot_write(site: Site) -> None:
    add_query("test.returning", "INSERT INTO fact (name, value) VALUES (:name, 'x') RETURNING name")

    async def story(store: AnyStore) -> None:
        with pytest.raises(StoreError, match=r"write|read-only"):
            await store.read(lambda view: view.one("test.returning", name="a"))
        assert await store.read(lambda view: view.one("session.fact", name="a")) is None
        assert await store.write(lambda tx: tx.one("test.returning", name="a")) == {"name": "a"}
        assert await store.read(lambda view: view.one("session.fact", name="a")) == {"value": "x"}

    site.tell(story)


@pytest.mark.requirement("EVT-7")
def test_a_write_whose_caller_went_away_is_done(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        blocked = threading.Event()
        first = asyncio.create_task(store.write(lambda tx: blocked.wait(PATIENCE)))
        second = asyncio.create_task(keep(store, "k1"))
        await asyncio.sleep(0)
        first.cancel()
        second.cancel()
        results = await asyncio.gather(first, second, return_exceptions=True)
        assert [type(result) for result in results] == [asyncio.CancelledError] * 2
        blocked.set()
        await keep(store, "k2")
        assert await count(store) == 2

    site.tell(story)


@pytest.mark.requirement("EVT-7")
def test_closing_finishes_what_was_accepted(site: Site) -> None:
    async def story() -> None:
        async with site.open() as store:
            writes = [asyncio.create_task(keep(store, f"k{number}")) for number in range(500)]
            await asyncio.sleep(0)
            await asyncio.gather(store.close(), store.close())
            assert await asyncio.gather(*writes) == [1] * 500
            with pytest.raises(StoreError, match="not kept"):
                await keep(store, "late")
            with pytest.raises(StoreError, match="closed"):
                await count(store)
        async with site.open() as store:
            assert await count(store) == 500

    asyncio.run(story())


@pytest.mark.requirement("STO-1")
def test_a_wrong_call_is_named(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        with pytest.raises(QueryError, match=r"no query named journal\.gett.*did you mean journal\.get"):
            await store.read(lambda view: view.one("journal.gett", id="x"))
        with pytest.raises(QueryError, match="missing parameters: id; unknown parameters: key"):
            await store.read(lambda view: view.one("journal.get", key="x"))
        with pytest.raises(QueryError, match="missing parameters: value"):
            await store.write(lambda tx: tx.many("session.fact_set", [{"name": "a"}]))
        assert await keep(store, "still alive") == 1

    site.tell(story)
