"""A cell's lines for a shell are told apart from its Python, and plain Python is left as it is."""

from __future__ import annotations

from holdfast.commandline.inline.notebook import apart
from tests.support.table import each_of

CELLS = (
    ("!rm -rf x", ["rm -rf x"], "pass"),
    ("a = 1\n!ls\nb = 2", ["ls"], "a = 1\npass\nb = 2"),
    ("files = !rm -rf x", ["rm -rf x"], "pass"),
    ("%system rm x", ["rm x"], "pass"),
    ("%%bash\ncd x\nrm -rf *", ["cd x\nrm -rf *"], ""),
    ("get_ipython().system('rm -rf x')", ["rm -rf x"], "get_ipython().system('rm -rf x')"),
)
PYTHON = ("x = 5 % 3", "if a != 2: print('!x')", "'%s' % x", "a = b % system", "print(1)", "")


@each_of("cell, said, rest", CELLS)
def test_what_goes_to_a_shell_is_told_apart(cell: str, said: list[str], rest: str) -> None:
    assert apart(cell) == (said, rest)


@each_of("text", PYTHON)
def test_plain_python_stays(text: str) -> None:
    assert apart(text) == ([], text)
