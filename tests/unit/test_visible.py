"""Text made visible: every character that a terminal would obey or hide, over all of Unicode."""

from __future__ import annotations

import json
import sys
import unicodedata

import pytest

from holdfast.doors.cli import show
from holdfast.visible import visible, visible_json, visible_lines
from tests.support.table import each_of

NAMED = (
    *("\ufeff", "\u200b", "\u200d", "\u2060", "\u00ad", "\u202e", "\u2066", "\u061c", "\x1b", "\x9b", "\x07", "\x7f"),
    *("\U000e0041", "\U000e007f", "\U000e0100", "\ufe00", "\u3164", "\u115f", "\u2800", "\u034f", "\ud800", "\ue000"),
)


@pytest.mark.requirement("SEC-5")
def test_no_hidden_character_of_unicode_passes() -> None:
    # All below U+30000 and all tags; of the empty planes behind them every 97th.
    codes = [*range(0x30000), *range(0xE0000, 0xE1000), *range(0x30000, sys.maxunicode + 1, 97)]
    hidden = [
        chr(code)
        for code in codes
        if unicodedata.category(chr(code)) in ("Cc", "Cf", "Cs", "Co", "Cn") and chr(code) not in "\t\n\v\f\r\x85"
    ]
    assert len(hidden) > 20_000
    for start in range(0, len(hidden), 10_000):
        part = hidden[start : start + 10_000]
        for shown in (visible("a".join(part)), visible_lines("a".join(part)), visible_json("a".join(part))):
            assert shown.isascii()
            assert shown.isprintable()


@each_of("letter", NAMED, ids=ascii)
def test_what_is_hidden_is_shown_by_its_number(letter: str) -> None:
    number = ascii(letter)[1:-1]
    assert visible(f"a{letter}b") == f"a{number}b"
    assert visible_lines(f"one\n\ta{letter}b") == f"one\n\ta{number}b"
    assert show.plain(f" {letter} ") == number


@each_of("letter", [*NAMED, "\u2028", "\u2029"], ids=ascii)
def test_json_means_the_same_after_it(letter: str) -> None:
    value = {f"key{letter}": [letter, "ä ❤️ 日本"]}
    text = visible_json(json.dumps(value, indent=2, ensure_ascii=False))
    assert json.loads(text) == value
    assert letter not in text
    assert "ä ❤️ 日本" in text


@pytest.mark.parametrize("text", ["plain", "Grüße", "日本語　です", "a\u00a0b", "❤️", "👩", "שלום", "{}[]\\n"])
def test_what_can_be_seen_stays(text: str) -> None:
    assert visible(text) == visible_lines(text) == visible_json(text) == text


def test_data_in_variation_selectors_is_seen() -> None:
    assert visible("a\ufe0f\ufe0e\ufe0f") == "a\ufe0f\\ufe0e\\ufe0f"
    assert visible("a" + "\U000e0161\U000e0162") == "a\\U000e0161\\U000e0162"


def test_our_colours_stay_and_other_escapes_do_not() -> None:
    assert (
        visible_lines("\x1b[32;1mok\x1b[0m \x1b]0;owned\x07 \x1b[2J")
        == "\x1b[32;1mok\x1b[0m \\x1b]0;owned\\x07 \\x1b[2J"
    )
    assert visible("\x1b[32m") == "\\x1b[32m"


@pytest.mark.parametrize("letter", ["\ufeff", "\U000e0041", "\u202e", "\x9b"], ids=ascii)
def test_every_way_out_is_covered(letter: str, capsys: pytest.CaptureFixture[str]) -> None:
    show.say(f"a{letter}b")
    show.tell(f"a{letter}b")
    show.say_json({"a": letter})
    show.say_json_line({"a": letter})
    out, err = capsys.readouterr()
    assert letter not in out + err
