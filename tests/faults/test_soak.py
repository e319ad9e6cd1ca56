"""The kill test that anyone can run for as long as they like (`python -m bench.soak`), here for a few seconds."""

from __future__ import annotations

import pytest
from bench.soak import soak


@pytest.mark.requirement("EVT-7")
@pytest.mark.requirement("EVT-8")
@pytest.mark.requirement("EVT-9")
def test_every_acknowledged_event_is_there_once_after_random_kills() -> None:
    course = soak(8, clients=4, seed=3)
    assert course.kills.total() >= 2
    assert len(course.acknowledged) > 10
    assert (course.lost, course.doubled) == ([], [])
    assert {fault for fault in course.faults if fault.isdigit()} == {"200"}
