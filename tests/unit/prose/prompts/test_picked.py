""" "The second one" is what stood second in the agent's words; where nobody can tell, it is nothing."""

from __future__ import annotations

import pytest

from holdfast.prose.prompts.picked import picked, place_in
from tests.support.table import each_of


@pytest.mark.requirement("MEM-16")
@each_of(
    ("reply", "place"),
    [
        ("no, the second one", "second"),
        ("the latter please", "latter"),
        ("let's go with option 2", "2"),
        ("I'd take the first one", "first"),
        ("b", "b"),
        ("nein, die zweite", "zweite"),
        ("lieber das letzte", "letzte"),
        ("non, le deuxième", "deuxième"),
        ("mejor el segundo", "segundo"),
        ("the second endpoint is wrong", ""),
        ("first run the tests", ""),
        ("use Redis", ""),
        ("2 days", ""),
        ("", ""),
    ],
)
def test_a_choice_by_place_is_known(reply: str, place: str) -> None:
    assert place_in(reply) == place


@pytest.mark.requirement("MEM-16")
@each_of(
    ("place", "said", "option"),
    [
        ("second", "Two ways:\n1. Redis\n2. a local dict\nWhich one?", "a local dict"),
        ("b", "Either (a) keep integers or (b) use decimals?", "use decimals"),
        ("last", "I see these:\n- drop the table\n- archive it\n- leave it\n\nWhich?", "leave it"),
        ("latter", "Should we use Redis or a local dict?", "a local dict"),
        ("former", "Should we use Redis or a local dict?", "Redis"),
        ("zweite", "Sollen wir Redis nehmen oder Postgres?", ""),
        ("erste", "Wollen wir nutzen Redis oder Postgres?", "Redis"),
        ("third", "1. Redis\n2. a local dict", ""),
        ("second", "Shall I take the first or the second?", ""),
        ("second", "Shall I go on?", ""),
        ("second", "", ""),
    ],
)
def test_what_stood_there_is_told(place: str, said: str, option: str) -> None:
    assert picked(place, said) == option


@pytest.mark.requirement("SEC-7")
def test_long_texts_are_read_in_part() -> None:
    assert place_in("no, " * 100_000 + "the second") == ""
    assert picked("second", "1. x " * 100_000) == ""
    assert picked("second", "use a or " * 100_000) == ""
