"""How every benchmark says what it found: rows of figures beside their baseline, a table of them, the machine's facts.

A sample is a median with the lowest and the highest of its rounds, because these figures are taken on shared machines.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sample:
    """The median of several rounds, and how far they were apart."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, rounds: Iterable[float]) -> Sample:
        values = sorted(rounds)
        return cls(statistics.median(values), values[0], values[-1])

    @classmethod
    def one(cls, value: float) -> Sample:
        """A figure that was taken once."""
        return cls(value, value, value)

    def __str__(self) -> str:
        spread = f" ({_short(self.low)}–{_short(self.high)})" if self.low != self.high else ""
        return f"{_short(self.median)}{spread}"


@dataclass(frozen=True, slots=True)
class Row:
    """One figure: ours, the baseline's from the same run, and the limit it must keep below (or above)."""

    what: str
    unit: str
    ours: Sample
    base: Sample | None = None
    limit: float | None = None
    of_ratio: bool = False
    """The limit is on the ratio to the baseline, not on the figure."""
    at_least: bool = False

    @property
    def ratio(self) -> float | None:
        return self.ours.median / self.base.median if self.base and self.base.median else None

    @property
    def met(self) -> bool | None:
        value = self.ratio if self.of_ratio else self.ours.median
        if self.limit is None or value is None:
            return None
        return value >= self.limit if self.at_least else value <= self.limit

    def cells(self) -> list[str]:
        limit = ""
        if self.limit is not None:
            limit = f"{'≥' if self.at_least else '≤'} {_short(self.limit)}{' ×' if self.of_ratio else ''}"
        ratio = f"{self.ratio:.2f} ×" if self.ratio is not None else ""
        met = {None: "", True: "yes", False: "**no**"}[self.met]
        return [f"{self.what}, {self.unit}", str(self.ours), str(self.base or ""), ratio, limit, met]


@dataclass(frozen=True, slots=True)
class Report:
    """What one benchmark found."""

    title: str
    requirement: str
    baseline: str
    rows: Sequence[Row]
    notes: Sequence[str] = ()

    def text(self) -> str:
        """As Markdown, which reads well enough in a terminal."""
        table = [["figure", "holdfast", "baseline", "ratio", "target", "met"], *(row.cells() for row in self.rows)]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        table.insert(1, ["-" * width for width in widths])
        lines = [" | ".join(map(str.ljust, row, widths)) for row in table]
        head = [f"## {self.title} ({self.requirement})", "", f"Baseline: {self.baseline}.", ""]
        return "\n".join([*head, *(f"| {line} |" for line in lines), "", *(f"* {note}" for note in self.notes)])

    def value(self) -> dict[str, object]:
        rows = [dataclasses.asdict(row) | {"ratio": row.ratio, "met": row.met} for row in self.rows]
        return dataclasses.asdict(self) | {"rows": rows}


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which this share of the (sorted) values lies; the nearest, none is invented."""
    return values[min(len(values) - 1, int(share * len(values)))]


def machine() -> str:
    """What the figures were taken on: nothing that names the machine or its owner."""
    load = " ".join(f"{value:.1f}" for value in os.getloadavg())
    priority = f" · priority {os.nice(0)}" if os.nice(0) else ""
    return (
        f"{time.strftime('%Y-%m-%d', time.gmtime())} · {platform.system()} {platform.machine()} · "
        f"{os.cpu_count()} cores · Python {platform.python_version()} · load before the run {load}{priority}"
    )


def main(
    measure: Callable[[argparse.Namespace], Report],
    about: str,
    example: str,
    arguments: Callable[[argparse.ArgumentParser], object] | None = None,
    **options: tuple[float, str],
) -> None:
    """The command line of one benchmark: `--quick`, `--json`, other arguments, and numbers with their defaults."""
    parser = parser_of(about, example)
    if arguments:
        arguments(parser)
    for name, (default, meaning) in options.items():
        parser.add_argument(f"--{name}", type=type(default), default=default, help=f"{meaning} (default {default})")
    chosen = parser.parse_args()
    facts = machine()
    report = measure(chosen)
    if chosen.json:
        print(json.dumps({"machine": facts, "report": report.value()}, indent=2))
    else:
        print(f"{facts}\n\n{report.text()}")
    sys.exit(any(row.met is False for row in report.rows))


def parser_of(about: str, example: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=about, epilog=f"example: {example}", formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="fewer rounds: to see that it runs, not to quote")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    return parser


def _short(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
