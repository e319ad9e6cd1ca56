"""A long program of Python that only counts and prints is no question; one that acts is read or asked about."""

from __future__ import annotations

import pytest

from holdfast.commandline.inline.long_python import as_much_as_is_parsed, reaches_nothing, shortened
from holdfast.commandline.reading.line import read
from tests.support.table import each_of

NUMBERS = "\n".join(f"x{number} = {number}" for number in range(10_000))
PRINTS = "\n".join(f"    print('line {number}')" for number in range(10_000))
TEXTS = "\n".join(f"t{number} = 'rm -rf ~/{number}'" for number in range(5_000))


def heredoc(program: str) -> str:
    return f"python3 - <<'EOF'\n{program}\nEOF"


@pytest.mark.requirement("WRK-14", "SEC-7")
@each_of(
    ("program", "removes", "cut"),
    [
        (NUMBERS, "", False),
        (f"import json, math\n{NUMBERS}\nprint(math.pi)", "", False),
        (f"if True:\n{PRINTS}", "", False),
        (f"{TEXTS}\nprint(len(t1))", "", False),
        (f"{NUMBERS}\nimport shutil\nshutil.rmtree('/srv/data')", "/srv/data", False),
        (f"import shutil\nif x:\n{PRINTS}\n    shutil.rmtree('/srv/data')", "/srv/data", False),
        (f"import os\n{TEXTS}\nos.system(t1)", "", True),
        (f"import random\n{TEXTS}\nrandom._os.system(t1)", "", True),
        (f"{TEXTS}\neval(t1)", "", True),
    ],
)
def test_a_long_program_is_read_as_far_as_it_acts(program: str, removes: str, cut: bool) -> None:
    reading = read(heredoc(program))
    assert reading.cut is cut
    assert [run.texts[-1] for run in reading.runs if run.program == "rm"] == ([removes] if removes else [])


@pytest.mark.requirement("WRK-14")
@each_of(
    ("program", "expected"),
    [
        ("print(1)", True),
        ("import json\nfrom math import pi, e\nprint(json.dumps({'a': pi}))", True),
        ("import os", False),
        ("import json as j", False),
        ("from json import *", False),
        ("import json; import os", False),
        ("__import__('os')", False),
        ("open('x', 'w')", False),
        ("().__class__", False),
        ("import random\nrandom._os.remove('x')", False),
        ("import collections\ncollections._sys.modules", False),
    ],
)
def test_what_a_program_can_reach_is_told_by_its_names(program: str, expected: bool) -> None:
    assert reaches_nothing(program) is expected


@each_of(
    ("line", "expected"),
    [
        ("x = 12", "0"),
        ("    x = [1, 2]", "    0"),
        ("    print('a b')", "    0"),
        ("x = [", "x = ["),
        ("1, 2,", "1, 2,"),
        ("x = y", "x = y"),
        ("x = os.system", "x = os.system"),
        ("x = 'rm -rf ~'", "x = 'rm -rf ~'"),
        ("print(open('x'))", "print(open('x'))"),
    ],
)
def test_only_numbers_and_prints_are_left_out(line: str, expected: str) -> None:
    assert shortened(line) == expected


@pytest.mark.requirement("SEC-7")
def test_a_word_that_lies_where_a_long_text_is_divided_is_seen() -> None:
    for place in range(99_980, 100_020):
        assert not reaches_nothing("x " * (place // 2) + "os" + " x" * 1_000), place
        assert reaches_nothing("x " * (place // 2) + "ostrich" + " x" * 1_000), place


@pytest.mark.requirement("SEC-7", "WRK-14")
def test_python_parses_no_more_statements_at_once_than_take_a_moment() -> None:
    assert as_much_as_is_parsed("x\n" * 3_000) == "x\n" * 3_000
    assert len(as_much_as_is_parsed("x\n" * 19_000)) < 9_000
    assert len(as_much_as_is_parsed("x;" * 19_000)) < 9_000
    assert read(heredoc("x\n" * 19_000)).cut
