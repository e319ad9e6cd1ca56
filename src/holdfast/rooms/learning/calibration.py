"""How often predictions came true: explicit ones by domain, strategy and project, and those in passing, over time.

The library that draws the plot is loaded when it is needed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from holdfast.rooms.learning.tables import Implied, SettledGhap
from holdfast.times import DAY_US, when


class Rate(Struct, frozen=True):
    """How often something came true."""

    name: str
    came_true: int
    total: int
    share: float | None
    """None when nothing was predicted."""


class Week(Struct, frozen=True):
    start: str
    came_true: int
    total: int
    share: float | None


class Calibration(Struct, frozen=True):
    """How often predictions came true."""

    explicit: Rate
    implied: Rate
    by_domain: list[Rate]
    by_strategy: list[Rate]
    by_tier: list[Rate]
    by_project: list[Rate]
    by_words: list[Rate]
    """Predictions in passing, by what they expect of a run."""
    weeks: list[Week]


def rate(name: str, outcomes: Iterable[bool]) -> Rate:
    found = list(outcomes)
    return Rate(name, sum(found), len(found), round(sum(found) / len(found), 3) if found else None)


def _by(pairs: Iterable[tuple[str, bool]]) -> list[Rate]:
    grouped: dict[str, list[bool]] = defaultdict(list)
    for name, held in pairs:
        grouped[name].append(held)
    return sorted((rate(name, held) for name, held in grouped.items()), key=lambda each: (-each.total, each.name))


def calibrated(settled: Sequence[SettledGhap], implied: Sequence[Implied], names: Mapping[str, str]) -> Calibration:
    """All figures of some settled GHAPs and predictions in passing."""
    told = [(each, each.status == "confirmed") for each in settled]
    said = [(each, bool(each.came_true)) for each in implied]
    moments = [(each.resolved_at, held) for each, held in told] + [(each.happened_at, held) for each, held in said]
    projects = [(each.project_id, held) for each, held in told] + [(each.project_id, held) for each, held in said]
    return Calibration(
        explicit=rate("explicit", (held for _, held in told)),
        implied=rate("implied", (held for _, held in said)),
        by_domain=_by([*((e.domain, held) for e, held in told), *((e.domain, held) for e, held in said)]),
        by_strategy=_by((each.strategy, held) for each, held in told),
        by_tier=_by((each.tier, held) for each, held in told),
        by_project=_by((names.get(project) or "no project", held) for project, held in projects),
        by_words=_by((f"expects it {each.expects}", held) for each, held in said),
        weeks=_weeks(moments),
    )


def _weeks(moments: Sequence[tuple[int, bool]]) -> list[Week]:
    week = 7 * DAY_US
    grouped: dict[int, list[bool]] = defaultdict(list)
    for at, held in moments:
        grouped[at // week].append(held)
    if not grouped:
        return []
    weeks = []
    for number in range(min(grouped), max(grouped) + 1):
        each = rate("", grouped.get(number, []))
        weeks.append(Week(when(number * week)[:10], each.came_true, each.total, each.share))
    return weeks[-104:]


def plot(weeks: Sequence[Mapping[str, object]], width: int, height: int = 10) -> list[str]:
    """The share that came true, by week, as lines of a terminal. [] with fewer than two weeks."""
    points = [(number, float(str(each["share"]))) for number, each in enumerate(weeks) if each["share"] is not None]
    if len(points) < 2:
        return []
    import plotille  # type: ignore[import-untyped]

    drawn = plotille.plot(
        [number for number, _ in points],
        [100 * share for _, share in points],
        width=max(20, min(width - 20, 100)),
        height=height,
        X_label="week",
        Y_label="%",
        x_min=0,
        x_max=len(weeks) - 1,
        y_min=0,
        y_max=100,
        origin=False,
    )
    first, last = weeks[points[0][0]]["start"], weeks[points[-1][0]]["start"]
    title = f"Predictions that came true, % by week, from {first} to {last}"
    return [title, *(line.rstrip() for line in str(drawn).splitlines())]
