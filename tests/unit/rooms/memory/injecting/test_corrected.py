"""A rule of the user's is told with its subject where it has none."""

from __future__ import annotations

from holdfast.rooms.memory.injecting.corrected import needs_subject


def test_a_rule_behind_its_announcement_says_what_it_is_about() -> None:
    for rule, needs in (
        ("one rule for all of us because i saw it again: amounts are kept in cents", False),
        ("rule: no customer ids in file names", False),
        ("I said it before: dates are in UTC", False),
        ("never copy them", True),
        ("also: never open a lid without the lock", False),
        ("no, the clocks never change: they show UTC", False),
        ("note: never copy them", True),
        ("don't do it like that", True),
        ("we never mock the database", False),
    ):
        assert needs_subject(rule) is needs, rule
