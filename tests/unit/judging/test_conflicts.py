"""A side of a conflict is nothing lost; the same call without a conflict is."""

from __future__ import annotations

import pytest

from holdfast.commandline.reading.line import read
from holdfast.judging import conflicts


def takes_a_side(line: str) -> bool:
    runs = read(line).runs
    place = next(n for n, run in enumerate(runs) if {"--ours", "--theirs"} & set(run.texts))
    return conflicts.takes_a_side(runs[place], runs[:place], runs[place + 1 :])


@pytest.mark.requirement("WRK-7")
def test_one_side_is_taken_of_files_that_the_line_shows_to_be_in_conflict() -> None:
    for line in (
        "git merge x; git checkout --theirs a.py",
        "git stash pop || git restore --ours -- a.py b.py",
        "git diff --name-only --diff-filter=U; git checkout --ours a.py",
        "git checkout --theirs a.py b.py && git add b.py a.py",
    ):
        assert takes_a_side(line), line
    for line in (
        "git checkout --theirs a.py",
        "git merge --abort; git checkout --theirs a.py",
        "git merge x; git checkout --theirs .",
        "git merge x; git checkout --ours 'src/*'",
        "git checkout --theirs a.py b.py && git add a.py",
        "git merge x; cd ../other && git checkout --theirs a.py",
        "git merge x; git checkout --theirs $F",
    ):
        assert not takes_a_side(line), line
