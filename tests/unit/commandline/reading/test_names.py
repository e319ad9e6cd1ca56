"""Which substitutions decode what a shell then runs."""

from __future__ import annotations

import pytest

from holdfast.commandline.reading.line import read
from holdfast.commandline.reading.names import decodes


@pytest.mark.requirement("WRK-6")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$(echo cm0= | base64 -d)", True),
        ("`echo cm0= | base64 -d`", True),
        ("<(xxd -r -p x)", True),
        ("$(openssl enc -d -in x)", True),
        ("$(cat x | tr a-z n-za-m)", True),
        ("$(cat x | cut -c2- | tr a b)", False),
        ("$(cat x | tr -d '\\n')", False),
        ("base64 -d x", False),
        ("base64 x $(date)", False),
        ("", False),
    ],
)
def test_a_substitution_that_decodes_is_known(text: str, expected: bool) -> None:
    assert decodes(text) is expected


@pytest.mark.requirement("WRK-6")
@pytest.mark.parametrize("script", ["`cat f | base64 -d`", "$(cat f | base64 -d)"])
def test_a_shell_runs_what_was_decoded_however_the_substitution_is_written(script: str) -> None:
    assert any(run.program == "bash" and run.piped_from == ("base64",) for run in read(f'bash -c "{script}"').runs)
