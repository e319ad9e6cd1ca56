"""Phases: which one is meant, what may follow, and the failure of every other move."""

from __future__ import annotations

import pytest

from holdfast.rooms.work.efforts import phases
from holdfast.rooms.work.errors import Invalid, PhaseNotSequential, UnknownPhase, WorkError
from holdfast.rooms.work.model import Phase

FOUR = (
    Phase("1: Setup", "1"),
    Phase("2: Plan", "2", proof=("plan", "review")),
    Phase("3: Build", "3"),
    Phase("3.A: Parser", "3.A"),
    Phase("3.B: Printer", "3.B"),
    Phase("4: Close", "4"),
)
PROVEN = ["plan=x", "Review=y"]


@pytest.mark.requirement("WRK-3")
def test_every_move() -> None:
    cases: list[tuple[str, str, str, list[str], str | type[WorkError]]] = [
        ("", "Setup", "", [], "1: Setup"),
        ("", "Plan", "", [], PhaseNotSequential),
        ("1: Setup", "plan", "", [], "2: Plan"),
        ("1: Setup", "2", "", [], "2: Plan"),
        ("1: Setup", "2: PLAN", "", [], "2: Plan"),
        ("1: Setup", "1", "", [], "1: Setup"),
        ("1: Setup", "2: Build", "", [], UnknownPhase),
        ("1: Setup", "Publish", "a reason helps nothing", [], UnknownPhase),
        ("1: Setup", "Build", "", [], PhaseNotSequential),
        ("1: Setup", "Build", "the user said so", [], "3: Build"),
        ("1: Setup", "Parser", "", [], PhaseNotSequential),
        ("1: Setup", "1.1: Read", "", [], "1.1: Read"),
        ("1.1: Read", "1.2: Write", "", [], "1.2: Write"),
        ("1.2: Write", "1.1", "", [], PhaseNotSequential),
        ("1.10: Tenth", "1.9: Ninth", "", [], PhaseNotSequential),
        ("1.9: Ninth", "1.10: Tenth", "", [], "1.10: Tenth"),
        ("1.2: Write", "Plan", "", [], "2: Plan"),
        ("1: Setup", "7.1: Elsewhere", "", [], UnknownPhase),
        ("2: Plan", "Build", "", [], Invalid),
        ("2: Plan", "Build", "", ["plan=x"], Invalid),
        ("2: Plan", "Build", "", ["plan=x", "review= "], Invalid),
        ("2: Plan", "Build", "", PROVEN, "3: Build"),
        ("2: Plan", "Build", "", ["it was read", "and reviewed"], "3: Build"),
        ("2: Plan", "Setup", "", PROVEN, PhaseNotSequential),
        ("2: Plan", "Setup", "start over", [], "1: Setup"),
        ("3: Build", "Parser", "", [], "3.A: Parser"),
        ("3: Build", "Printer", "", [], PhaseNotSequential),
        ("3.A: Parser", "Printer", "", [], "3.B: Printer"),
        ("3.B: Printer", "Close", "", [], "4: Close"),
        ("3.A: Parser", "Close", "", [], "4: Close"),
        ("4: Close", "Plan", "", [], PhaseNotSequential),
        ("1: Setup", " ", "", [], Invalid),
    ]
    for now, asked, reason, proof, expected in cases:
        if isinstance(expected, str):
            assert phases.enter(FOUR, now, asked, reason, proof).label == expected, (now, asked)
        else:
            with pytest.raises(expected, match=expected.name):
                phases.enter(FOUR, now, asked, reason, proof)
    assert phases.enter((), "whatever", "Anything", "", []).label == "Anything", "without phases there is no order"
    following = [phases.following(FOUR, phase) for phase in (None, FOUR[0], FOUR[3], FOUR[5])]
    assert [phase and phase.label for phase in following] == ["1: Setup", "2: Plan", "4: Close", None]
