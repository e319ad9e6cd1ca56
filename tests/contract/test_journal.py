"""The journal on both databases: each event once, whatever is in it."""

from __future__ import annotations

import pytest

from holdfast.store.interface import Tx
from tests.contract.site import AnyStore, Site, add_query, arrival, count, keep


@pytest.mark.requirement("EVT-7")
def test_the_same_event_is_kept_once(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        assert await keep(store, "k1", payload='{"first":1}') == 1
        assert await keep(store, "k1", payload='{"second":2}') == 0
        assert await count(store) == 1
        rows = await store.read(
            lambda view: view.all("journal.list", conversation="", event="", since=0, owner="me", limit=10)
        )
        assert [row["payload"] for row in rows] == ['{"first":1}']

    site.tell(story)


@pytest.mark.requirement("EVT-7")
def test_an_event_and_its_effects_are_one(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        def half(tx: Tx) -> None:
            tx.run("journal.insert", **arrival("k1"))
            tx.run("session.meter_add", owner="me", event="Stop", name="seen", value=1)
            raise ValueError("before the end")

        with pytest.raises(ValueError, match="before the end"):
            await store.write(half)
        assert await count(store) == 0
        assert await store.read(lambda view: view.all("session.meters", owner="me")) == []

    site.tell(story)


@pytest.mark.requirement("STO-1")
def test_filters_and_followers(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        for number in range(6):
            await keep(store, f"k{number}", conversation=f"c{number % 2}", event="Stop" if number > 3 else "PreToolUse")

        def listed(**filters: str) -> object:
            chosen = {"conversation": "", "event": ""} | filters
            return store.read(
                lambda view: [
                    row["event_key"] for row in view.all("journal.list", since=0, owner="me", limit=9, **chosen)
                ]
            )

        assert await listed() == ["k5", "k4", "k3", "k2", "k1", "k0"]  # type: ignore[misc]
        assert await listed(conversation="c1") == ["k5", "k3", "k1"]  # type: ignore[misc]
        assert await listed(conversation="c0", event="Stop") == ["k4"]  # type: ignore[misc]
        everything = await store.read(
            lambda view: view.all("journal.after", id="", owner="me", conversation="", event="", limit=9)
        )
        later = await store.read(
            lambda view: view.all(
                "journal.after", id=everything[3]["id"], owner="me", conversation="", event="", limit=9
            )
        )
        assert [row["event_key"] for row in later] == ["k4", "k5"]

    site.tell(story)


@pytest.mark.requirement("SEC-5")
def test_text_that_no_database_can_keep(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        await keep(store, "one", payload="a\0b\ud800c\ud83d\ude00 ü 漢")
        rows = [arrival("many", payload="\udfff\0")]
        await store.write(lambda tx: tx.many("journal.insert", rows))
        found = await store.read(
            lambda view: view.all("journal.after", id="", owner="me", conversation="c1", event="PostToolUse", limit=9)
        )
        assert [row["payload"] for row in found] == ["a\ufffdb\ufffdc\N{GRINNING FACE} ü 漢", "\ufffd\ufffd"]
        assert await store.read(lambda view: view.one("journal.has_key", event_key="x\0\ud800")) is None

    site.tell(story)


@pytest.mark.requirement("STO-1")
def test_large_texts_and_bytes(site: Site) -> None:
    add_query("test.make", "CREATE TABLE thing (id TEXT PRIMARY KEY, body BYTEA NOT NULL)")
    add_query("test.put", "INSERT INTO thing (id, body) VALUES (:id, :body)")
    add_query("test.bodies", "SELECT body FROM thing WHERE id = :id")
    body = bytes(range(256)) * 40_000
    text = "ß0123456789" * 500_000

    async def story(store: AnyStore) -> None:
        await store.write(lambda tx: tx.run("test.make"))
        await store.write(lambda tx: tx.run("test.put", id="b", body=body))
        assert await store.read(lambda view: view.one("test.bodies", id="b")) == {"body": body}
        row = arrival("large", payload=text)
        await store.write(lambda tx: tx.run("journal.insert", **row))
        found = await store.read(lambda view: view.one("journal.get", id=row["id"]))
        assert found == row

    site.tell(story)


@pytest.mark.requirement("STO-1")
def test_numbers_look_alike(site: Site) -> None:
    add_query(
        "test.numbers",
        "SELECT SUM(happened_at) AS sum, COUNT(*) AS n, EXISTS (SELECT 1 FROM journal) AS some,"
        " CAST(:half AS DOUBLE PRECISION) AS half, :absent AS absent FROM journal",
    )

    async def story(store: AnyStore) -> None:
        for key in ("a", "b"):
            await keep(store, key, happened_at=2**60)
        row = await store.read(lambda view: view.one("test.numbers", half=0.5, absent=None))
        assert row == {"sum": 2**61, "n": 2, "some": 1, "half": 0.5, "absent": None}
        assert {type(value) for value in (row or {}).values()} == {int, float, type(None)}

    site.tell(story)


@pytest.mark.requirement("STO-1")
def test_twenty_thousand(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        for start in range(0, 20_000, 10_000):
            rows = [arrival(f"k{number}") for number in range(start, start + 10_000)]
            changed = await store.write(lambda tx, rows=rows: tx.many("journal.insert", rows))  # type: ignore[misc]
            assert changed == 10_000
        half = [arrival(f"k{number}") for number in range(19_950, 20_050)]
        assert await store.write(lambda tx: tx.many("journal.insert", half)) == 50
        await store.write(lambda tx: tx.many("upkeep.drop_entry", [{"id": row["id"]} for row in half[50:]]))
        assert await keep(store, "k17777") == 0
        assert await count(store) == 20_000
        size = await store.size()
        assert size.rows["journal"] == 20_000
        assert size.bytes > 2_000_000
        assert set(size.rows) >= {"journal", "job", "session", "meter", "fact", "schema_migration"}

    site.tell(story)
