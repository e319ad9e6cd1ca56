"""A file that is only compiled or checked is not run."""

from __future__ import annotations

from holdfast.commandline.reading.line import read
from holdfast.commandline.reading.only_checking import imports, only_checks
from holdfast.commandline.reading.written import ONLY_LOOK
from tests.support.table import each_of


@each_of(
    "line, checks",
    [
        ("node --check x.js", True),
        ("node x.js --check", False),
        ("perl -wc x.pl", True),
        ("perl x.pl -c", False),
        ("uv run --with ruff ruff check x.py", True),
        ("uv run x.py", False),
        ("poetry run python -m py_compile x.py", True),
        ("poetry run python x.py", False),
        ("npx tsc@5 --noEmit x.ts", True),
        ("npx tsx x.ts", False),
        ("deno check x.ts", True),
        ("deno run x.ts", False),
    ],
)
def test_a_call_that_checks_is_told_from_one_that_runs(line: str, checks: bool) -> None:
    assert only_checks(read(line).runs[0], ONLY_LOOK) is checks


def test_what_perl_runs_while_it_checks_counts() -> None:
    assert not only_checks(read("perl -c x.pl").runs[0], ONLY_LOOK, "BEGIN { unlink 'a' }")


def test_an_inline_program_runs_a_file_that_it_imports() -> None:
    assert imports("from tools import purge", "tools/purge.py")
    assert imports("exec(open('purge.py').read())", "purge.py")
    assert not imports("import ast; ast.parse(open('purge.py').read())", "purge.py")
