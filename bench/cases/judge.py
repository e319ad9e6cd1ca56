"""Judges what a case was told, and adds it up per class. Pure."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from bench.cases.model import Case, Expectation

REPLACED = " — replaces: "
"""What stands behind it is told as what no longer holds: it neither meets an expectation nor misleads."""


@dataclass(frozen=True, slots=True)
class Told:
    """The lines about items that one session was told, and the tokens of its brief."""

    brief: tuple[str, ...] = ()
    at: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    """(prompt or file, its words) → the lines that were told there."""
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Judged:
    """One case: what was missed, and which lines were forbidden."""

    case: Case
    told: Told
    missed: tuple[Expectation, ...]
    forbidden: tuple[tuple[Expectation, str], ...]
    """What must not be told, with the line that told it."""

    @property
    def met(self) -> int:
        broken = {id(expected) for expected, _ in self.forbidden}
        return len(self.case.expected) - len(self.missed) - len(broken)


@dataclass(frozen=True, slots=True)
class Sum:
    """The figures of some cases."""

    cases: int
    expected: int
    met: int
    forbidden: int
    brief_tokens: float


def judge(case: Case, told: Told) -> Judged:
    missed = [each for each in case.expected if each.must and not _is_said(each, _heard(told, each))]
    forbidden = [
        (each, line) for each in case.expected if not each.must for line in _lines(told, each) if _is_said(each, [line])
    ]
    return Judged(case, told, tuple(missed), tuple(forbidden))


def _is_said(expected: Expectation, lines: Sequence[str]) -> bool:
    return any(expected.found_in(line.partition(REPLACED)[0]) for line in lines)


def _lines(told: Told, expected: Expectation) -> Sequence[str]:
    """What is told at that place."""
    return told.brief if expected.at == "brief" else told.at.get((expected.at, expected.subject), ())


def _heard(told: Told, expected: Expectation) -> Sequence[str]:
    """What the agent has heard by then: nothing is said twice, so the brief and earlier places of the session count."""
    if expected.at == "brief":
        return told.brief
    places = list(told.at)
    before = places[: places.index((expected.at, expected.subject)) + 1]
    return [*told.brief, *(line for place in before for line in told.at[place])]


def summed(judged: Iterable[Judged]) -> Sum:
    some = list(judged)
    tokens = [each.told.tokens for each in some]
    return Sum(
        cases=len(some),
        expected=sum(len(each.case.expected) for each in some),
        met=sum(each.met for each in some),
        forbidden=sum(len({line for _, line in each.forbidden}) for each in some),
        brief_tokens=statistics.median(tokens) if tokens else 0.0,
    )


def by_class(judged: Sequence[Judged]) -> dict[str, Sum]:
    """The figures of each class, in the order of the file, and of all."""
    kinds = dict.fromkeys(each.case.kind for each in judged)
    found = {kind: summed(each for each in judged if each.case.kind == kind) for kind in kinds}
    return found | {"all": summed(judged)}


def table(sums: dict[str, Sum]) -> list[str]:
    rows = [("class", "cases", "met", "forbidden lines", "brief, tokens (median)")]
    for kind, each in sums.items():
        share = f"{each.met} of {each.expected} ({100 * each.met / max(each.expected, 1):.1f} %)"
        rows.append((kind, str(each.cases), share, str(each.forbidden), f"{each.brief_tokens:g}"))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [f"| {' | '.join(map(str.ljust, row, widths))} |" for row in rows]
    return [lines[0], f"|{'|'.join('-' * (width + 2) for width in widths)}|", *lines[1:]]
