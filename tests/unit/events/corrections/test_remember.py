"""What the user asks to be remembered is kept as a rule; a memory, a question and an order for now are none."""

from __future__ import annotations

import pytest

from holdfast.events.correction import corrections_in


@pytest.mark.requirement("MEM-31")
def test_what_the_user_asks_to_be_remembered_is_a_rule() -> None:
    for prompt, kept in (
        ("Orders are never deleted, only cancelled. Remember that.", "Orders are never deleted, only cancelled."),
        ("ship as zip. und: belege werden nie gelöscht. merk dir das", "belege werden nie gelöscht."),
        ("the staging db is shared with sales. keep that in mind please", "the staging db is shared with sales."),
        ("keep in mind that deploys are on tuesdays only", "deploys are on tuesdays only"),
        ("note for later: the scanner needs firmware 4", "the scanner needs firmware 4"),
        ("remember: prices are in cents", "prices are in cents"),
        ("Keep in mind: invoices must not be edited", "invoices must not be edited"),
        ("Remember, the tests are in CI and the build is red. Fix it.", ""),
        ("The server is down since 9. Remember that.", ""),
        ("Keep in mind I have only 10 minutes left and we must ship.", ""),
        ("Remember: the queue is broken today", ""),
        ("I have never seen that. Remember this.", ""),
        ("Der Server ist heute kaputt. Merk dir das", ""),
        ("remember that bug from yesterday? it is back", ""),
        ("remember when the tests were slow", ""),
        ("remember to run the tests", ""),
        ("do you remember that parser bug", ""),
        ("fix the footer. remember that", ""),
        ("the api returns 404, don't forget to log it", ""),
        ("is it slow? remember that", ""),
        ('Anna said: "orders are never deleted. remember that"', ""),
    ):
        assert [each.text for each in corrections_in(prompt)] == ([kept] if kept else []), prompt
