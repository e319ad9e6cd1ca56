"""What a sentence states, by lists of sentences in many voices (tests/data/continuity)."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.rooms.continuity.telling.sentences import statements

LISTS = Path(__file__).parents[4] / "data" / "continuity"
KINDS = {"dead_ends": "dead_end", "decisions": "decision", "next_steps": "next_step", "others": ""}


@pytest.mark.requirement("CON-14")
@pytest.mark.requirement("CON-15")
def test_dead_ends_decisions_and_next_steps_are_told_apart_in_many_voices() -> None:
    wrong = []
    for name, kind in KINDS.items():
        lines = [line for line in (LISTS / f"{name}.txt").read_text("utf-8").splitlines() if not line.startswith("#")]
        assert len(lines) > 40, name
        for line in lines:
            found = {stated for stated, _ in statements(line)}
            if (kind not in found) if kind else found - {"finding", "question"}:
                wrong.append((name, line, found))
    assert wrong == []
