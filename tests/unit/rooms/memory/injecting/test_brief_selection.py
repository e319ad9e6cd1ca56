"""Which work a brief tells."""

from __future__ import annotations

import pytest

from holdfast.rooms.memory.injecting.brief_selection import retells
from holdfast.rooms.memory.model import SummaryContent


@pytest.mark.requirement("MEM-19")
def test_an_answer_that_denies_earlier_work_does_not_repeat_it() -> None:
    work = SummaryContent(title="Webhook signatures are verified against the raw body in the gateway middleware.")
    for said, repeats in (
        ("The gateway middleware verifies webhook signatures against the raw body.", True),
        ("Webhook signatures are not verified against the raw body in the gateway middleware any more.", False),
    ):
        answer = SummaryContent(title=said, request="How are webhooks verified?", done=f"Answered: {said}")
        assert retells(answer, work) is repeats, said
