"""Days: of a week, of a month, so many ago, before a feast. Pure.

A span goes from its first day to the day after its last. `today` is a day of the user.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

Span = tuple[date, date]
"""From the first day to the day after the last."""

_MOST_DAYS = 3_650
_OF_UNIT = {"day": 1, "week": 7, "fortnight": 14, "month": 30, "year": 365}
_ABOUT = {"week": 3, "fortnight": 3, "month": 15, "year": 120}
_BEFORE_FEAST = 35
"""Days before a feast that "before Christmas" means."""


def day_back(today: date, back: int) -> Span:
    first = today - timedelta(days=back)
    return first, first + timedelta(days=1)


def ago(today: date, count: int, unit: str) -> Span | None:
    """Some days, weeks or months ago: the longer ago, the less exactly it is meant."""
    days = count * _OF_UNIT[unit]
    if not 0 < days < _MOST_DAYS:
        return None
    about = _ABOUT.get(unit, 0 if days <= 3 else max(1, days // 7))
    middle = today - timedelta(days=days)
    return middle - timedelta(days=about), min(today, middle + timedelta(days=about)) + timedelta(days=1)


def last_days(today: date, count: int, unit: str) -> Span | None:
    """The last three days, the past two weeks: until now."""
    days = count * _OF_UNIT[unit]
    return (today - timedelta(days=days), today + timedelta(days=1)) if 0 < days < _MOST_DAYS else None


def week_back(today: date, back: int) -> Span:
    monday = today - timedelta(days=today.weekday() + 7 * back)
    return monday, monday + timedelta(days=7)


def month_of(year: int, month: int) -> Span:
    return date(year, month, 1), date(year + month // 12, month % 12 + 1, 1)


def month_back(today: date, back: int) -> Span:
    months = today.year * 12 + today.month - 1 - back
    return month_of(months // 12, months % 12 + 1)


def year_back(today: date, back: int) -> Span:
    return date(today.year - back, 1, 1), date(today.year - back + 1, 1, 1)


def last_month_named(today: date, month: int) -> Span:
    """The last month of this name that has begun."""
    return month_of(today.year - (month > today.month), month)


def last_weekday(today: date, weekday: int) -> Span:
    """The last such day before today. "Last Friday", said on a Monday, is that one too."""
    return day_back(today, (today.weekday() - weekday) % 7 or 7)


def before_weekend(today: date) -> Span:
    back = (today.weekday() - 5) % 7 or (0 if today.weekday() == 5 else 7)
    saturday = today - timedelta(days=back)
    return saturday - timedelta(days=5), saturday


def last_weekend(today: date) -> Span:
    saturday = today - timedelta(days=(today.weekday() - 5) % 7 or 7)
    return saturday, saturday + timedelta(days=2)


def _weeks_before(feast: Callable[[int], date], today: date) -> Span:
    """The weeks before the last such feast."""
    at = feast(today.year)
    if at > today:
        at = feast(today.year - 1)
    return at - timedelta(days=_BEFORE_FEAST), at + timedelta(days=1)


def _christmas(year: int) -> date:
    return date(year, 12, 24)


def _easter(year: int) -> date:
    """Easter Sunday of the western churches (the anonymous Gregorian computus)."""
    a, (b, c) = year % 19, divmod(year, 100)
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    weekday = (32 + 2 * e + 2 * i - h - k) % 7
    m = (a + 11 * h + 22 * weekday) // 451
    month, day = divmod(h + weekday - 7 * m + 114, 31)
    return date(year, month, day + 1)


def before_christmas(today: date) -> Span:
    return _weeks_before(_christmas, today)


def before_easter(today: date) -> Span:
    return _weeks_before(_easter, today)


def before_summer(today: date) -> Span:
    """The weeks in which most people are about to leave."""
    year = today.year - (today < date(today.year, 7, 1))
    return date(year, 5, 15), min(date(year, 8, 1), today)


def before_holidays(today: date) -> Span:
    """The weeks before the year's end, in the months after it; at another time of the year, anything but this week."""
    christmas = before_christmas(today)
    if today - christmas[1] <= timedelta(days=99):
        return christmas
    return today - timedelta(days=90), today - timedelta(days=4)
