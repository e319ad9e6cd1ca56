"""The user's own words beside what was pasted."""

from __future__ import annotations

import pytest

from holdfast.prose.prompts.pasted import own_words


@pytest.mark.requirement("MEM-16")
def test_a_pasted_log_is_not_among_the_users_own_words() -> None:
    for prompt, own in (
        ("2026-03-01T10:00:01Z ERROR db: timeout\n    at x.y(Z.java:1)\nwhy on the tablet?", "why on the tablet?"),
        ('fix this\nTraceback (most recent call last):\n  File "a.py", line 3\nKeyError: 1', "fix this"),
        ("[12:00:03] WARN pool exhausted", ""),
        ("2026-03-01 12:00 GET /a 500\n2026-03-01 12:00 GET /b 500", ""),
        ("what is this?\n```\nsome code\n```", "what is this?"),
        ("fix src/a.py: set retries=3 and limit=5", "fix src/a.py: set retries=3 and limit=5"),
        ("Rename the helper.\nThen run the tests.", "Rename the helper.\nThen run the tests."),
    ):
        assert own_words(prompt) == own, prompt
