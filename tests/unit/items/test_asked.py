"""What a prompt makes old news."""

from __future__ import annotations

from dataclasses import replace

import pytest

from holdfast.ids import ConversationId
from holdfast.items.asked import Asked, asks_why, is_settled_by
from holdfast.items.model import Listener
from holdfast.items.standing_out import BY_VECTOR, LIMITS, Limits


@pytest.mark.requirement("MEM-12")
def test_only_a_prompt_that_reports_it_settles_what_is_open() -> None:
    line = "The webhook secret is not rotated yet."
    for prompt, settles in (
        ("ops have rotated the webhook secret, update the docs", True),
        ("the webhook secret is rotated. Check if the login works", True),
        ("make sure that the webhook secret has been rotated before the release", False),
        ("once the webhook secret is rotated, tag the release", False),
        ("check that the webhook secret is rotated", False),
    ):
        assert is_settled_by(prompt, line) is settles, prompt


@pytest.mark.requirement("MEM-29")
def test_a_prompt_that_a_sentence_model_knows_is_held_to_limits_of_its_own() -> None:
    asked = Asked("the webhook", "o", "p", Listener(ConversationId("c")), 0)
    assert asked.held_to is LIMITS
    assert replace(asked, direction=[0.1]).held_to is BY_VECTOR
    assert replace(asked, direction=[0.1], limits=(own := Limits(floor=0.9))).held_to is own


@pytest.mark.requirement("MEM-22")
def test_who_asks_for_a_cause_asks_why() -> None:
    for prompt, why in (
        ("why is the export slow?", True),
        ("remind me what the reason was", True),
        ("how come half of the labels are empty", True),
        ("what was the problem with the scanner in May?", True),
        ("was that our bug, and did they get their money?", True),
        ("what was it with the night build?", True),
        ("warum fehlt die Spalte?", True),
        ("come mai i turni sono vuoti", True),
        ("fix the bug in the scanner", False),
        ("what is the error rate of the scanner?", False),
        ("add a because clause to the note", False),
        ("what problems remain?", False),
        ("how long do we keep the scans?", False),
    ):
        assert asks_why(prompt) is why, prompt
