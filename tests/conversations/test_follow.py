"""Later steps: after the answer, exactly once, through crashes and broken effects."""

from __future__ import annotations

import asyncio
import time
from types import SimpleNamespace
from typing import Any

import pytest

from holdfast.errors import StoreError
from holdfast.events.answer import Part
from holdfast.events.event import PostToolUse
from holdfast.events.scene import Scene
from holdfast.events.steps import OnEvent, Step
from holdfast.road.follow import Follower
from holdfast.store.interface import Reader, Tx
from holdfast.store.postgres import PostgresStore
from holdfast.store.sqlite import SqliteStore
from tests.contract.site import Site
from tests.support.payloads import load
from tests.support.roads import House, house, run

BASH = load("PostToolUse-Bash")


class Notes:
    """A later step that keeps one fact per entry, and can be made to fail."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.broken: set[str] = set()

    async def __call__(self, event: PostToolUse, scene: Scene) -> Part:
        self.heard.append(str(event.tool_use_id))

        def record(tx: Tx) -> None:
            if event.tool_use_id in self.broken:
                raise ZeroDivisionError
            tx.run("session.fact_set", name=f"{event.tool_use_id}@{scene.entry_id}", value=scene.place.project_name)

        return Part(record=record)

    __name__ = "notes"


def follower(here: House, notes: Notes) -> Follower:
    entry = OnEvent((Step(notes, later=True),))
    made = Follower(here.store, "here", {"PostToolUse": entry}, OnEvent(), here.meter, here.road.services)
    here.road.program = {**here.road.program, "PostToolUse": entry}
    here.road.follower = made
    return made


async def facts(here: House) -> list[str]:
    """The tool uses whose later step has left its fact."""
    kept = [(str(entry["tool_use_id"]), str(entry["id"])) for entry in await here.journal()]

    def found(view: Reader) -> list[str]:
        return [use for use, entry_id in kept if view.one("session.fact", name=f"{use}@{entry_id}")]

    return await here.store.read(found)


async def waiting(here: House) -> int:
    row = await here.store.read(lambda view: view.one("follow.count", home="here"))
    return int((row or {})["n"] or 0)


@pytest.mark.requirement("EVT-7")
def test_a_later_step_runs_after_the_answer_and_once(site: Site) -> None:
    async def story() -> None:
        async with house(site) as here:
            notes = Notes()
            following = follower(here, notes)
            for use in ("a", "b", "a"):
                travelled = await here.go(BASH | {"tool_use_id": use})
                assert travelled.kept
            assert (notes.heard, await waiting(here)) == ([], 2)
            while await following.run_some():
                pass
            assert notes.heard == ["a", "b"]
            assert (await facts(here), await waiting(here)) == (["a", "b"], 0)

    run(story())


@pytest.mark.requirement("EVT-7")
def test_events_that_come_at_once_are_kept_together_and_each_once(site: Site) -> None:
    async def story() -> None:
        async with house(site) as here:
            notes = Notes()
            following = follower(here, notes)
            sessions = [f"s{number}" for number in range(3)]
            for session in sessions:
                await here.go(BASH | {"session_id": session, "tool_use_id": f"first of {session}"})
            assert isinstance(here.store, SqliteStore | PostgresStore)
            before = here.store.commits
            crowd = [BASH | {"session_id": sessions[n % 3], "tool_use_id": f"u{n:02}"} for n in range(50)]
            travelled = await asyncio.gather(*map(here.go, crowd))
            assert all(one.kept and not one.repeated for one in travelled)
            assert here.store.commits - before < 25
            again = [crowd[7], BASH | {"session_id": "s1", "tool_use_id": "new"}, crowd[9], crowd[9]]
            assert [one.repeated for one in await asyncio.gather(*map(here.go, again))] == [True, False, True, True]
            entries = await here.journal()
            assert (len(entries), await waiting(here)) == (54, 54)
            for session in sessions:
                (window,) = await here.windows(session)
                assert window["last_event_at"] == max(
                    entry["happened_at"] for entry in entries if entry["conversation"] == session
                )
            while await following.run_some():
                pass
            assert len(await facts(here)) == 54

    run(story())


@pytest.mark.requirement("EVT-7")
def test_what_a_crash_left_is_followed_up_from_the_journal(site: Site) -> None:
    async def story() -> None:
        async with house(site) as here:
            follower(here, Notes())
            for use in ("a", "b"):
                await here.go(BASH | {"tool_use_id": use})
            notes = Notes()
            reborn = follower(here, notes)  # nothing is at hand any more
            while await reborn.run_some():
                pass
            assert notes.heard == ["a", "b"]
            assert (await facts(here), await waiting(here)) == (["a", "b"], 0)

    run(story())


@pytest.mark.requirement("EVT-5")
def test_a_broken_effect_costs_itself_and_nothing_else(site: Site) -> None:
    async def story() -> None:
        async with house(site) as here:
            notes = Notes()
            notes.broken = {"b"}
            following = follower(here, notes)
            for use in ("a", "b", "c"):
                await here.go(BASH | {"tool_use_id": use})
            while await following.run_some():
                pass
            assert (await facts(here), await waiting(here)) == (["a", "c"], 0)
            assert here.counted("PostToolUse")["failed"] == 1

    run(story())


def test_the_scene_read_back_is_the_scene_that_was(site: Site) -> None:
    async def story() -> None:
        seen: list[tuple[Any, ...]] = []

        async def look(event: PostToolUse, scene: Scene) -> None:
            seen.append((event.tool_use_id, event.arguments, scene.entry_id, scene.at_us, scene.source, scene.place))

        async with house(site) as here:
            entry = OnEvent((Step(look, later=True),))
            for _ in range(2):
                made = Follower(here.store, "here", {"PostToolUse": entry}, OnEvent(), here.meter, here.road.services)
                here.road.program, here.road.follower = {"PostToolUse": entry}, made
                if not seen:
                    await here.go(BASH)
                    await made.run_some()
                    await here.store.write(lambda tx: tx.run("follow.add", entry_id=seen[0][2], home="here"))
            await made.run_some()
            assert len(seen) == 2
            assert seen[0] == seen[1]

    run(story())


@pytest.mark.requirement("EVT-5")
@pytest.mark.parametrize("later", [False, True])
def test_memory_changes_after_the_commit_and_not_without_it(site: Site, later: bool) -> None:
    async def story() -> None:
        refused, told = {"b"}, list[str]()

        async def step(event: PostToolUse, scene: Scene) -> Part:
            use = str(event.tool_use_id)

            def record(tx: Tx) -> None:
                assert use not in told
                if use in refused:
                    refused.clear()
                    raise StoreError("locked for a moment")

            return Part(record=record, after=lambda: told.append(use))

        async with house(site) as here:
            entry = OnEvent((Step(step, later=later),))
            here.road.program = {"PostToolUse": entry}
            if later:
                made = Follower(here.store, "here", {"PostToolUse": entry}, OnEvent(), here.meter, here.road.services)
                here.road.follower = made
            for use in ("a", "a", "b"):
                await here.go(BASH | {"tool_use_id": use})
            if later:
                with pytest.raises(StoreError):
                    await made.run_some()
                assert told == []
                while await made.run_some():
                    pass
            assert told == (["a", "b"] if later else ["a"])

    run(story())


@pytest.mark.requirement("SEC-7")
def test_a_long_work_lets_events_on_the_road_go_first_for_a_bounded_while(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing: Any = None
    made, slept = Follower(nothing, "here", {}, OnEvent(), nothing, nothing), list[float]()
    clock = [0.0]

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        clock[0] += seconds

    monkeypatch.setattr(time, "sleep", sleep)
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    breathe = made.let_road_go_first()
    clock[0] += 1
    breathe()
    assert not slept  # nobody is there
    made.enter()
    for _ in range(1000):  # the pieces of a large text that is not hostile: each takes 50 microseconds
        clock[0] += 0.00005
        breathe()
    assert 0 < sum(slept) <= 2 * 0.05  # so it lets the event go first, and takes about twice as long
    clock[0] += 60
    slept.clear()
    breathe()
    assert 0 < sum(slept) < 0.01  # it came back although the event is still there
    monkeypatch.setattr(time, "sleep", lambda _: made.leave())
    clock[0] += 1
    breathe()
    assert made.on_road == 0


@pytest.mark.requirement("PRF-5")
def test_a_crowd_on_the_road_goes_first_but_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing: Any = None
    made, clock = Follower(nothing, "here", {}, OnEvent(), nothing, nothing), [0.0]

    async def sleep(seconds: float) -> None:
        clock[0] += seconds

    async def waited(*, on_road: int, entries: int) -> float:
        made.on_road, began = on_road, clock[0]
        for number in range(entries):
            made.offer(nothing, SimpleNamespace(entry_id=str(number)), ())  # type: ignore[arg-type]
        await made._let_pass()
        return clock[0] - began

    monkeypatch.setattr(asyncio, "sleep", sleep)
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    assert 0.9 < run(waited(on_road=1, entries=2)) < 1.1  # few wait: they can
    assert run(waited(on_road=1, entries=1_000)) == 0  # many wait, and the road keeps up
    assert 0.2 < run(waited(on_road=100, entries=1_000)) < 0.3
    assert run(waited(on_road=0, entries=1_000)) <= 0.031
