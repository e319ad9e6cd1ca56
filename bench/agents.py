"""Two hundred agents at once: 2,000 events a second offered on two cores for a minute, and every answer counted.

Compared: the daemon, and the bare application under the same load before and after it. Latency counts from the moment
an event was to be sent (no coordinated omission). Then every acknowledged event is looked up in the journal: once each.
Last, both are driven flat out, to see what is left.
"""

from __future__ import annotations

import argparse
import os
import sqlite3
import statistics
from contextlib import closing
from typing import NamedTuple

from bench.figures import Report, Row, Sample, main, quantile
from bench.load import Outcome, Plan, name_of, offer
from bench.stand import Stand, bare, busy_seconds, daemon, processor_seconds

_LIMIT_P99 = 50.0
_CORES = 2
_SLICES = 6


class Course(NamedTuple):
    """One load on one stand."""

    plan: Plan
    outcome: Outcome
    processor: float
    """Seconds that the answering process used."""
    others: float
    """Cores that neither the load nor the loaded kept busy."""

    @property
    def rate(self) -> float:
        return len(self.outcome.answered) / self.outcome.took

    def slices(self, share: float) -> list[float]:
        """A quantile for each part of the time, to see how steady it was."""
        values = self.outcome.answered
        size = max(1, len(values) // _SLICES)
        return [quantile(sorted(values[at : at + size]), share) for at in range(0, size * _SLICES, size)]


def run(stand: Stand, name: str, options: argparse.Namespace, rate: float, seconds: float) -> Course:
    plan = Plan(stand.port, stand.token, name, int(options.agents), rate, seconds)
    before, busy = processor_seconds(stand.pid), busy_seconds()
    outcome = offer(plan)
    used = processor_seconds(stand.pid) - before
    others = (busy_seconds() - busy - used - outcome.processor) / outcome.took
    return Course(plan, outcome, used, max(0.0, others))


def lost_and_doubled(stand: Stand, course: Course) -> tuple[int, int]:
    """How many acknowledged events the journal does not hold, and how many it holds more than once."""
    assert stand.home is not None
    with closing(sqlite3.connect(f"file:{stand.home.home.database}?mode=ro", uri=True)) as connection:
        found = [
            str(row[0])
            for row in connection.execute(
                "SELECT tool_use_id FROM journal WHERE tool_use_id >= ? AND tool_use_id < ?",
                (f"toolu_{course.plan.run}", f"toolu_{course.plan.run}~"),
            )
        ]
    numbers = [number for number, value in enumerate(course.outcome.latencies) if value is not None]
    acknowledged = {f"toolu_{name_of(course.plan, number)}" for number in numbers}
    return len(acknowledged - set(found)), len(found) - len(set(found))


def measure(options: argparse.Namespace) -> Report:
    seconds = 6.0 if options.quick else float(options.seconds)
    flat = 3.0 if options.quick else 10.0
    rate = float(options.rate)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:_CORES])  # for the load and the loaded alike
    with bare() as base, daemon() as stand:
        run(base, "w", options, rate / 4, 2.0)
        run(stand, "w", options, rate / 4, 2.0)
        first = run(base, "a", options, rate, seconds / 2)
        ours = run(stand, "b", options, rate, seconds)
        second = run(base, "c", options, rate, seconds / 2)
        base_flat = run(base, "d", options, 0, flat)
        ours_flat = run(stand, "e", options, 0, flat)
        checked = [lost_and_doubled(stand, course) for course in (ours, ours_flat)]
    silent = sum(value is None for course in (ours, ours_flat) for value in course.outcome.latencies)
    lost, doubled = (sum(pair) for pair in zip(*checked, strict=True))
    around = [first, second]
    each = len(ours.outcome.answered)
    rows = [
        Row(
            f"p{share * 100:g} at {rate:,.0f} events/s",
            "ms",
            Sample.of(ours.slices(share)),
            Sample.of(value for course in around for value in course.slices(share)),
            limit,
        )
        for share, limit in ((0.5, None), (0.99, _LIMIT_P99), (0.999, None))
    ]
    rows += [
        Row(
            "events answered", "per s", Sample.of([ours.rate]), Sample.of(c.rate for c in around),
            rate * 0.99, at_least=True,
        ),
        Row("not answered in time", "events", Sample.of([silent]), None, 0),
        Row("answered, but not in the journal", "events", Sample.of([lost]), None, 0),
        Row("twice in the journal", "events", Sample.of([doubled]), None, 0),
        Row(
            "processor time per event", "µs", Sample.of([ours.processor / each * 1e6]),
            Sample.of(c.processor / len(c.outcome.answered) * 1e6 for c in around),
        ),
        Row("flat out", "events/s", Sample.of([ours_flat.rate]), Sample.of([base_flat.rate]), rate, at_least=True),
    ]  # fmt: skip
    return Report(
        f"{options.agents:.0f} agents at once",
        "PRF-5",
        "the same load on bare uvicorn and Starlette, half before and half after",
        rows,
        (
            f"{seconds:.0f} s at {rate:,.0f} events/s, then {flat:.0f} s flat out; {ours.outcome.sent:,} and "
            f"{ours_flat.outcome.sent:,} events, on {_CORES} cores which the load shares.",
            f"p99 over the whole time: {quantile(sorted(ours.outcome.answered), 0.99):.1f} ms; brackets are the range "
            f"of {_SLICES} parts of it. Up to 1 ms of each latency is the load's timer.",
            f"The load itself used {ours.outcome.processor / ours.outcome.took:.0%} of one core "
            f"({ours.outcome.processor / ours.outcome.sent * 1e6:.0f} µs per event), the daemon "
            f"{ours.processor / ours.outcome.took:.0%}. Meanwhile other programs kept {ours.others:.1f} cores busy, "
            f"{statistics.mean(c.others for c in around):.1f} during the baseline.",
        ),
    )


if __name__ == "__main__":
    main(
        measure,
        __doc__ or "",
        "python -m bench.agents --seconds 60 --agents 200 --rate 2000",
        seconds=(60.0, "seconds of load"),
        agents=(200, "agents"),
        rate=(2000.0, "events per second offered by all of them"),
    )
