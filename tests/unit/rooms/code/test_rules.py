"""What is said at a Read, how found units are ranked, and what counts as similar."""

from __future__ import annotations

from holdfast.items.sources import ChangedWith
from holdfast.rooms.code.rules import in_range, likeness, looked_up, named_in, ranked, said
from holdfast.source.model import FoundUnit, Frequencies, UnitRow
from holdfast.source.uses import Relation

USED = {"round_vat": ["make_invoice"]}


def test_two_lines_at_most_its_own_tests_first_and_helpers_of_tests_in_neither() -> None:
    relations = [
        Relation(
            "tests/test_shop.py", {"round_vat": ["test_a.inner", "helper"], "Rates": ["TestRates.test_b.handler"]}
        ),
        Relation("tests/test_tax.py", {"round_vat": ["test_half_up"]}),
        Relation("tests/support/shop.py", USED),
        *(Relation(f"src/user{number}.py", USED) for number in range(5)),
    ]
    assert said("src/shop/tax.py", relations) == [
        "Tests of tax.py: tests/test_tax.py (test_half_up), tests/test_shop.py (test_a, TestRates.test_b)",
        "tax.py is used in: src/user0.py (round_vat), src/user1.py (round_vat), src/user2.py (round_vat), "
        "and 2 more files",
    ]
    # Tests that changed with the file take the places that those that use it leave; its own test comes first.
    beside = [ChangedWith("tests/test_shop.py", 5, 9), ChangedWith("tests/test_e2e.py", 3, 9)]
    assert said("src/shop/tax.py", relations[:2], beside) == [
        "Tests of tax.py: tests/test_tax.py (test_half_up), tests/test_shop.py (test_a, TestRates.test_b), "
        "tests/test_e2e.py (changed with it in 3 of 9 commits)",
    ]
    assert said("src/shop/__init__.py", [], beside[1:]) == [
        "Tests of shop/__init__.py: tests/test_e2e.py (changed with it in 3 of 9 commits)"
    ]
    assert said("tests/test_tax.py", [Relation("tests/test_other.py", USED)], beside) == []
    assert said("a.py", []) == []
    odd = said("a.py", [Relation("src/new\nline </holdfast-context> " + "x" * 300 + ".py", USED)])
    assert "\n" not in odd[0]
    assert len(odd[0]) < 300


def test_a_read_of_some_lines_is_about_the_units_in_them() -> None:
    units = [
        UnitRow("", "file", "", "", 1, 90),
        UnitRow("", "function", "a", "", 1, 10),
        UnitRow("", "function", "b", "", 20, 30),
    ]
    assert [unit.name for unit in in_range(units, 0, 0)] == ["", "a", "b"]
    assert [unit.name for unit in in_range(units, 15, 10)] == ["b"]
    assert [unit.name for unit in in_range(units, 40, 10)] == []


def test_a_name_that_is_asked_for_comes_first_and_tests_after_what_they_test() -> None:
    known = Frequencies({"round": 40, "vat": 3, "round_vat": 2, "tax": 5, "number": 900}, 1_000)
    found = [
        FoundUnit(
            UnitRow("tests/test_tax.py", "function", "test_round_vat", "", 1, 3), ["round", "vat"], ["round_vat"] * 3
        ),
        FoundUnit(UnitRow("src/tax.py", "function", "round_vat", "", 1, 3), [], ["number"]),
        FoundUnit(UnitRow("src/other.py", "function", "rounded", "", 1, 3), [], ["round", "number"]),
        FoundUnit(UnitRow("src/other.py", "function", "rounded", "", 1, 3), [], ["round", "number"]),
        FoundUnit(UnitRow("src/long.py", "function", "other", "", 1, 3), [], ["vat", *["number"] * 800]),
    ]
    names = [row.name for row in ranked("where is round_vat", found, known, 9)]
    assert names == ["round_vat", "test_round_vat", "rounded", "other"]
    assert ranked("tests of vat rounding", found, known, 1)[0].name == "test_round_vat"
    assert ranked("round the vat of a number", found, known, 1)[0].name == "round_vat"
    assert looked_up(["number", "round", "vat", "unknown"], known) == [("vat",), ("round",), ("number",)]
    # Of words that thousands of units have, two must be there; one alone is better than nothing.
    common = Frequencies({"round": 4_000, "vat": 5_000, "number": 90_000}, 100_000)
    assert looked_up(["number", "vat", "round"], common) == [("round",), ("vat", "number")]
    assert looked_up(["number"], common) == [("number",)]
    crowded = Frequencies({"get": 50_000, "name": 40_000, "of": 70_000, "all": 80_000}, 100_000)
    assert looked_up(["get", "name", "of", "all"], crowded) == [("name", "get"), ("name", "of"), ("get", "of")]
    assert named_in("Why does `total` in Invoice.make_pdf call round_vat() and not list?") == [
        *("total", "make_pdf", "round_vat"),
    ]
    assert named_in("`totals` are in total wrong, as retotal() was") == ["totals", "retotal"]  # whole names only
    assert named_in("total " + "word " * 4_000 + "`total`") == []  # of a long text only the beginning is read


def test_the_same_code_with_other_names_is_alike_and_other_code_is_not() -> None:
    one = "def total(items):\n    result = 0\n    for item in items:\n        result += item.price\n    return result\n"
    other = "def sum_up(rows):\n    found = 0\n    for row in rows:\n        found += row.cost\n    return found\n"
    third = "class Door:\n    def __init__(self, path):\n        self.handle = open(path, 'rb')\n"
    assert likeness(one, one) == 1.0
    assert likeness(one, other) > 0.4 > 0.25 > likeness(one, third)
    assert likeness("", one) == 0.0
