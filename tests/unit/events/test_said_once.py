"""No sentence is said twice to one reader."""

from __future__ import annotations

import pytest

from holdfast.events.said_once import items_of, sentences, unsaid, without_told_items

SAID = "The deploy to staging failed, as the certificate has expired"
DEPLOY = f"[s0a1b2c3d] agent: {SAID}. (2 h ago, failed)"


@pytest.mark.requirement("MEM-19")
@pytest.mark.requirement("MEM-20")
def test_a_line_says_what_is_left_of_it_or_nothing() -> None:
    told = sentences(DEPLOY)
    assert told == {"the deploy to staging failed as the certificate has expired"}
    for line, left in (
        (DEPLOY, ""),
        (f"[s99999999] agent: {SAID} (3 h ago, on branch x)", ""),
        ("- the deploy to staging failed, as the certificate has expired", ""),
        (
            f"[s99999999] Still fails: ./ship.sh — {SAID}. (1 h ago)",
            "[s99999999] Still fails: ./ship.sh (1 h ago)",
        ),
        (
            f"[s99999999] agent: {SAID}. Ops renew it on Monday. (1 h)",
            "[s99999999] agent: Ops renew it on Monday. (about: The deploy to staging failed, as the…) (1 h)",
        ),
        ("[s99999999] agent: Tests pass. The rollback was not needed. (1 h)", None),
    ):
        assert unsaid(line, told.__contains__) == (line if left is None else left), line
    assert sentences("[s0a1b2c3d] agent: Tests pass. (2 h ago)") == set(), "a short one may be said again"
    assert unsaid(DEPLOY, lambda words: False) == DEPLOY


@pytest.mark.requirement("MEM-19")
def test_a_text_loses_items_that_were_told_and_the_headlines_over_them() -> None:
    told = items_of(f"Next steps:\n{DEPLOY}\nAsk ops: what is not an item is not counted as said.")
    text = f"About this:\nOpen threads:\n{DEPLOY}\nWork:\n- The parser reads both kinds of dates now, as asked."
    left = "About this:\nWork:\n- The parser reads both kinds of dates now, as asked."
    assert without_told_items(text, told) == left
    assert without_told_items(left, told) == left
    detail = f"{left}\n[r99999999] agent: {SAID} — what helped: a new certificate (1 d ago)"
    assert without_told_items(detail, told) == left, "what begins with it tells of the same"


def test_what_is_left_of_a_line_keeps_a_blank_before_its_remarks() -> None:
    line = "[s1] agent: The stock has an endpoint. The pull request has to be opened by you. (23 h ago, passed)"
    gone = "the pull request has to be opened by you"
    assert unsaid(line, lambda words: words == gone) == "[s1] agent: The stock has an endpoint. (23 h ago, passed)"
