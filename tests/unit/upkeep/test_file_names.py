"""A file by its names: what names it, and what only looks so."""

from __future__ import annotations

import pytest

from holdfast.upkeep.file_names import Spelling, fewest, named_in, spellings, valid
from tests.support.table import each_of

WORKTREES = (("p", "/w/p"), ("p", "/w/p-two"), ("q", "/w/q"))


@pytest.mark.requirement("MEM-11")
@each_of(
    ("words", "path", "named"),
    [
        ("I changed src/x.py.", "src/x.py", True),
        ("see `src/x.py:12`, or ./src/x.py", "src/x.py", True),
        ("FAILED src/x.py::test_a", "src/x.py", True),
        ("src/x.pyを直した", "src/x.py", True),
        ("cat /w/src/x.py", "src/x.py", False),
        ("lib-src/x.py", "src/x.py", False),
        ("src/x.pyc and src/x.py.bak and src/x.py/y", "src/x.py", False),
        ("srcAx.py and src/xApy", "src/x.py", False),
        ("read .env", ".env", True),
        ("read prod.env", ".env", False),
        ("the Makefile in src", "Makefile", False),
        ("the Makefile in src", "src", False),
        ("all is done .", ".", False),
        ("it lies in /w", "/w", False),
    ],
)
def test_what_names_a_file(words: str, path: str, named: bool) -> None:
    assert named_in(words, (path,)) is named


@pytest.mark.requirement("MEM-11")
def test_a_file_in_the_spellings_of_each_project() -> None:
    own = spellings(["a.py"], "p", WORKTREES)
    assert own == (Spelling("a.py", "p"), Spelling("/w/p/a.py"), Spelling("/w/p-two/a.py"))
    assert valid(own, "p") == ("a.py", "/w/p/a.py", "/w/p-two/a.py")
    assert valid(own, "q") == ("/w/p/a.py", "/w/p-two/a.py")
    assert valid(own, "") == valid(own, "p")
    assert fewest(own) == ["a.py"]
    assert spellings(["/w/q/b/c.py"], "p", WORKTREES) == (Spelling("/w/q/b/c.py"), Spelling("b/c.py", "q"))
    assert {each.path for each in spellings(["a.py"], "", WORKTREES) if not each.project} >= {"a.py", "/w/q/a.py"}
