"""The first look and the full reading agree: what the first look passes, no rule matches."""

from __future__ import annotations

import itertools
import json
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.commandline.model import Where
from holdfast.commandline.reading.line import read
from holdfast.judging import paths, unknown_programs, weakening
from holdfast.judging.packs import built_in
from holdfast.judging.quick import is_plain
from holdfast.judging.rules import findings
from holdfast.shell.tools import listed
from tests.support.table import each_of

CORPORA = Path(__file__).parents[3] / "bench" / "guards"
HOME = Where(home="/home/dev")


def is_found(line: str) -> bool:
    """Does any rule match it?"""
    reading = read(line)
    return bool(findings(reading, built_in(), HOME)) or any(paths.of_line(reading.runs, HOME, ("/home/dev/.holdfast",)))


def passed_though_found(lines: Iterator[str]) -> list[str]:
    return [line for line in lines if is_plain(line, built_in()) and is_found(line)]


@pytest.mark.requirement("WRK-7", "WRK-15")
def test_of_all_corpora_no_line_is_plain_that_a_rule_matches() -> None:
    files = sorted((*CORPORA.glob("corpus/*.jsonl"), *CORPORA.glob("first_sight/*.jsonl")))
    lines = (str(json.loads(row)["command"]) for file in files for row in file.read_text("utf-8").splitlines())
    assert passed_though_found(lines) == []


def worded() -> Iterator[str]:
    """Each verb by which an unknown program destroys, in each place and spelling."""
    for verb in sorted(unknown_programs._VERBS | unknown_programs._ENDS):
        for word in (verb, f"users:{verb}", f"user_{verb}", f"user{verb.title()}", f"{verb}-users", f"{verb}User"):
            for way in ("acme {} shop", "acme users {} shop", "acme {} prod", "acme {} --env=prd", "acme {} --all"):
                yield way.format(word)


@pytest.mark.requirement("WRK-7")
def test_a_verb_of_an_unknown_program_is_read_whole_wherever_it_stands() -> None:
    assert passed_though_found(worded()) == []
    assert sum(map(is_found, worded())) > 500, "the words are those that rules match"


def of(pattern: object) -> st.SearchStrategy[str]:
    return st.from_regex(str(getattr(pattern, "pattern", "")), fullmatch=True, alphabet=st.characters(codec="ascii"))


@st.composite
def weakened(draw: st.DrawFn) -> str:
    """A call whose words are those by which protections are switched off, or settings near them."""
    program, sets = draw(st.sampled_from(("acme", "echo x | acme"))), draw(st.sampled_from(("put", "set", "x", "api")))
    option, setting = draw(of(weakening._OPTION)).strip(), draw(of(weakening._SETTING)).strip()
    words = draw(
        st.sampled_from(
            (
                f"{sets} {option}",
                f"{sets} {option.replace('=', ' ', 1)}",
                f"{sets} {shlex.quote(setting)}",
                f"thing -XPATCH {shlex.quote(setting)}",
                f"{sets} --body={shlex.quote(setting)}",
            )
        )
    )
    piped = f"echo {shlex.quote(setting)} | acme {sets} thing"
    return draw(st.sampled_from((f"{program} {words}", piped)))


@pytest.mark.requirement("WRK-7")
@settings(max_examples=200, deadline=None, derandomize=True)
@given(weakened())
def test_whatever_may_weaken_a_protection_is_read_whole(line: str) -> None:
    assert passed_though_found(iter([line])) == []


PROTECTS = listed("backup backups protection versioning version audit retention object-lock legal-hold trail snapshot")
ENDS = listed("disable suspend off clear unprotect")


@pytest.mark.requirement("WRK-7")
def test_every_word_for_a_protection_counts_with_every_word_that_ends_it() -> None:
    lines = [f"acme {one} {two} shop" for one, two in itertools.product(sorted(PROTECTS), sorted(ENDS))]
    assert all(weakening._PROTECTS.match(word) for word in PROTECTS)
    assert all(weakening._ENDS.match(word) for word in ENDS)
    assert [line for line in lines if is_plain(line, built_in())] == []
    assert [line for line in lines if not is_found(line)] == []


@pytest.mark.requirement("WRK-7")
@each_of(
    "line",
    [
        "acme put BlockPublicAcls=false",
        "acme set --member allUsers",
        "acme api -XPATCH status=suspended",
        "acme patch replicas:0",
        "acme x '--exec=rm -rf ~/x'",
        "acme eval 'db.users.drop()'",
        """echo '{"private": false}' | acme patch x""",
        "acme user_rm bob",
        "acme stop production",
    ],
)
def test_these_were_plain_once_and_are_asked_about(line: str) -> None:
    assert not is_plain(line, built_in())
    assert is_found(line)
