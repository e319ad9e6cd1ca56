"""Which prompts take up what was left open."""

from __future__ import annotations

import pytest

from holdfast.items.state import takes_up
from tests.support.table import each_of


@pytest.mark.requirement("MEM-22")
@each_of(
    "prompt, line, takes",
    [
        ("finish the flow thing", "`tests/flow` is red, as `on_pulse()` has no dead time yet.", True),
        (
            "telwave answered: 100/s is all. take ringo as second provider",
            "Telwave would have to raise the limit.",
            True,
        ),
        ("re the trailers: no number for them", "Should trailers keep their number?", True),
        ("add a chart of the flow to the manual of the pump", "`tests/flow` is red.", False),
        ("go on", "Not fixed yet.", False),
        ("add a dark mode toggle to the login page", "The login page is not tested on Safari.", False),
        ("Mark the invoice as paid in the seed data", "Mark has to approve the invoice text.", False),
        ("explain what a signup page is", "The signup page is not deployed yet.", False),
        ("Tobias has to tell me first what the due date is", "Tobias has to sign off the screen.", False),
        ("tobias says it is fine", "Tobias has to sign off the screen.", True),
        ("the export for the box office, do it properly now", "Not covered: the CSV export for the box office.", True),
        (
            "pr is merged, thx. oskar: recordings go into the export only as a list of dates and lengths",
            'Voice messages appear as "export", without text.',
            False,  # what was merged is another sentence's matter
        ),
        (
            "Handhelds lose a third of their battery in a shift and service suspects our sync. can you bring it down",
            "Play wants a declaration about the foreground service (`FOREGROUND_SERVICE_DATA_SYNC`).",
            False,  # two words of many
        ),
    ],
)
def test_a_prompt_takes_up_a_thread_by_its_telling_words(prompt: str, line: str, takes: bool) -> None:
    assert takes_up(prompt, line) is takes
