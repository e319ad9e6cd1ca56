"""Watching over a store: what is reported is looked into, what is found condemns it, good days leave a copy."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import stat
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple, cast

import pytest

from holdfast.daemon import storewatch
from holdfast.daemon.storewatch import DAILY, Rhythm, StoreWatch
from holdfast.errors import StoreError, StoreUnfit
from holdfast.paths import Home
from holdfast.program import CATALOG
from holdfast.store import open_home_store, sqlite_url
from holdfast.store.record import StoreRecord
from holdfast.store.sqlite import SqliteStore
from holdfast.store.sqlite.examine import Checked, check
from tests.support import damage

QUICK = Rhythm(look=0.02, first_check=0.05, due=0.05)
NEVER = Rhythm(look=0.02, first_check=3600)


class Watched(NamedTuple):
    store: SqliteStore
    watch: StoreWatch
    record: StoreRecord
    left: list[str]


def watched(home: Home, story: Callable[[Watched], Awaitable[None]], rhythm: Rhythm = NEVER, copies: int = 3) -> None:
    async def told() -> None:
        home.prepare()
        url = sqlite_url(home.database)
        record = StoreRecord.of(home.store_record, url)
        store = cast(SqliteStore, await open_home_store(url, CATALOG, backups=home.backups, record=record))
        left: list[str] = []
        watch = StoreWatch(home, store, record, copies=copies, leave=lambda: left.append("now"), rhythm=rhythm)
        task = asyncio.create_task(watch.run())
        try:
            await story(Watched(store, watch, record, left))
        finally:
            task.cancel()
            await store.close()

    asyncio.run(told())


async def until(true: Callable[[], object]) -> None:
    for _ in range(1_000):
        if true():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it never became true")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


@pytest.mark.requirement("STO-6")
def test_a_report_without_a_cause_condemns_nothing(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storewatch, "_QUIET_SECONDS", 0.01)

    async def story(it: Watched) -> None:
        it.store.health.report(StoreUnfit("so says a query"))
        await until(lambda: it.store.health.found is not None)
        await until(lambda: it.store.health.found is None)
        assert it.left == []
        await it.store.write(lambda tx: tx.run("session.fact_set", name="still", value="works"))

    watched(home, story)


@pytest.mark.requirement("STO-6")
def test_a_quick_check_in_the_background_finds_what_nobody_met(home: Home) -> None:
    async def story(it: Watched) -> None:
        for number in range(200):
            await it.store.write(lambda tx, n=number: tx.run("session.fact_set", name=f"n{n}", value="x" * 400))  # type: ignore[misc]
        await asyncio.to_thread(damage.fold, home.database)
        damage.leaf_pages(home.database)
        assert not await it.watch.check(full=False)
        await until(lambda: it.left)
        known = it.record.read()
        assert known is not None
        assert known.damage is not None
        assert "holdfast restore" in known.damage.sentence
        with pytest.raises(StoreUnfit):
            await it.store.write(lambda tx: None)
        assert not list(home.backups.glob(f"{DAILY}*")), "no copy of what is damaged"

    watched(home, story)
    with pytest.raises(StoreUnfit, match="is damaged"):
        watched(home, story)


@pytest.mark.requirement("STO-6")
def test_a_file_that_is_removed_is_copied_from_what_is_open(home: Home) -> None:
    async def story(it: Watched) -> None:
        await it.store.write(lambda tx: tx.run("session.fact_set", name="only here", value="x"))
        damage.removed(home.database)
        await until(lambda: it.left)

    watched(home, story)
    (rescued,) = home.backups.glob("rescued-*.db")
    assert stat.S_IMODE(rescued.stat().st_mode) == 0o600
    with closing(sqlite3.connect(rescued)) as connection:
        assert connection.execute("SELECT value FROM fact WHERE name = 'only here'").fetchone() == ("x",)


@pytest.mark.requirement("STO-6")
def test_a_file_that_is_cut_to_nothing_leaves_no_bad_copy_to_bring_back(home: Home) -> None:
    async def story(it: Watched) -> None:
        for number in range(200):
            await it.store.write(lambda tx, n=number: tx.run("session.fact_set", name=f"n{n}", value="x" * 400))  # type: ignore[misc]
        await asyncio.to_thread(damage.fold, home.database)
        os.truncate(home.database, 0)
        await until(lambda: it.left)

    watched(home, story)
    assert all(check(path, full=True) == Checked() for path in home.backups.glob("rescued-*.db"))


@pytest.mark.requirement("STO-6")
def test_it_checks_and_copies_by_itself(home: Home) -> None:
    async def story(it: Watched) -> None:
        await until(lambda: list(home.backups.glob(f"{DAILY}*.db")))
        assert it.left == []

    watched(home, story, QUICK)


@pytest.mark.requirement("STO-6")
@pytest.mark.requirement("STO-2")
def test_a_good_day_leaves_a_copy_and_the_oldest_go(home: Home) -> None:
    async def story(it: Watched) -> None:
        for day in range(5):
            (home.backups / f"{DAILY}2020010{day}T000000Z.db").write_bytes(b"old")
        by_hand = home.backups / "holdfast-by-hand.db"
        by_hand.write_bytes(b"mine")
        await it.watch.daily()
        copies = sorted(path.name for path in home.backups.glob(f"{DAILY}*"))
        assert copies[0] == f"{DAILY}20200103T000000Z.db"
        assert len(copies) == 3
        newest = home.backups / copies[-1]
        assert stat.S_IMODE(newest.stat().st_mode) == 0o600
        with closing(sqlite3.connect(newest)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert by_hand.exists()
        known = it.record.read()
        assert known is not None
        assert known.checked_at
        assert known.backed_up_at

    watched(home, story)


@pytest.mark.requirement("STO-6")
@pytest.mark.parametrize("why", ["switched off", "no room"])
def test_no_copy(home: Home, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if why == "no room":
        usage = shutil.disk_usage("/")
        monkeypatch.setattr("shutil.disk_usage", lambda path: usage._replace(free=1_000_000))

    async def story(it: Watched) -> None:
        await it.watch.daily()
        assert not list(home.backups.glob(f"{DAILY}*"))

    watched(home, story, copies=0 if why == "switched off" else 3)


@pytest.mark.requirement("STO-5")
def test_an_index_that_does_not_fit_its_table_is_made_anew(home: Home) -> None:
    async def story(it: Watched) -> None:
        await it.store.write(lambda tx: tx.run("session.fact_set", name="a", value="x"))

    watched(home, story)
    with closing(sqlite3.connect(home.database, isolation_level=None)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_master SET sql = REPLACE(sql, '(session_id, position)', '(id, position)')")

    async def later(it: Watched) -> None:
        assert await it.store.check(full=True) == ()
        assert it.left == []

    watched(home, later)


@pytest.mark.requirement("STO-6")
def test_a_record_that_cannot_be_read_still_says_that_there_was_a_store(home: Home) -> None:
    async def nothing(it: Watched) -> None:
        """Open and close."""

    watched(home, nothing)
    home.store_record.write_text("{")
    watched(home, nothing)
    home.store_record.write_text("{")
    os.unlink(home.database)
    with pytest.raises(StoreError, match="is gone"):
        watched(home, nothing)
    assert not home.database.exists()


@pytest.mark.requirement("STO-6")
def test_a_home_from_before_there_were_records_is_known_by_its_backups(home: Home) -> None:
    home.prepare()
    (home.backups / "auto-20260101T000000Z-before-0005.db").write_bytes(b"x")

    async def nothing(it: Watched) -> None:
        """Open and close."""

    with pytest.raises(StoreError, match="is gone"):
        watched(home, nothing)
