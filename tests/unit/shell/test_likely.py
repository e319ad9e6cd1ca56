"""A quick look never says no to a line that the parser finds a run in."""

from __future__ import annotations

import pytest
from bench.outcomes import recorded

from holdfast.shell.likely import may_run
from holdfast.shell.line import CHECKED
from holdfast.shell.parse import parse
from holdfast.shell.recognise import recognise
from tests.unit.shell import test_recognise


def known_lines() -> list[str]:
    """The lines of the recogniser's own tests."""
    marks = [mark for each in vars(test_recognise).values() for mark in getattr(each, "pytestmark", ())]
    cases = [case for mark in marks if mark.name == "parametrize" for case in mark.args[1]]
    return [case if isinstance(case, str) else str(case[0]) for case in cases]


@pytest.mark.requirement("LRN-5")
def test_every_recognised_run_is_likely_and_looking_around_is_not() -> None:
    lines = [each.command for each in recorded()] + known_lines()
    assert len(lines) > 300
    for command in lines:
        runs = [run for each in parse(command).top if (run := recognise(each)) and run.kind in CHECKED]
        assert may_run(command) or not runs, command
    for command in ("ls -la | head", "git status && git diff", "cat a.txt; grep -rn x src | wc -l", "cd a && pwd"):
        assert not may_run(command), command
