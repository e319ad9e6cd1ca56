"""An explanation that somebody says was wrong does not stand beside the true one."""

from __future__ import annotations

import pytest

from holdfast.prose.updates.refuted import admits, denied, refuted, refutes
from tests.support.table import each_of

GUESS = "Most likely line endings: the golden files have no `eol` attribute, so git checks them out with CRLF."
CACHE = "Cause: the shared cache keeps the token for an hour."


@pytest.mark.requirement("MEM-12")
@each_of(
    ("said", "old", "is_wrong"),
    (
        ("windows is still red btw. so it was not the line endings", GUESS, True),
        ("No, it wasn't the line endings. The set is sorted by address.", GUESS, True),
        ("es lag nicht am Cache, der Token war falsch", CACHE, True),
        ("ce n'était pas le cache", CACHE, True),
        ("it was not the proxy", CACHE, False),
        ("That was not the shared cache.", CACHE, True),
        ("I would delete nothing that is not in the shared cache", CACHE, False),
        ("a key (one that is not in the shared cache) stays", CACHE, False),
        ("it is not easy", GUESS, False),
        ("the cache is not warm yet", CACHE, False),
        ("it was not the line endings", "The menu has icons now.", False),
    ),
)
def test_words_that_deny_a_cause_refute_the_work_that_named_it(said: str, old: str, is_wrong: bool) -> None:
    assert bool(refuted(said, old)) is is_wrong
    assert refutes(said) or not is_wrong


@pytest.mark.requirement("MEM-12")
def test_who_takes_a_diagnosis_back_without_naming_it_is_understood() -> None:
    for said, is_one in (
        ("The log shows more. My diagnosis from the other day was wrong.", True),
        ("You're right, and my first explanation was wrong: the timeout had nothing to do with it.", True),
        ("The first suspicion, a reboot of the logger, was wrong.", True),
        ("The first fix was merged.", False),
        ("The last attempt is wrong only if the user mistypes the coupon.", False),
        ("My theory that the first result was wrong is confirmed.", False),
        ("Meine erste Vermutung hat sich bestätigt.", False),
        ("Meine erste Diagnose war falsch.", True),
        ("My first try at the parser is slow.", False),
    ):
        assert bool(admits(said)) is is_one, said


@pytest.mark.requirement("MEM-12")
def test_what_was_not_the_cause_is_named_outright() -> None:
    for said, old, is_wrong in (
        ("`SameSite` wasn't it; the proxy drops the header.", "The cookie is set with `SameSite=Strict`.", True),
        ("The N+1 was real, but it wasn't the cause.", "There's an N+1 in the calendar.", True),
        ("The calendar isn't slow any more.", "There's an N+1 in the calendar.", False),
        ("The timeout isn't the issue now that it is raised to 30 s.", "The timeout was too short: 5 s.", False),
        ("If the timeout was not the problem, look at the pool.", "The timeout is 5 s.", False),
        ("The N+1 wasn't the problem I was asked about.", "The N+1 in orders.py slows the list page.", False),
        ("Redis wasn't it but its holder leaks.", "We use Redis for sessions.", False),
    ):
        assert bool(denied(said, old)) is is_wrong, said
