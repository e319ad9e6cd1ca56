"""One budget: never exceeded, nothing said twice, nothing left unused that fits."""

from __future__ import annotations

import random

import pytest

from holdfast.events.tokens import count_tokens
from holdfast.recall import Candidate, assemble
from holdfast.recall.assemble import alike, shingles


def words(text: str) -> int:
    return len(text.split())


def entry(name: str, score: float, text: str, source: str = "memory") -> Candidate:
    return Candidate(name, source, text, score)


A = entry("a", 0.9, "the login test failed because the clock was not frozen")
A2 = entry("a2", 0.8, "The login test failed, because the clock was not frozen.", "experience")
B = entry("b", 0.7, "deploys go out on thursday from the release branch")
C = entry("c", 0.6, "invoices are rounded half to even everywhere", "value")


@pytest.mark.requirement("CTX-2")
@pytest.mark.parametrize(
    ("entries", "budget", "options", "expected", "left_out"),
    [
        ([], 100, {}, [], {}),
        ([A, B, C], 100, {}, ["a", "b", "c"], {}),
        ([C, B, A], 100, {}, ["c", "b", "a"], {}),
        ([A, A2, B], 100, {}, ["a", "b"], {"a2": "alike"}),
        ([A, B, C], 100, {"most": 2}, ["a", "b"], {"c": "cap"}),
        ([A, B, C], 0, {}, [], {"a": "budget", "b": "budget", "c": "budget"}),
        ([A, B, C], 19, {}, ["a", "c"], {"b": "budget"}),  # memory has used its share
        ([A, B, entry("d", 0.5, "short", "value")], 20, {}, ["a", "b", "d"], {}),  # what values leave over
        ([A, B, C], 18, {"weights": {"value": 9.0}}, ["a", "c"], {"b": "budget"}),
        ([A, B, C], 21, {"overhead": 3}, ["a"], {"b": "budget", "c": "budget"}),
    ],
)
def test_assembled(
    entries: list[Candidate], budget: int, options: dict[str, object], expected: list[str], left_out: dict[str, str]
) -> None:
    made = assemble(entries, budget, count=words, **options)  # type: ignore[arg-type]
    assert ([each.id for each in made.candidates], dict(made.left_out)) == (expected, left_out)
    assert made.tokens <= budget


@pytest.mark.requirement("CTX-2")
def test_never_above_the_budget() -> None:
    chance = random.Random(5)
    for _ in range(300):
        entries = [
            entry(str(number), chance.random(), " ".join(chance.choices("abcdefghij", k=chance.randint(0, 60))), source)
            for number, source in enumerate(chance.choices(["x", "y", "z"], k=chance.randint(0, 12)))
        ]
        budget = chance.randint(0, 80)
        made = assemble(entries, budget, weights={"x": chance.random() * 3, "y": 0.0}, overhead=chance.randint(0, 4))
        spent = sum(count_tokens(each.text) for each in made.candidates)
        assert spent <= made.tokens <= budget
        assert {each.id for each in made.candidates} | set(made.left_out) == {each.id for each in entries}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("", "", True),
        ("!", "?", False),
        ("login", "Login!", True),
        ("login", "logout", False),
        ("the clock was frozen in the login fixture", "Clock was frozen in login fixtures", True),
        ("the clock was frozen in the login fixture", "the clock was set in the billing fixture", False),
        (
            "frozen clock in login fixture",
            "we found a frozen clock in login fixture and then shipped it to production the same evening",
            False,
        ),
    ],
)
def test_alike(one: str, other: str, same: bool) -> None:
    assert alike(shingles(one), shingles(other)) is same
