"""Which threads are told first: what waits for somebody's deed or decision, or for production, before remarks."""

from __future__ import annotations

import pytest

from holdfast.rooms.memory.standing.thread import Thread, kind_of, most_pressing, pressing

WAITING = (
    "Jonas has to sign off on the numbers first.",
    "The script has not been run in production.",
    "Only Ilse has the keys of the old HSM.",
    "Legal still has to approve paragraph 4.",
    "Somebody should try a restore on a spare machine.",
    "We still need the written consent of the foundry before the site may ship with it.",
    "Rosa wants to see it on a phone before it goes out.",
    "Flashing the boards waits for the service team.",
    "Frau Kern muss die Texte noch freigeben.",
    "Still fails: Ran pytest tests/test_x.py: 2 failed",
)
REMARKS = (
    "The docs of the footer still show the old name.",
    "I have not tried it with the old shop.",
    "I left the legend alone.",
    "Offered: add a switch to the settings page",
)


def rank(line: str) -> int:
    return pressing(Thread(line, kind_of(line)))


@pytest.mark.requirement("MEM-18")
@pytest.mark.parametrize("line", WAITING)
def test_what_waits_for_somebody_is_told_before_remarks(line: str) -> None:
    assert all(rank(line) < rank(other) for other in REMARKS)


@pytest.mark.requirement("MEM-18")
def test_a_question_is_told_before_what_was_left_and_an_offer_last() -> None:
    assert rank("Should partners have 600 a minute?") < rank(REMARKS[0]) < rank(REMARKS[-1])


@pytest.mark.requirement("MEM-18")
def test_of_too_many_lines_those_that_wait_stay_in_their_order() -> None:
    lines = [*REMARKS, WAITING[0], WAITING[1]]
    assert most_pressing(lines, 3) == [REMARKS[0], WAITING[0], WAITING[1]]
    assert most_pressing(lines, 9) == lines
