"""Moments: how people type them and how they are shown."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from holdfast.errors import UsageError
from holdfast.times import DAY_US, age, microseconds, moment, read_time, when

NOW = 1_800_000_000_000_000


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("30s", 30), ("10m", 600), ("2h", 7_200), ("3d", 259_200), ("1w", 604_800), (" 10m ago", 600)],
)
def test_how_long_ago(text: str, seconds: int) -> None:
    assert moment(text, NOW) == NOW - seconds * 1_000_000


def test_an_iso_time_is_local_unless_it_says_otherwise() -> None:
    assert moment("2026-11-15T09:30:00+00:00", NOW) == 1_794_735_000_000_000
    assert moment("2026-11-15T09:30", NOW) == int(datetime(2026, 11, 15, 9, 30).timestamp()) * 1_000_000


@pytest.mark.parametrize("text", ["yesterday", "10", "m", "-5m", "2026-13-01", ""])
def test_anything_else_is_wrong_usage(text: str) -> None:
    with pytest.raises(UsageError, match="is no time"):
        moment(text, NOW)


def test_an_empty_text_may_mean_a_moment() -> None:
    assert moment("", NOW, 7) == 7
    assert moment("1d", NOW, 7) == NOW - DAY_US


@pytest.mark.parametrize(
    ("text", "us"),
    [
        ("3d", NOW - 3 * DAY_US),
        ("12h ago", NOW - DAY_US // 2),
        ("1970-01-02T00:00:00Z", DAY_US),
        ("soon", None),
        ("", None),
    ],
)
def test_times_as_people_write_them(text: str, us: int | None) -> None:
    assert read_time(text, NOW) == us


@pytest.mark.parametrize(
    ("ago", "words"),
    [(0, "just now"), (-5, "just now"), (600, "10 min ago"), (3 * 3600, "3 h ago"), (4 * 86400, "4 days ago"),
     (90 * 86400, "3 months ago")],
)  # fmt: skip
def test_ages(ago: int, words: str) -> None:
    assert age(NOW, NOW - ago * 1_000_000) == words


def test_a_moment_is_shown_in_utc() -> None:
    assert when(NOW) == "2027-01-15T08:00:00Z"


@pytest.mark.parametrize(
    ("iso", "us"),
    [
        ("2027-01-15T08:00:00Z", NOW),
        (" 2027-01-15T09:00:00+01:00\n", NOW),
        ("2027-01-15T08:00:00.000001+00:00", NOW + 1),
        ("2027-01-15T08:00:00", NOW),
        ("", None),
        ("yesterday", None),
        ("2027-13-15", None),
    ],
)
def test_an_iso_time_in_microseconds(iso: str, us: int | None) -> None:
    """A transcript, an import and a result all mean the same by the same text, and no text ends a reader."""
    assert microseconds(iso, UTC) == us
