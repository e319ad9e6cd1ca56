"""Moments: how people type them and how they are shown. Standard library only, because the command line uses it."""

from __future__ import annotations

import re
from datetime import UTC, datetime, tzinfo

from holdfast.errors import UsageError

MINUTE_US = 60_000_000
HOUR_US = 60 * MINUTE_US
DAY_US = 24 * HOUR_US
_AGO = re.compile(r"(\d{1,9})\s*([smhdw])(?:\s*ago)?")
_SPANS = {"s": 1_000_000, "m": MINUTE_US, "h": HOUR_US, "d": DAY_US, "w": 7 * DAY_US}


def microseconds(iso: str, zone: tzinfo | None = None) -> int | None:
    """Microseconds of an ISO 8601 time. One without an offset is in this zone, or local. None for what is no time, or
    none that the platform can reckon with."""
    try:
        at = datetime.fromisoformat(iso.strip())
        return int((at if at.tzinfo else at.replace(tzinfo=zone)).timestamp() * 1_000_000)
    except (ValueError, OverflowError, OSError):
        return None


def read_time(text: str, now_us: int) -> int | None:
    """Microseconds of an ISO time (local unless it says otherwise) or of an age: 30m, 12h, 3d, 2w. None for others."""
    ago = _AGO.fullmatch(text.strip())
    if ago:
        return max(0, now_us - int(ago[1]) * _SPANS[ago[2]])
    at = microseconds(text)
    return None if at is None else max(0, at)


def moment(text: str, now_us: int, otherwise: int | None = None) -> int:
    """The same, with an error for what is no time. `otherwise` is the moment that an empty text means, if it may be."""
    if not text and otherwise is not None:
        return otherwise
    found = read_time(text, now_us)
    if found is None:
        raise UsageError(f"{text!r} is no time. Write one as 2026-05-01, 2026-05-01T12:30 or an age: 30m, 12h, 3d, 2w.")
    return found


def when(us: int) -> str:
    """A moment as results show it: 2026-05-01T12:30:00Z."""
    return datetime.fromtimestamp(us / 1_000_000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def file_stamp(us: int) -> str:
    """A moment as file names have it: 20260501T123000Z."""
    return datetime.fromtimestamp(us / 1_000_000, UTC).strftime("%Y%m%dT%H%M%SZ")


def clock_time(us: int) -> str:
    """A moment of these days as the user's clock shows it: 14:30, or with the day when it is another one."""
    local = datetime.fromtimestamp(us / 1_000_000)
    return local.strftime("%H:%M" if local.date() == datetime.now().date() else "%Y-%m-%d %H:%M")


_FOR = re.compile(r"(\d{1,6})\s*([smhdw])")


def span(text: str) -> int:
    """How long `2h` is, in microseconds."""
    found = _FOR.fullmatch(text.strip())
    if found is None or not int(found[1]):
        raise UsageError(f"{text!r} is no length of time. Write one as 30m, 2h, 3d or 1w.")
    return int(found[1]) * _SPANS[found[2]]


def age(now_us: int, then_us: int) -> str:
    """How long ago, in a few words."""
    passed = max(0, now_us - then_us)
    if passed < 2 * MINUTE_US:
        return "just now"
    if passed < 2 * HOUR_US:
        return f"{passed // MINUTE_US} min ago"
    if passed < 2 * DAY_US:
        return f"{passed // HOUR_US} h ago"
    if passed < 60 * DAY_US:
        return f"{passed // DAY_US} days ago"
    return f"{passed // (30 * DAY_US)} months ago"
