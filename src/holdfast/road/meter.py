"""Counts what happened to every event, and how long it took, so that silence is visible (EVT-12).

Counted in memory, added to the store every few seconds and at the end; the numbers survive restarts.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping

from holdfast.store.interface import Store, Tx, Value

COUNTERS = ("fired", "answered", "injected", "denied", "dropped", "failed", "repeated", "misfit", "lost", "paused")
"""`misfit` counts fields, all others events: a field of an unexpected type is left out of its event. `lost` were not
kept anywhere: the disk was full, and memory too. `paused` were not recorded, because recording was off."""
BUCKETS_MS = (
    0.25,
    0.5,
    1,
    1.5,
    2,
    3,
    4,
    5,
    7,
    10,
    15,
    20,
    30,
    50,
    75,
    100,
    200,
    500,
    1_000,
    2_000,
    5_000,
    10_000,
)
_BUCKET_NAMES = (*(f"le_{bound:g}" for bound in BUCKETS_MS), "le_inf")

EventCounts = Mapping[str, Mapping[str, int]]


class Meter:
    """Counters and a latency histogram per event."""

    def __init__(self, owner: str) -> None:
        self._owner = owner
        self._kept: dict[str, Counter[str]] = {}
        self._new: Counter[tuple[str, str]] = Counter()
        self._moving: Counter[tuple[str, str]] = Counter()

    def count(self, event: str, *names: str) -> None:
        for name in names:
            self._new[event, name] += 1

    def took(self, event: str, seconds: float) -> None:
        self._new[event, _BUCKET_NAMES[bisect_left(BUCKETS_MS, seconds * 1_000)]] += 1

    async def load(self, store: Store) -> None:
        """Load what earlier runs counted."""
        for row in await store.read(lambda reader: reader.all("session.meters", owner=self._owner)):
            self._kept.setdefault(str(row["event"]), Counter())[str(row["name"])] = int(row["value"] or 0)

    async def flush(self, store: Store) -> None:
        """Add what was counted since the last time to the store."""
        if not self._new:
            return
        new, self._new = self._new, Counter()
        rows: list[dict[str, Value]] = [
            {"owner": self._owner, "event": event, "name": name, "value": value}
            for (event, name), value in sorted(new.items())
        ]

        def add(tx: Tx) -> None:
            tx.many("session.meter_add", rows)

        self._moving.update(new)
        writing = asyncio.ensure_future(store.write(add))
        writing.add_done_callback(lambda done: self._settle(new, done))
        # A write that was accepted is done even if the one who waits is cancelled, and must not be added twice.
        await asyncio.shield(writing)

    def _settle(self, moved: Counter[tuple[str, str]], done: asyncio.Future[None]) -> None:
        self._moving.subtract(moved)
        if done.cancelled() or done.exception():
            self._new.update(moved)
            return
        for (event, name), value in moved.items():
            self._kept.setdefault(event, Counter())[name] += value

    def counts(self) -> EventCounts:
        """All counts: stored, being stored, and new."""
        total = {event: Counter(names) for event, names in self._kept.items()}
        for counted in (self._moving, self._new):
            for (event, name), value in counted.items():
                total.setdefault(event, Counter())[name] += value
        return total


def summary(counts: EventCounts) -> dict[str, dict[str, float]]:
    """What `status` shows per event."""
    return {
        event: {name: names.get(name, 0) for name in COUNTERS}
        | {"p50_ms": quantile(names, 0.50), "p99_ms": quantile(names, 0.99)}
        for event, names in sorted(counts.items())
    }


def quantile(names: Mapping[str, int], share: float) -> float:
    """The upper bound of the histogram's bucket that holds the quantile; 0 when nothing was measured."""
    values = [names.get(name, 0) for name in _BUCKET_NAMES]
    rank, seen = share * sum(values), 0
    if not rank:
        return 0.0
    for bound, value in zip((*BUCKETS_MS, BUCKETS_MS[-1]), values, strict=True):
        seen += value
        if seen >= rank:
            return float(bound)
    return float(BUCKETS_MS[-1])


def exposition(counts: EventCounts) -> str:
    """The Prometheus text format, for `/metrics`."""
    return "\n".join(_exposition_lines(counts)) + "\n"


def _exposition_lines(counts: EventCounts) -> Iterable[str]:
    yield "# HELP holdfast_events_total Hook events by what happened to them."
    yield "# TYPE holdfast_events_total counter"
    for event, names in sorted(counts.items()):
        for name in COUNTERS:
            yield f'holdfast_events_total{{event="{event}",outcome="{name}"}} {names.get(name, 0)}'
    yield "# HELP holdfast_event_seconds Time from the event's arrival to its answer."
    yield "# TYPE holdfast_event_seconds histogram"
    for event, names in sorted(counts.items()):
        seen = 0
        for bound, name in zip((*BUCKETS_MS, None), _BUCKET_NAMES, strict=True):
            seen += names.get(name, 0)
            limit = "+Inf" if bound is None else f"{bound / 1_000:g}"
            yield f'holdfast_event_seconds_bucket{{event="{event}",le="{limit}"}} {seen}'
        yield f'holdfast_event_seconds_count{{event="{event}"}} {seen}'
