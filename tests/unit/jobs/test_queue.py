"""The queue: what is asked for is done once and in its time; what fails is tried again, then kept as failed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from holdfast.errors import StoreAway
from holdfast.ids import now_us
from holdfast.jobs import queue
from holdfast.jobs.queue import Jobs
from holdfast.scrub import default_scrubber
from holdfast.store import sqlite_url
from holdfast.store.interface import Store, Tx
from tests.contract.site import AnyStore, Site, add_query

add_query("test.jobs", "SELECT * FROM job ORDER BY created_at, id")
add_query("test.due_now", "UPDATE job SET due_at = 0")
add_query("test.attempts", "UPDATE job SET attempts = :attempts")
add_query("test.running", "UPDATE job SET state = 'running', attempts = attempts + 1 WHERE id = :id")


def scrubbed(text: str) -> str:
    return default_scrubber().text(text).text


class Desk:
    """A queue with one kind of work, and what was done of it."""

    def __init__(self, store: Store, home: str = "here") -> None:
        self.store = store
        self.done: list[Any] = []
        self.fails = 0
        self.reason = "not now"
        self.jobs = Jobs(store, home, {"work": self._work}, clean=scrubbed)

    async def _work(self, arguments: dict[str, Any]) -> None:
        self.done.append(arguments.get("n"))
        if self.fails:
            self.fails -= 1
            raise ValueError(self.reason)

    async def ask(self, n: Any = 1, subject: str = "s", kind: str = "work", in_seconds: float = 0) -> None:
        await self.store.write(lambda tx: self.jobs.ask(tx, kind, subject, {"n": n}, in_seconds=in_seconds))

    async def rows(self) -> list[dict[str, Any]]:
        return await self.store.read(lambda view: view.all("test.jobs"))

    async def states(self) -> list[tuple[str, int]]:
        return [(row["state"], row["attempts"]) for row in await self.rows()]

    async def run(self, query: str, **given: Any) -> None:
        await self.store.write(lambda tx: tx.run(query, **given))


def told(tmp_path: Path, story: Callable[[Desk], Awaitable[None]]) -> None:
    async def whole(store: AnyStore) -> None:
        await story(Desk(store))

    Site("sqlite", sqlite_url(tmp_path / "j.db"), tmp_path / "backups").tell(whole)


def test_work_is_done_once_in_the_order_it_was_asked_for(tmp_path: Path) -> None:
    async def story(desk: Desk) -> None:
        for n in range(50):
            await desk.ask(n, subject=str(n))
        assert await desk.jobs.run_due() == 50
        assert desk.done == list(range(50))
        assert await desk.rows() == []
        assert await desk.jobs.run_due() == 0

    told(tmp_path, story)


def test_the_same_work_asked_for_before_it_began_is_one_job(tmp_path: Path) -> None:
    async def story(desk: Desk) -> None:
        for n in range(3):
            await desk.ask(n)
        await desk.ask("other", subject="t")
        await desk.jobs.run_due()
        assert desk.done == [0, "other"]

    told(tmp_path, story)


def test_work_asked_for_while_it_is_done_is_done_again(tmp_path: Path) -> None:
    async def story(desk: Desk) -> None:
        async def asks_again(arguments: dict[str, Any]) -> None:
            desk.done.append(arguments["n"])
            if len(desk.done) < 3:
                await desk.ask(len(desk.done))

        desk.jobs = Jobs(desk.store, "here", {"work": asks_again}, clean=scrubbed)
        await desk.ask(0)
        assert await desk.jobs.run_due() == 3
        assert desk.done == [0, 1, 2]

    told(tmp_path, story)


def test_work_for_later_and_work_of_another_home_is_left_alone(tmp_path: Path) -> None:
    async def story(desk: Desk) -> None:
        await desk.ask("later", in_seconds=3600)
        other = Desk(desk.store, "elsewhere")
        await other.ask("theirs")
        assert await desk.jobs.run_due() == 0
        assert await other.jobs.run_due() == 1
        assert other.done == ["theirs"]

    told(tmp_path, story)


def test_a_job_that_was_rolled_back_with_its_cause_was_never_asked_for(tmp_path: Path) -> None:
    async def story(desk: Desk) -> None:
        def cause(tx: Tx) -> None:
            desk.jobs.ask(tx, "work", "s", {"n": 1})
            raise ValueError("the cause is gone")

        with pytest.raises(ValueError, match="the cause"):
            await desk.store.write(cause)
        assert await desk.rows() == []

    told(tmp_path, story)


def test_what_fails_is_tried_again_later_and_later(tmp_path: Path) -> None:
    async def story(desk: Desk) -> None:
        desk.fails = 2
        await desk.ask()
        waits = []
        for _ in range(2):
            before = now_us()
            await desk.jobs.run_due()
            (row,) = await desk.rows()
            waits.append(round((row["due_at"] - before) / 1_000_000))
            assert (row["state"], row["error"]) == ("waiting", "ValueError: not now")
            await desk.run("test.due_now")
        assert waits == [4, 16]
        await desk.jobs.run_due()
        assert await desk.rows() == []
        assert len(desk.done) == 3

    told(tmp_path, story)


def test_what_fails_five_times_is_kept_with_its_reason(tmp_path: Path) -> None:
    async def story(desk: Desk) -> None:
        desk.fails = 99
        await desk.ask()
        for _ in range(7):
            await desk.jobs.run_due()
            await desk.run("test.due_now")
        assert len(desk.done) == 5
        assert await desk.states() == [("failed", 5)]
        await desk.ask("anew")
        await desk.jobs.run_due()
        assert desk.done[5:] == ["anew"]

    told(tmp_path, story)


@pytest.mark.requirement("SEC-1")
@pytest.mark.parametrize("fails", [1, 5], ids=["tried again", "failed for good"])
@pytest.mark.parametrize("before", ["", "x" * 460], ids=["short", "cut in the middle of the secret"])
def test_the_reason_of_a_failure_is_kept_without_its_secrets(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, fails: int, before: str
) -> None:
    secret = "gh" + "p_" + "Zq7Lm2Xw9Rt4Vb8Nc1Kd6Hs3Pf5Jg0Ya2Ue"

    async def story(desk: Desk) -> None:
        desk.fails = fails
        desk.reason = f"{before} no answer to {secret} there"
        await desk.ask()
        for _ in range(fails):
            await desk.run("test.due_now")
            await desk.jobs.run_due()
        (row,) = await desk.rows()
        assert row["state"] == ("waiting" if fails == 1 else "failed")
        assert row["error"].startswith(f"ValueError: {before}"[:500])
        assert len(row["error"]) <= 500
        assert secret[:8] not in row["error"] + caplog.text

    told(tmp_path, story)


def test_work_of_an_unknown_kind_fails_at_once_and_holds_up_nobody(tmp_path: Path) -> None:
    async def story(desk: Desk) -> None:
        await desk.ask(kind="of a newer version")
        await desk.ask("known")
        await desk.jobs.run_due()
        assert desk.done == ["known"]
        ((state, _),) = await desk.states()
        assert state == "failed"

    told(tmp_path, story)


def test_a_retry_gives_way_to_the_same_work_asked_for_meanwhile(tmp_path: Path) -> None:
    async def story(desk: Desk) -> None:
        async def fails_and_is_asked_again(arguments: dict[str, Any]) -> None:
            await desk.ask("meanwhile")
            raise ValueError("not now")

        desk.jobs = Jobs(desk.store, "here", {"work": fails_and_is_asked_again}, clean=scrubbed)
        await desk.ask("first", in_seconds=-1)
        row = (await desk.store.read(desk.jobs._due))[0]
        settle = await desk.jobs._do(row, None)
        assert settle
        await desk.store.write(settle)
        (left,) = await desk.rows()
        assert (left["arguments"], left["state"]) == ('{"n":"meanwhile"}', "waiting")

    told(tmp_path, story)


@pytest.mark.parametrize(("attempts", "state"), [(0, "waiting"), (3, "waiting"), (4, "failed")])
def test_what_was_under_way_when_the_daemon_died_goes_back_but_not_for_ever(
    tmp_path: Path, attempts: int, state: str
) -> None:
    async def story(desk: Desk) -> None:
        await desk.ask()
        await desk.run("test.attempts", attempts=attempts)
        (row,) = await desk.rows()
        await desk.run("test.running", id=row["id"])
        await desk.jobs._restore()
        assert await desk.states() == [(state, attempts + 1)]

    told(tmp_path, story)


def test_of_two_that_are_the_same_work_the_newer_goes_back(tmp_path: Path) -> None:
    async def story(desk: Desk) -> None:
        for n in range(2):
            await desk.ask(n)
            await desk.run("test.running", id=(await desk.rows())[-1]["id"])
        await desk.jobs._restore()
        assert [row["arguments"] for row in await desk.rows()] == ['{"n":1}']

    told(tmp_path, story)


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not true():  # noqa: ASYNC110 (what is waited for is in the store)
            await asyncio.sleep(0.005)


def test_the_loop_is_woken_after_the_commit_not_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "_LONGEST_SLEEP", 3600.0)

    async def story(desk: Desk) -> None:
        running = asyncio.create_task(desk.jobs.run())
        await asyncio.sleep(0.05)  # it sleeps, for an hour if nobody wakes it
        asked, commit = asyncio.Event(), asyncio.Event()
        loop = asyncio.get_running_loop()

        def cause(tx: Tx) -> None:
            desk.jobs.ask(tx, "work", "s", {"n": "slow commit"})
            loop.call_soon_threadsafe(asked.set)
            asyncio.run_coroutine_threadsafe(commit.wait(), loop).result(10)

        writing = asyncio.create_task(desk.store.write(cause))
        await asked.wait()
        await asyncio.sleep(0.05)  # long enough for a loop that was woken too early to go back to sleep
        commit.set()
        await writing
        await until(lambda: desk.done == ["slow commit"])
        running.cancel()

    told(tmp_path, story)


def test_a_job_is_begun_when_it_is_due(tmp_path: Path) -> None:
    async def story(desk: Desk) -> None:
        running = asyncio.create_task(desk.jobs.run())
        await desk.ask("soon", in_seconds=0.05)
        await until(lambda: desk.done == ["soon"])
        running.cancel()

    told(tmp_path, story)


class Flickering:
    """A store that is away for some writes."""

    def __init__(self, store: Store) -> None:
        self.kind, self.url, self.read = store.kind, store.url, store.read
        self._store = store
        self.away = 0
        self.refused = 0

    async def write(self, work: Any) -> Any:
        if self.away:
            self.away -= 1
            self.refused += 1
            raise StoreAway("away")
        return await self._store.write(work)


def test_what_was_under_way_when_the_store_went_away_is_done_when_it_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "_WAIT_FOR_STORE", 0.01)

    async def story(desk: Desk) -> None:
        store = Flickering(desk.store)

        async def work(arguments: dict[str, Any]) -> None:
            desk.done.append(arguments["n"])
            if len(desk.done) == 1:
                store.away = 2  # it cannot be marked as done, nor put back

        jobs = Jobs(store, "here", {"work": work}, clean=scrubbed)  # type: ignore[arg-type]
        await desk.ask()
        running = asyncio.create_task(jobs.run())
        await until(lambda: len(desk.done) == 2)
        running.cancel()
        assert store.refused == 2

    told(tmp_path, story)


def test_a_job_is_settled_in_the_write_that_takes_the_next_one(tmp_path: Path) -> None:
    """Three jobs are four writes, and no job runs while an earlier one is still marked as running."""

    async def story(desk: Desk) -> None:
        for n in range(3):
            await desk.ask(n, subject=f"s{n}")
        seen: list[list[str]] = []
        work, writes = desk.jobs._kinds["work"], 0
        write = desk.store.write

        async def looks(arguments: dict[str, Any]) -> None:
            seen.append([state for state, _ in await desk.states()])
            await work(arguments)

        async def counted(*given: Any, **named: Any) -> Any:
            nonlocal writes
            writes += 1
            return await write(*given, **named)

        desk.jobs._kinds = {"work": looks}
        desk.store.write = counted  # type: ignore[method-assign]
        assert await desk.jobs.run_due() == 3
        assert (desk.done, await desk.rows(), writes) == ([0, 1, 2], [], 4)
        assert seen == [["running", "waiting", "waiting"], ["running", "waiting"], ["running"]]

    told(tmp_path, story)
