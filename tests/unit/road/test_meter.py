"""Counting: nothing is lost when the store fails, nothing is counted twice, and silence is visible (EVT-12)."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from holdfast.errors import StoreFull
from holdfast.road.meter import BUCKETS_MS, COUNTERS, Meter, exposition, quantile, summary
from holdfast.store import sqlite_url
from holdfast.store.interface import Store
from tests.contract.site import AnyStore, Site
from tests.support.roads import run


def measured(*milliseconds: float) -> dict[str, int]:
    meter = Meter("me")
    for one in milliseconds:
        meter.took("Stop", one / 1_000)
    return dict(meter.counts().get("Stop", {}))


@pytest.mark.requirement("EVT-12")
@pytest.mark.parametrize(
    ("milliseconds", "share", "bound"),
    [
        ([], 0.5, 0.0),
        ([0], 0.5, 0.25),
        ([0.25], 0.5, 0.25),
        ([0.26], 0.5, 0.5),
        ([1, 3, 10], 0.5, 3),
        ([1, 3, 10], 0.99, 10),
        ([1] * 99 + [900], 0.99, 1),
        ([1] * 98 + [900] * 2, 0.99, 1_000),
        ([20_000], 0.5, 10_000),
        ([0.1, 20_000], 1.0, 10_000),
    ],
)
def test_a_quantile_is_the_bound_of_its_bucket(milliseconds: list[float], share: float, bound: float) -> None:
    assert quantile(measured(*milliseconds), share) == bound


@pytest.mark.requirement("EVT-12")
def test_the_summary_has_every_counter_of_every_event() -> None:
    meter = Meter("me")
    meter.count("Stop", "fired", "answered", "fired")
    meter.took("PreToolUse", 0.004)
    told = summary(meter.counts())
    assert list(told) == ["PreToolUse", "Stop"]
    assert told["Stop"] == dict.fromkeys(COUNTERS, 0) | {"fired": 2, "answered": 1, "p50_ms": 0.0, "p99_ms": 0.0}
    assert (told["PreToolUse"]["p50_ms"], told["PreToolUse"]["fired"]) == (4, 0)


def story(tmp_path: Path, told: Callable[[AnyStore], Any]) -> None:
    Site("sqlite", sqlite_url(tmp_path / "m.db"), tmp_path / "backups").tell(told)


async def loaded(store: Store, owner: str = "me") -> dict[str, dict[str, int]]:
    meter = Meter(owner)
    await meter.load(store)
    return {event: dict(names) for event, names in meter.counts().items()}


@pytest.mark.requirement("EVT-12")
def test_counts_survive_a_restart_and_add_up(tmp_path: Path) -> None:
    async def told(store: AnyStore) -> None:
        for _ in range(2):
            meter = Meter("me")
            await meter.load(store)
            meter.count("Stop", "fired")
            await meter.flush(store)
            meter.count("Stop", "fired", "failed")
            await meter.flush(store)
            await meter.flush(store)
        assert (
            await loaded(store)
            == {"Stop": {"fired": 4, "failed": 2}}
            == {k: dict(v) for k, v in meter.counts().items()}
        )
        assert await loaded(store, "someone else") == {}

    story(tmp_path, told)


class Failing:
    """A store that takes nothing."""

    async def write(self, work: Any) -> Any:
        raise StoreFull("full")


@pytest.mark.requirement("EVT-12")
def test_what_could_not_be_written_is_written_later(tmp_path: Path) -> None:
    async def told(store: AnyStore) -> None:
        meter = Meter("me")
        meter.count("Stop", "fired")
        for _ in range(3):
            with pytest.raises(StoreFull):
                await meter.flush(Failing())  # type: ignore[arg-type]
            assert meter.counts()["Stop"]["fired"] == 1
        meter.count("Stop", "fired")
        await meter.flush(store)
        assert await loaded(store) == {"Stop": {"fired": 2}}
        assert meter.counts()["Stop"]["fired"] == 2

    story(tmp_path, told)


class Slow:
    """A store whose write is accepted at once and committed when it is let go."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.let_go, self.written = asyncio.Event(), asyncio.Event()

    async def write(self, work: Any) -> Any:
        await self.let_go.wait()
        await self._store.write(work)
        self.written.set()


@pytest.mark.requirement("EVT-12")
def test_a_flush_that_is_cancelled_counts_once_and_what_is_under_way_is_seen(tmp_path: Path) -> None:
    async def told(store: AnyStore) -> None:
        meter, slow = Meter("me"), Slow(store)
        meter.count("Stop", "fired")
        flushing = asyncio.create_task(meter.flush(slow))  # type: ignore[arg-type]
        await asyncio.sleep(0)
        assert meter.counts()["Stop"]["fired"] == 1
        flushing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await flushing
        meter.count("Stop", "fired")
        await meter.flush(store)
        slow.let_go.set()
        await slow.written.wait()
        await asyncio.sleep(0)
        assert meter.counts()["Stop"]["fired"] == 2
        await meter.flush(store)
        assert await loaded(store) == {"Stop": {"fired": 2}}

    story(tmp_path, told)


SAMPLE = re.compile(r'([a-z_]+)\{((?:[a-z]+="[^"\\\n]*",?)+)\} (\d+)')


@pytest.mark.requirement("EVT-12")
def test_the_exposition_is_what_prometheus_reads() -> None:
    meter = Meter("me")
    meter.count("Stop", "fired", "fired", "denied")
    for milliseconds in (0.1, 0.3, 40, 99_999):
        meter.took("Stop", milliseconds / 1_000)
    text = exposition(meter.counts())
    assert text.endswith("\n")
    samples: dict[str, int] = {}
    for line in text.splitlines():
        if line.startswith("#"):
            assert re.fullmatch(r"# (HELP|TYPE) holdfast_\w+ .+", line)
            continue
        found = SAMPLE.fullmatch(line)
        assert found, line
        samples[f"{found[1]} {found[2]}"] = int(found[3])
    assert samples['holdfast_events_total event="Stop",outcome="fired"'] == 2
    assert samples['holdfast_events_total event="Stop",outcome="dropped"'] == 0
    buckets = [samples[f'holdfast_event_seconds_bucket event="Stop",le="{b / 1_000:g}"'] for b in BUCKETS_MS]
    assert buckets == sorted(buckets), "buckets are cumulative"
    assert (buckets[0], buckets[1], buckets[-1]) == (1, 2, 3)
    assert samples['holdfast_event_seconds_bucket event="Stop",le="+Inf"'] == 4
    assert samples['holdfast_event_seconds_count event="Stop"'] == 4


def test_an_empty_meter_writes_nothing() -> None:
    async def told() -> None:
        await Meter("me").flush(Failing())  # type: ignore[arg-type]

    run(told())
