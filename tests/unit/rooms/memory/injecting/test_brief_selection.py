"""Which work a brief tells."""

from __future__ import annotations

import pytest

from holdfast.rooms.memory.injecting.brief_selection import choose, retells
from holdfast.rooms.memory.model import SummaryContent
from tests.unit.rooms.memory.made import NOW, summary


@pytest.mark.requirement("MEM-19")
def test_an_answer_that_denies_earlier_work_does_not_repeat_it() -> None:
    work = SummaryContent(title="Webhook signatures are verified against the raw body in the gateway middleware.")
    for said, repeats in (
        ("The gateway middleware verifies webhook signatures against the raw body.", True),
        ("Webhook signatures are not verified against the raw body in the gateway middleware any more.", False),
    ):
        answer = SummaryContent(title=said, request="How are webhooks verified?", done=f"Answered: {said}")
        assert retells(answer, work) is repeats, said


@pytest.mark.requirement("MEM-19")
def test_an_answer_from_memory_does_not_push_out_the_work_that_it_repeats() -> None:
    work = summary(
        "Bookings are no longer retried, because the carrier bills each attempt.",
        request="no retries for bookings any more",
        files=("src/book.py",),
        done="Edited src/book.py",
        outcome="passed",
    )
    answer = summary(
        "No, not any more, because the carrier bills each attempt.",
        2,
        request="do we retry a failed booking?",
        done="Answered: No, not any more, because the carrier bills each attempt.",
    )
    assert [each.summary for each in choose([answer, work], NOW, 1)] == [work]
