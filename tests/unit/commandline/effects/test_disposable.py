"""Databases that are there to be thrown away."""

from __future__ import annotations

import pytest

from holdfast.commandline.effects.disposable import is_thrown_away

TESTS = "db.getSiblingDB('shop_test').dropDatabase()"


@pytest.mark.requirement("WRK-7")
def test_a_shell_that_names_a_test_database_spares_no_other_one() -> None:
    for script, is_spare in (
        (TESTS, True),
        (f"{TESTS}; {TESTS.replace('shop_test', 'cart_test')}", True),
        ("db.getSiblingDB('shop').dropDatabase()", False),
        (f"{TESTS}; db.dropDatabase()", False),
        (f"{TESTS}; const own = db; own.dropDatabase()", False),
        (f"{TESTS}; db.getSiblingDB(name).dropDatabase()", False),
        ("db.getSiblingDB('shop_test' + '').getSiblingDB(name).dropDatabase()", False),
        (f"{TESTS}; new Mongo().getDB('shop').dropDatabase()", False),
    ):
        assert is_thrown_away("mongosh", ["--eval", script], ()) is is_spare, script
