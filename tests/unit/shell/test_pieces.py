"""Cutting a line into statements by its quotes, brackets and reserved words."""

import pytest

from holdfast.shell import pieces
from tests.support.table import each_of

pytestmark = pytest.mark.requirement("WRK-6", "SEC-7")


def cut(text: str, depth: int = 0, *, links: bool = False) -> list[str]:
    found, _ = pieces.tokens(text)
    return [text[each[0].start : each[-1].end] for each in pieces.cut(found, depth, links=links)]


@each_of(
    ("text", "statements"),
    [
        ("a; b & c\nd", ["a", "b", "c", "d"]),
        ("a 'b;c' \"d;e\" f\\;g; h", ["a 'b;c' \"d;e\" f\\;g", "h"]),
        ("a $(b; c) `d; e` <(f; g); h", ["a $(b; c) `d; e` <(f; g)", "h"]),
        ("if a; then b; fi; c", ["if a; then b; fi", "c"]),
        ("case x in a) b;& (c|d) e;; esac; f", ["case x in a) b;& (c|d) e;; esac", "f"]),
        ("[[ a < b || c > d ]]; ((x << 2)); e", ["[[ a < b || c > d ]]", "((x << 2))", "e"]),
        ("for ((i=0; i<3; i++)); do a; done; b", ["for ((i=0; i<3; i++)); do a; done", "b"]),
        ("for x in a b; { c; }; d", ["for x in a b; { c; }", "d"]),
        ("f() { a; b; }; g", ["f() { a; b; }", "g"]),
        ("a=(1 2) b; c", ["a=(1 2) b", "c"]),
        ("a $'it\\'s;' b; c", ["a $'it\\'s;' b", "c"]),
        ("a # b; 'c\nd", ["a", "d"]),
        ("a 2>&1 &> f; b", ["a 2>&1 &> f", "b"]),
        ("it's; b", ["it's", "b"]),
    ],
)
def test_a_line_is_cut_where_a_shell_ends_its_statements(text: str, statements: list[str]) -> None:
    assert cut(text) == statements


def test_what_stands_inside_is_cut_at_the_next_depth() -> None:
    assert cut("if a && b; then c; fi", 1, links=True) == ["a", "b", "c"]


def test_what_is_left_open_is_said() -> None:
    assert pieces.tokens("a; (b)")[1]
    assert not pieces.tokens("a 'b")[1]
    assert not pieces.tokens("if a")[1]
    assert pieces.commands_in("a 'b") is None


@pytest.mark.parametrize(
    ("text", "number"), [("a; b | c && d", 4), ("a $(b; c) \"$(d)\" '$(e)'", 4), ("[[ $(a) ]]", 2), ("x() { a; }", 1)]
)
def test_simple_commands_are_counted_with_those_in_substitutions(text: str, number: int) -> None:
    assert pieces.commands_in(text) == number
