"""How a thing was and what ends that are two states of one pair; other words are of none."""

from __future__ import annotations

import pytest

from holdfast.prose.updates.opposites import OPPOSITES
from tests.support.table import each_of


@pytest.mark.requirement("MEM-12")
@each_of(
    ("was", "is_now"),
    [
        ("The jars are gone.", "The jars are back."),
        ("I deleted the sheet.", "I restored the sheet."),
        ("The pump is still off.", "The pump is on again."),
        ("The alarm is on for all halls.", "I switched the alarm off."),
        ("The stamp is missing.", "The letter has its stamp."),
        ("The lift does not start.", "The lift works."),
        ("The gate is stuck.", "The gate is fixed."),
        ("The till still runs 4.1.", "The till runs 4.2."),
        ("Die Akte ist weg.", "Die Akte ist wieder da."),
        ("La bomba no arranca.", "La bomba funciona otra vez."),
    ],
)
def test_a_state_and_what_ends_it(was: str, is_now: str) -> None:
    assert any(first.search(was) and then.search(is_now) for first, then in OPPOSITES)


@pytest.mark.requirement("MEM-12")
@each_of(("said",), [("The jars are blue.",), ("The lift takes six people.",), ("We painted the gate.",)])
def test_what_is_no_state(said: str) -> None:
    assert not any(first.search(said) for first, _ in OPPOSITES)
