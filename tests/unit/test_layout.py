"""Values as lines: every shape of a result, aligned, and unable to steer the terminal."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast import layout


@pytest.mark.parametrize(
    ("value", "lines"),
    [
        (None, []),
        ("one\ntwo", ["one", "two"]),
        (7, ["7"]),
        ([], []),
        ({"title": "x", "empty": "", "none": None, "tags": ["a", "b"]}, ["title         x", "tags          a, b"]),
        ({"left_to_do": "one\ntwo"}, ["left to do    one", "              two"]),
        ([{"a": 1}, {"a": 2}], ["a             1", "", "a             2"]),
    ],
)
def test_any_result_reads_as_lines(value: Any, lines: list[str]) -> None:
    assert layout.told(value) == lines


def test_columns_are_aligned_by_what_is_seen() -> None:
    painted = layout.paint("ok", "green")
    lines = layout.table(("state", "n"), [(painted, "1"), ("failed", "10")], right=frozenset({1}))
    assert [layout.unpainted(line) for line in lines] == ["state    n", "ok       1", "failed  10"]
    assert painted in lines[1]


@pytest.mark.parametrize("text", ["\x1b]0;owned\x07", "a\r\nb", "\x9b31m", "right\u202eleft"])
def test_text_from_outside_cannot_steer_the_terminal(text: str) -> None:
    assert all(line.isprintable() for line in layout.told({"title": text, "list": [text]}))


def test_a_table_fits_its_columns() -> None:
    """The last cell goes on below itself; with too little room for that, on lines of its own."""
    rows = [("g1", "ask", "it deletes every branch that is merged"), ("g2", "deny", "short")]
    assert layout.table(("id", "does", "reason"), rows)[1] == "g1  ask   it deletes every branch that is merged"
    assert [layout.unpainted(line) for line in layout.table(("id", "does", "reason"), rows, columns=30)] == [
        "id  does  reason",
        "g1  ask   it deletes every",
        "          branch that is",
        "          merged",
        "g2  deny  short",
    ]
    assert [layout.unpainted(line) for line in layout.table(("id", "does", "reason"), rows, columns=20)] == [
        "id  does",
        "g1  ask",
        "  it deletes every",
        "  branch that is",
        "  merged",
        "g2  deny",
        "  short",
    ]


def test_a_line_goes_on_below_its_own_beginning() -> None:
    assert layout.wrapped("  - one two three four", 14) == ["  - one two", "    three four"]
    assert layout.wrapped("as it is", 14) == ["as it is"]
    painted = layout.wrapped(layout.paint("one two three four", "bold"), 10)
    assert [layout.unpainted(line) for line in painted] == ["one two", "three four"]
