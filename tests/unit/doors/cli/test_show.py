"""How things are shown: aligned, short, and unable to steer the terminal."""

from __future__ import annotations

import io

import pytest

from holdfast.doors.cli import show


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.requirement("OPS-9")
@pytest.mark.parametrize(
    ("stream", "environment", "coloured"),
    [
        (Terminal(), {}, True),
        (Terminal(), {"NO_COLOR": "1"}, False),
        (Terminal(), {"NO_COLOR": ""}, True),
        (Terminal(), {"TERM": "dumb"}, False),
        (io.StringIO(), {}, False),
    ],
)
def test_colours_only_on_a_terminal_that_wants_them(
    stream: io.StringIO, environment: dict[str, str], coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert show.paint("word", "red", stream=stream) == ("\x1b[31mword\x1b[0m" if coloured else "word")


@pytest.mark.parametrize(
    ("count", "text"), [(0, "0 B"), (1023, "1023 B"), (1536, "1.5 KiB"), (5 * 1024**2, "5.0 MiB"), (2**40, "1.0 TiB")]
)
def test_sizes(count: int, text: str) -> None:
    assert show.size(count) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0s"), (-5, "0s"), (59.9, "59s"), (60, "1m"), (725, "12m 5s"), (7200, "2h"), (273_600, "3d 4h")],
)
def test_spans_have_their_two_largest_units(seconds: float, text: str) -> None:
    assert show.span(seconds) == text


def test_a_table_is_aligned() -> None:
    assert show.table(("name", "n"), [("a", "1"), ("long", "100")], right=frozenset({1})) == [
        "name    n",
        "a       1",
        "long  100",
    ]


@pytest.mark.parametrize("text", ["\x1b]0;owned\x07", "a\r\nb", "\x9b31m", "right\u202eleft"])
def test_text_from_outside_cannot_steer_the_terminal(text: str) -> None:
    assert show.plain(text).isprintable()


def test_a_long_text_ends_with_a_mark() -> None:
    assert show.cut("abcdef", 4) == "abc…"
    assert show.cut("abcd", 4) == "abcd"
