"""What is reported of projects that were left out was chosen without them (`bench/left_out.py`)."""

from __future__ import annotations

import random

import pytest
from bench.left_out import FLOORS, Outcome, Prompt, choose, percents, under

from holdfast.items.standing_out import LIMITS
from holdfast.recall import Candidate
from holdfast.recall.intent import Intent

NOTHING = Outcome("", "related", 0, 0)


def made(project: str, number: int, chance: random.Random, told_by: int) -> Prompt:
    """A prompt with one line. Whether it is right is told by one of the things that are seen of it."""
    right = number % 2 == 0
    seen = [chance.random() * 0.1 for _ in range(4)]
    seen[told_by] = 1.0 if right else 0.0
    kind = "related" if right else ("elsewhere", "new_work")[number % 4 // 2]
    prompt = Prompt(project, kind, Intent(question=True), NOTHING)
    line = (tuple(seen), Candidate(f"{project}{number}", "turn", f"[x] {project} {number}", 1.0), right)
    prompt.lines = {floor: [line] for floor in (*FLOORS["question"], LIMITS.question_floor)}
    return prompt


@pytest.mark.requirement("MEM-29")
def test_weights_and_limits_come_from_the_other_projects_alone() -> None:
    chance = random.Random(7)
    others = [made(name, number, chance, 0) for name in "abcde" for number in range(40)]
    alike = [made("f", number, chance, 0) for number in range(40)]
    unlike = [made("g", number, chance, 2) for number in range(40)]
    limits = choose(others)
    assert limits.sureness.fit > 2 * max(limits.sureness.share, limits.sureness.ahead)
    assert percents(under(limits, alike)) == (100.0, 0.0, 0.0, 100.0)
    given, _, _, _ = percents(under(limits, unlike))
    assert given < 100, "a project that is unlike the others shows what the limits are worth there"


@pytest.mark.requirement("MEM-29")
def test_the_figures_are_the_share_of_prompts_and_of_lines() -> None:
    some = [
        Outcome("a", "related", 3, 1),
        Outcome("a", "related", 1, 0),
        Outcome("a", "related", 0, 0),
        Outcome("a", "related", 1, 1),
        Outcome("a", "elsewhere", 2, 0),
        Outcome("a", "elsewhere", 0, 0),
        Outcome("a", "new_work", 1, 0),
    ]
    assert percents(some) == (50.0, 50.0, 100.0, 40.0)
