"""What a short reply takes, and what it takes back."""

from __future__ import annotations

import pytest

from holdfast.prose.closing import best, statements
from holdfast.prose.prompts.replies import defers, offers, takes_back, takes_one

BACK = [
    "nah undo that", "undo", "revert that please", "no, roll it back", "nope, put it back", "hm, revert",
    "mach das bitte wieder rückgängig", "nimm das zurück", "annule ça", "deshazlo", "please take that out again",
    "drop it", "no, scrap that please", "drop the change",
]  # fmt: skip
NOT_BACK = [
    "undo the migration of the archive in staging", "revert the parser to recursive descent", "add an undo button",
    "why was it reverted?", "the undo stack is empty after a save", "put the header above the list",
    "drop it in the header, next to the logo", "Drop that in src/utils too", "drop these files into assets",
]  # fmt: skip
TAKEN = ["take that one", "ok, use the second", "go with 50", "nimm die erste", "yes, keep it", "on prend la deuxième",
         "the second", "let's go with postgres", "use postgres", "make it 50", "take the old one"]  # fmt: skip
NOT_TAKEN = [
    "which one do we use?", "explain both", "the table uses too much memory, find out why it grows so much",
    "take a look at the tests", "keep going", "make it faster", "use a binary search in find()", "keep it simple",
    "lass uns weitermachen", "use the tests of the parser to see it",
]  # fmt: skip


@pytest.mark.requirement("MEM-16")
def test_a_short_reply_takes_or_takes_back() -> None:
    assert [each for each in BACK if not takes_back(each)] == []
    assert [each for each in NOT_BACK if takes_back(each)] == []
    assert [each for each in TAKEN if not takes_one(each)] == []
    assert [each for each in NOT_TAKEN if takes_one(each)] == []
    assert offers("Most use 25 or 100.")
    assert not offers("The parser keeps the last row.")


@pytest.mark.requirement("MEM-16")
def test_what_holds_after_a_revert_is_told_as_a_decision() -> None:
    for said, told in (
        ("Reverted. Only the header is sticky.", "Reverted. Only the header is sticky."),
        ("Undone. The LED blinks in red again.", "Undone. The LED blinks in red again."),
        ("Done: it is rolled back. Retries stay at three.", "Retries stay at three."),
        ("I reverted the change to sidebar.css; only the header is sticky.",
         "I reverted the change to sidebar.css; only the header is sticky."),
        ("Rückgängig gemacht. Nur der Kopf bleibt stehen.", "Rückgängig gemacht. Nur der Kopf bleibt stehen."),
    ):  # fmt: skip
        top = best(statements(said))
        assert top is not None, said
        assert told in top.text
    tried = best(statements("I raised the timeout. It made it worse, so I reverted it."))
    assert tried is None or tried.kind != "decision"


@pytest.mark.requirement("MEM-18")
def test_who_has_to_be_asked_first_puts_a_matter_off_and_an_answer_does_not() -> None:
    for said, is_off in (
        ("good point. i ask captain rosa. push it meanwhile", True),
        ("hm, i have to ask finance", True),
        ("yes, we wait 10 s", False),
        ("main, I think about it as a fix", False),
        ("How long do we wait between retries", False),
        ("An email to users is sent twice, fix that", False),
    ):
        assert defers(said) is is_off, said
