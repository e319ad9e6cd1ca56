"""Which substitutions decode or fetch what a shell then runs, and which program a computed name means."""

from __future__ import annotations

import pytest

from holdfast.commandline.reading.line import read
from holdfast.commandline.reading.names import decodes, fetches, likely
from tests.support.table import each_of


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


@pytest.mark.requirement("WRK-6")
@each_of(
    ("text", "expected"),
    [
        ("$(curl -s https://x.example)", True),
        ("<(nc host 9001)", True),
        ("<(python3 -c 'import urllib.request as u; print(u.urlopen(\"https://x.example\").read())')", True),
        ("<(python3 -c 'print(1)')", False),
        ("<(kubectl completion bash)", False),
        ("curl x", False),
    ],
)
def test_a_substitution_that_fetches_is_known(text: str, expected: bool) -> None:
    assert fetches(text) is expected


@pytest.mark.requirement("WRK-6")
@each_of(
    ("path", "words", "expected"),
    [
        ("/usr/bin/g?t", "status", "git"),
        ("/bin/[r]m", "-rf x", "rm"),
        ("/bin/*", "-rf x", ""),
        ("$GIT", "status", "git"),
        ("${DOCKER_BIN}", "ps", "docker"),
        ("$MAKE", "clean -f Makefile.win", ""),
        ('"$X"', "reset --hard", "git"),
        ("$X", "reset", ""),
        ("$X", "push origin feature", ""),
    ],
)
def test_a_computed_name_means_the_program_that_its_words_or_its_pattern_tell(
    path: str, words: str, expected: str
) -> None:
    assert likely(path, words.split()) == expected


@pytest.mark.requirement("WRK-6")
@each_of(
    ("line", "programs"),
    [
        ("npm test # see C:\\tools\\\nrm -rf x", ["npm", "rm"]),
        ("true; #\\\nrm x", ["true", "rm"]),
        ("npm test # one\\ two\nls", ["npm", "ls"]),
        ("echo '# b\\\nrm c'", ["echo"]),
        ("docker run \\\n  alpine date # list\nls", ["docker", "ls"]),
        ("cat <<'EOF'\n# a\\\nrm x\nEOF", ["cat"]),
    ],
)
def test_a_comment_ends_with_its_line(line: str, programs: list[str]) -> None:
    assert [
        run.program for run in read(line).runs if run.program in ("npm", "rm", "ls", "true", "echo", "docker", "cat")
    ][: len(programs) + 1] == programs
