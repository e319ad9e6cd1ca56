"""Moments as people type them."""

from __future__ import annotations

from datetime import datetime

import pytest

from holdfast.doors.cli.times import moment
from holdfast.errors import UsageError

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
