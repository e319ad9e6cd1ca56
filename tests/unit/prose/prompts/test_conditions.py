"""What the user says must happen first is open until it is told; a rule and an order to the agent are not."""

from __future__ import annotations

import pytest

from holdfast.prose.prompts.conditions import conditions_in

_OPEN = (
    ("new worktree. pedro has to review the pairing before any of it gets near main", "pedro has to review"),
    ("no merge before pavel ran it in the chamber, slot is next week", "no merge before pavel"),
    ("mailed annika what bit 15 means. lets see", "mailed annika what"),
    ("nothing of it goes on main before oskar (our dpo) has said ok", "nothing of it goes on main"),
    ("k. and 4.13 doesn't go out before the audit by the notified body is over", "and 4.13 doesn't go out"),
    ("the app isn't released until the bank has approved it", "the app isn't released"),
    ("none of it goes to main until legal has looked at it", "none of it goes to main"),
    ("i asked the pump people. and pinged sana about the key", "and pinged sana"),
)
_CLOSED = (
    "never deploy before 9",
    "don't commit before the tests pass",
    "run the linter before you commit",
    "i asked you to keep it short",
    "an hour is fine, I asked Ingrid",
    "asked petra, she says the old export can go",
    "users have to log in before they can see the page",
    "the list doesn't load until the page was scrolled",
    "it doesn't go to the next step until the form is valid",
    "the parser must validate the header before it reads the body",
    "refunds: people want to give tickets back, up to 48h before the show",
    "has pedro reviewed it before we merge?",
    "",
)


@pytest.mark.requirement("MEM-18")
@pytest.mark.parametrize(("prompt", "begins"), _OPEN)
def test_who_must_act_first_is_open_in_the_users_words(prompt: str, begins: str) -> None:
    [line] = conditions_in(prompt)
    assert line.startswith(begins)


@pytest.mark.requirement("MEM-18")
@pytest.mark.parametrize("prompt", _CLOSED)
def test_rules_orders_and_features_wait_for_nobody(prompt: str) -> None:
    assert conditions_in(prompt) == []


@pytest.mark.requirement("MEM-18")
@pytest.mark.parametrize(
    ("prompt", "line"),
    [
        ("site 7 is the holdout. nobody trains on it before the paper is submitted", ""),
        ("The price list is confidential. no copy of it leaves the house until legal has signed", ""),
        ("the firmware is in the lab. don't flash them before mara tested it", ""),
        (
            "the pumps are new. no merge before pavel ran it in the chamber",
            "no merge before pavel ran it in the chamber",
        ),
    ],
)
def test_a_condition_that_names_no_subject_is_told_with_the_sentence_before_it(prompt: str, line: str) -> None:
    assert conditions_in(prompt) == [line or prompt]


@pytest.mark.requirement("SEC-7")
def test_a_prompt_is_read_up_to_a_length() -> None:
    assert conditions_in("no merge before " * 20_000) == []
