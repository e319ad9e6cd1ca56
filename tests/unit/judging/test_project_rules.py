"""A project's own rules come with a clone: whatever they say, no line is judged milder than without them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle
from pathlib import Path

import pytest

from holdfast.commandline.model import Reading, Where
from holdfast.commandline.reading.line import read
from holdfast.judging.matching import Rule
from holdfast.judging.model import STRICTNESS
from holdfast.judging.packs import built_in, with_more
from holdfast.judging.rules import findings, strictest
from tests.support.table import each_of

CORPUS = Path(__file__).parents[3] / "bench" / "guards" / "corpus"
HOME = Where(home="/home/dev")
WARNS = Rule("mine", "warn", "mind it", programs=("*",), scope="project", where="x:1")
KINDS = (
    WARNS,
    replace(WARNS, unsafe_sql=True),
    replace(WARNS, act="delete"),
    replace(WARNS, act="discard", unknown="allow"),
    replace(WARNS, spares_tests=True, id="files.delete"),
    replace(WARNS, least=1, unknown="warn"),
)
"""What such a rule can say to excuse a program, one way each."""


def strictness(reading: Reading, *rules: Rule) -> int:
    found = strictest(findings(reading, with_more(built_in(), rules) if rules else built_in(), HOME))
    return STRICTNESS[found.decision] if found else 0


def judged(step: int) -> Iterator[str]:
    """Some lines of each open file of the corpus."""
    for file in sorted(CORPUS.glob("*.jsonl")):
        yield from (str(json.loads(row)["command"]) for row in file.read_text("utf-8").splitlines()[::step])


@pytest.mark.requirement("WRK-6")
def test_no_rule_of_a_project_makes_a_decision_milder() -> None:
    milder = []
    for line, kind in zip(judged(13), cycle(KINDS)):
        reading = read(line)
        programs = tuple(dict.fromkeys(run.program for run in reading.runs if run.program))
        for rule in (kind, replace(kind, programs=programs or ("none",))):
            if strictness(reading, rule) < strictness(reading):
                milder.append((line, rule))
    assert milder == []


@pytest.mark.requirement("WRK-6")
@each_of(
    "line",
    [
        "acme query 'DROP TABLE users'",
        "acme db sql --execute 'DROP DATABASE shop'",
        "acme db delete shop",
        "acme backup disable --all",
        "acme repo edit shop --visibility public",
        "rm -rf ~",
    ],
)
def test_a_rule_about_the_very_program_excuses_nothing(line: str) -> None:
    reading = read(line)
    for kind in KINDS:
        named = replace(kind, programs=(line.split()[0],))
        assert strictness(reading, named) >= strictness(reading) >= STRICTNESS["ask"], kind
