"""The program behind package runners and containers."""

from __future__ import annotations

import pytest

from holdfast.shell import parse, what


@pytest.mark.requirement("MEM-24")
@pytest.mark.parametrize(
    ("command", "tool"),
    [
        ("hatch run pytest -q", "pytest"),
        ("yarn jest a", "jest"),
        ("aws-vault exec prod -- terraform apply", "terraform apply"),
        ("op run --env-file=.env -- npm test", "npm test"),
        ("acme with secrets -- pytest", "pytest"),
        ("fnm exec npm test", "npm test"),
        ("c8 mocha", "mocha"),
        ("docker compose run --rm web npm test", "npm test"),
        ("./vendor/bin/sail test", "sail test"),
    ],
)
def test_what_is_run_is_told_and_not_what_runs_it(command: str, tool: str) -> None:
    assert [run.tool for run in what(parse(command))] == [tool]


def test_behind_two_dashes_may_stand_a_file() -> None:
    assert what(parse("grep -r x -- pytest")) == ()
    assert what(parse("acme show -- README.md")) == ()
