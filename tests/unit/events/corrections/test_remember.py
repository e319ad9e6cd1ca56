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


@pytest.mark.requirement("MEM-31")
def test_what_the_user_calls_a_rule_is_one() -> None:
    for prompt, kept in (
        ("ok. rule: no customer ids in file names. then go on", ["rule: no customer ids in file names."]),
        ("house rule: migrations are reviewed by Ana", ["house rule: migrations are reviewed by Ana"]),
        (
            "fine. and a rule for all services: timeouts are below 5 s",
            ["a rule for all services: timeouts are below 5 s"],
        ),
        ("Our rule is that prices carry their currency.", ["Our rule is that prices carry their currency."]),
        ("Regel ab jetzt: Belege werden archiviert", ["Regel ab jetzt: Belege werden archiviert"]),
        ("drafts are sealed after a day. that's a rule", ["drafts are sealed after a day."]),
        (
            "closed months are never reopened. the auditor signs them. thats a rule",
            ["closed months are never reopened."],
        ),
        ("for these two: never rename a public field. that's the rule", ["never rename a public field."]),
        ("every endpoint gets a contract test. always", ["every endpoint gets a contract test."]),
        (
            "each hotfix has an entry in HOTFIXES.md. ops reads the file. always, no exceptions",
            ["each hotfix has an entry in HOTFIXES.md."],
        ),
        (
            "good. always like this: the canary first, an hour, then the rest",
            ["always like this: the canary first, an hour, then the rest"],
        ),
        (
            "and so it stays safe: every release sets a tag, and never a second build of one",
            ["so it stays safe: every release sets a tag, and never a second build of one"],
        ),
        ("prices and taxes are in cents. remember that", ["prices and taxes are in cents."]),
        ("the eslint rule: no-unused-vars complains about the loader", []),
        ("firewall rule: port 443 is open", []),
        ("rule: the proxy denies all requests", []),
        ("why is that a rule?", []),
        ("is every job always queued?", []),
        ("the page hangs. always", []),
        ("every upload fails. every time", []),
        ("it is slow. always", []),
        ("look at the policy page, the title is wrong", []),
        ("new rule: I have to leave at five", []),
        ("add a rule: requests without a token are redirected", []),
        ("each row has a total. the last one is empty", []),
        ("all tests pass, never a problem", []),
    ):
        assert [each.text for each in corrections_in(prompt)] == kept, prompt
