"""What a prompt makes old news."""

from __future__ import annotations

import pytest

from holdfast.items.selection import is_settled_by


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
