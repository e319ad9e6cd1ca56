"""An explanation that somebody says was wrong does not stand beside the true one."""

from __future__ import annotations

import pytest

from holdfast.prose.updates.refuted import refuted, refutes
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
