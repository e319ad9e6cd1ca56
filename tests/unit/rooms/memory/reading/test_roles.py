"""What a heading or a label says of the words below it."""

from __future__ import annotations

import pytest

from holdfast.rooms.memory.reading.roles import Role, role_of
from holdfast.rooms.memory.summaries.by_rules.work import Work
from holdfast.rooms.memory.summaries.by_rules.writing import sum_up
from tests.support.table import each_of
from tests.unit.rooms.memory.made import edit

_LABELS: tuple[tuple[str, Role], ...] = (
    ("What I found", "finding"),
    ("What we saw", "finding"),
    ("What's wrong", "finding"),
    ("Before", "finding"),
    ("Vorher", "finding"),
    ("What I changed", "change"),
    ("What we did", "change"),
    ("After", "change"),
    ("Jetzt", "change"),
    ("What I tried first", "tried"),
)


@pytest.mark.requirement("MEM-16")
@each_of(("label", "role"), _LABELS)
def test_a_label_says_whether_the_cause_or_the_change_follows(label: str, role: Role) -> None:
    assert role_of(label) == role


@pytest.mark.requirement("MEM-17")
@pytest.mark.parametrize(
    ("found", "changed"), [("What I found", "What I changed"), ("Diagnosis", "Fix"), ("Before", "After")]
)
def test_the_state_before_the_fix_is_never_told_without_the_fix(found: str, changed: str) -> None:
    said = (
        f"## {found}\nThe gateway restarts at 18:00. Our client gives up after 3 s and never retries.\n\n"
        f"## {changed}\n- TIMEOUT 3 → 10\n- RETRIES 0 → 2 for idempotent calls\n"
    )
    made = sum_up(Work(("bookings fail in the evening",), (edit("src/carrier.py"),), said))
    assert made is not None
    assert "never retries" in made.title
    assert "TIMEOUT 3 → 10" in made.title
