"""The tokenizer: what it accepts, what it refuses and where, and the layout it reads from a text."""

from __future__ import annotations

import json

import pytest

from holdfast.install.jsontext import NotJson, Style, parse, style_of
from tests.support.odd_json import OddJson
from tests.support.table import each_of


@each_of("seed", range(150))
def test_reads_what_the_standard_library_reads(seed: int) -> None:
    text = OddJson(seed).document().decode("utf-8").lstrip("\ufeff")
    if text.strip():
        assert parse(text).value() == json.loads(text)


@pytest.mark.requirement("OPS-2")
@each_of(
    ("text", "line", "column", "reason"),
    [
        ('{\n  // a comment\n  "a": 1\n}', 2, 3, "comments are not JSON"),
        ('{"a": 1, /* x */ "b": 2}', 1, 10, "comments are not JSON"),
        ('{\n  "a": 1,\n}', 2, 9, "this comma has nothing after it"),
        ("[1, 2,]", 1, 6, "this comma has nothing after it"),
        ('{"a": 1', 1, 8, "the text ends, a comma or '}' is expected"),
        ('{"a"', 1, 5, "the text ends, a colon is expected"),
        ('{"a": ', 1, 7, "the text ends, a value is expected"),
        ("{'a': 1}", 1, 2, 'a name in double quotes is expected, not "\'"'),
        ('{"a": 01}', 1, 8, "a comma or '}' is expected, not '1'"),
        ('{"a": NaN}', 1, 7, "a value is expected, not 'N'"),
        ('{"a": "x\ny"}', 1, 7, "this string has no end, a raw control character or a wrong escape"),
        ('{"a": "\\x"}', 1, 7, "this string has no end, a raw control character or a wrong escape"),
        ("{} {}", 1, 4, "nothing may follow the closing bracket, not '{'"),
        ("[" * 300, 1, 202, "nested deeper than 200 levels"),
    ],
)
def test_says_where_it_stops_being_json(text: str, line: int, column: int, reason: str) -> None:
    with pytest.raises(NotJson) as caught:
        parse(text)
    assert (caught.value.line, caught.value.column, caught.value.reason) == (line, column, reason)


def test_of_duplicate_keys_the_last_counts() -> None:
    node = parse('{"a": 1, "a": 2}').get("a")
    assert node is not None
    assert node.value() == 2


@pytest.mark.parametrize(
    ("text", "style"),
    [
        ("{}", Style("\n", "  ", True, True)),
        ('{\n    "a": 1\n}', Style("\n", "    ", True, True)),
        ('{\r\n\t"a": 1\r\n}', Style("\r\n", "\t", True, True)),
        ('{"a": 1}', Style("\n", "  ", False, True)),
        ('{"a":1}', Style("\n", "  ", False, False)),
    ],
)
def test_reads_the_layout(text: str, style: Style) -> None:
    assert style_of(text, parse(text)) == style
