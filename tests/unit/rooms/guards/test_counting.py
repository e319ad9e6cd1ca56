"""Each rule has a counter of its own, also where several have one id."""

from __future__ import annotations

import pytest

from holdfast.judging.matching import Rule
from holdfast.judging.packs import built_in
from holdfast.rooms.guards.counting import IN_CODE, counted, told_apart

pytestmark = pytest.mark.requirement("WRK-14")

RULES = (
    Rule("a.x", "ask", "it deletes a thing", programs=("one",)),
    Rule("a.x", "ask", "it deletes a thing for good", programs=("two",)),
    Rule("a.x", "ask", "it deletes a thing", programs=("three", "one")),
    Rule("d.y", "ask", "it drops data", programs=("psql",), unsafe_sql=True),
    Rule("d.y", "ask", "it drops a database", programs=("dropdb",)),
)


def row(rule: str, reason: str, n: int) -> dict[str, object]:
    return {"rule": rule, "reason": reason, "n": n}


def test_rules_of_one_id_are_counted_each_by_itself() -> None:
    rules = told_apart(RULES)
    numbers = counted(
        rules,
        [
            row("a.x", "it deletes a thing", 3),
            row("a.x", "it deletes a thing for good", 2),
            row("a.x", "it deletes a thing for good; what it removes cannot be kept (the disk is full)", 1),
            row("d.y", "the statement drops a table", 4),
            row("d.y", "it drops a database", 5),
            row("files.delete", "`rm` on x, which is in the project", 6),
            row("gone.rule", "it was removed from a file", 7),
        ],
    )
    told = {(rule.id, rule.reason): number for rule, number in zip(rules, numbers, strict=True) if number}
    assert told == {
        ("a.x", "it deletes a thing"): 3,
        ("a.x", "it deletes a thing for good"): 3,
        ("d.y", "it drops data"): 4,
        ("d.y", "it drops a database"): 5,
        ("files.delete", IN_CODE[0].reason): 6,
    }


def test_rules_that_say_the_same_are_one_rule_for_more_programs() -> None:
    assert told_apart(RULES)[0].programs == ("one", "three")


def test_no_two_lines_of_the_list_can_be_taken_for_each_other() -> None:
    rules = told_apart(built_in().rules)
    assert len({(rule.id, rule.said, rule.action) for rule in rules}) == len(rules)
    assert {program for rule in rules for program in rule.programs} == {
        program for rule in built_in().rules for program in rule.programs
    }
