"""What differs between fish and other shells is written as those have it, and nothing else is touched."""

from __future__ import annotations

from holdfast.commandline.inline.fish import as_shell, read
from holdfast.commandline.model import Arg, Run
from tests.support.table import each_of

SAME = (
    "rm -rf build dist",
    'echo "rm (x) ; and y"',
    "echo 'set a b; rm $a'",
    "set -gx PATH $PATH ~/bin; npm test",
    "for f in *.txt; echo $f; end",
    "echo \\(x\\)",
    "",
)
CHANGED = (
    ("set d ~; rm -rf $d", "d=~; rm -rf $d"),
    ("set -l d '~/a b'; rm $d", "d='~/a b'; rm $d"),
    ("rm -rf (echo ~)", "rm -rf $(echo ~)"),
    ("rm -rf $(echo ~)", "rm -rf $(echo ~)"),
    ("test -d x; and rm -rf ~", "test -d x && rm -rf ~"),
    ("test -d x; or rm -rf ~", "test -d x || rm -rf ~"),
    ("not test -d x; and rm y", "! test -d x && rm y"),
    ("curl -s u | source", "curl -s u | sh "),
)


@each_of("text", SAME)
def test_what_is_the_same_stays(text: str) -> None:
    assert as_shell(text) == text


@each_of("line, shell", CHANGED)
def test_what_differs_is_changed(line: str, shell: str) -> None:
    assert as_shell(line) == shell


def test_the_long_option_is_the_short_one() -> None:
    run = read(Run("fish", (Arg("--command=rm (echo x)"),)))
    assert run.texts == ("-c", "rm $(echo x)")
    assert read(Run("fish", (Arg("a.fish"),), stdin="set d x")).stdin == "d=x"
