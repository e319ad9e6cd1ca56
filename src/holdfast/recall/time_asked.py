"""Which days a text names: "yesterday", "three weeks ago", "vorgestern", "la semaine dernière", "el lunes". Pure.

The day is the caller's: a day is a day of the user.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from datetime import date, timedelta

from holdfast.patterns import lazy_pattern
from holdfast.recall import spans, times_abroad
from holdfast.recall.spans import Span
from holdfast.recall.times_abroad import Days

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
           "december")  # fmt: skip
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
            "nine": 9, "ten": 10, "couple": 2, "few": 3}  # fmt: skip
_MONTH = "(?P<month>" + "|".join(f"{name[:3]}(?:{name[3:]})?" for name in _MONTHS) + r")\.?"
_DAY = "(?P<day>" + "|".join(_DAYS) + ")"

_FIRST_YEAR, _LAST_YEAR = 1970, 2100
"""No work is of another time, and clocks do not count there."""


def time_asked(text: str, today: date) -> tuple[Span | None, bool]:
    """The days that a text names, and whether the words can mean nothing but the past."""
    folded = _folded(text)
    first = _first_time(folded, today)
    if first is None:
        return None, False
    found, span, past = first
    return (span[0], max(span[1], today + timedelta(days=1))) if _is_since(folded, found) else span, past


def without_time(text: str, today: date) -> str:
    """A text without the words that name its days, and without accents."""
    folded = _folded(text)
    first = _first_time(folded, today)
    return folded if first is None else f"{folded[: first[0].start()]} {folded[first[0].end() :]}"


def names_weekday(text: str, today: date) -> bool:
    """Is the day that a text names a weekday? "Since Monday" names more than a day."""
    folded = _folded(text)
    first = _first_time(folded, today)
    return first is not None and bool(first[0].groupdict().get("day")) and not _is_since(folded, first[0])


def _first_time(folded: str, today: date) -> tuple[re.Match[str], Span, bool] | None:
    for pattern, past, days in _TIMES:
        found = pattern.search(folded)
        if found is not None and (span := days(found, today)) is not None:
            return found, span, past
    return None


def _folded(text: str) -> str:
    """Without accents, and with one kind of apostrophe: many write "semaine derniere"."""
    if text.isascii():
        return text
    return _ACCENTS.sub("", unicodedata.normalize("NFKD", text.replace("’", "'")))


_ACCENTS = lazy_pattern(r"[\u0300-\u036f]+")
_SINCE = lazy_pattern(
    r"\b(?:since|seit|depuis|desde|dal?|sinds)\s+(?:(?:the|last|dem|der|el|la|le|a)\s+)?", re.IGNORECASE
)
_NEAR = 24


def _is_since(text: str, found: re.Match[str]) -> bool:
    """Does it mean all days from then on? In "since we moved it yesterday" another word stands between."""
    words = _SINCE.finditer(text, max(0, found.start() - _NEAR), found.end())
    return any(each.start() <= found.start() <= each.end() for each in words)


def _back(span: Callable[[date, int], Span], count: int) -> Days:
    return lambda _, today: span(today, count)


def _always(span: Callable[[date], Span]) -> Days:
    return lambda _, today: span(today)


def _counted(span: Callable[[date, int, str], Span | None]) -> Days:
    def days(found: re.Match[str], today: date) -> Span | None:
        word = (found["count"] or "one").lower()
        return span(today, int(word) if word.isdigit() else _NUMBERS[word], found["unit"].lower().rstrip("s"))

    return days


def _weekday(found: re.Match[str], today: date) -> Span:
    return spans.last_weekday(today, _DAYS.index(found["day"].lower()))


def _month_named(found: re.Match[str]) -> int:
    return next(at for at, name in enumerate(_MONTHS, 1) if name.startswith(found["month"][:3].lower()))


def _named_month(found: re.Match[str], today: date) -> Span:
    month = _month_named(found)
    return spans.month_of(int(found["year"]), month) if found["year"] else spans.last_month_named(today, month)


def _named_day(found: re.Match[str], today: date) -> Span | None:
    year = int(found["year"]) if found["year"] else today.year
    try:
        first = date(year, _month_named(found), int(found["number"]))
        if not found["year"] and first > today:
            first = first.replace(year=year - 1)
    except ValueError:
        return None
    return first, first + timedelta(days=1)


def _iso(found: re.Match[str], _: date) -> Span | None:
    try:
        first = date.fromisoformat(found[0])
    except ValueError:
        return None
    return (first, first + timedelta(days=1)) if _FIRST_YEAR < first.year < _LAST_YEAR else None


def _pattern(text: str) -> re.Pattern[str]:
    return lazy_pattern(rf"\b(?:{text})\b", re.IGNORECASE)


_COUNT = r"(?P<count>\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|couple|few)"
_UNIT = r"(?P<unit>days?|weeks?|fortnights?|months?|years?)"
_BREAK = r"(?:holidays?|vacation|break)"
_TIMES: tuple[tuple[re.Pattern[str], bool, Days], ...] = (
    (_pattern(r"(?:the\s+)?day\s+before\s+yesterday"), True, _back(spans.day_back, 2)),
    (
        _pattern(r"yesterday(?:\s+(?:morning|afternoon|evening|night))?|last\s+(?:night|evening)"),
        True,
        _back(spans.day_back, 1),
    ),
    (_pattern(r"earlier\s+today|this\s+morning|today"), False, _back(spans.day_back, 0)),
    (_pattern(r"the\s+other\s+day"), True, lambda _, today: (today - timedelta(days=8), today)),
    (_pattern(rf"(?:a\s+)?{_COUNT}(?:\s+of)?\s+{_UNIT}\s+(?:ago|back|earlier)"), True, _counted(spans.ago)),
    (_pattern(rf"(?:last|past|previous)\s+(?:{_COUNT}\s+)(?:of\s+)?{_UNIT}"), True, _counted(spans.last_days)),
    (
        _pattern(rf"before\s+(?:the\s+|our\s+)?(?:christmas|xmas|winter|new\s+year'?s?)(?:\s+{_BREAK})?"),
        True,
        _always(spans.before_christmas),
    ),
    (_pattern(rf"before\s+(?:the\s+|our\s+)?easter(?:\s+{_BREAK})?"), True, _always(spans.before_easter)),
    (_pattern(rf"before\s+(?:the\s+|my\s+|our\s+)?summer(?:\s+{_BREAK})?"), True, _always(spans.before_summer)),
    (
        _pattern(rf"before\s+(?:the\s+|my\s+|our\s+)?(?:(?:public|bank|long)\s+)?(?:{_BREAK}|leave|pto)"),
        True,
        _always(spans.before_holidays),
    ),
    (_pattern(r"before\s+(?:the\s+)?(?:last\s+)?weekend"), True, _always(spans.before_weekend)),
    (_pattern(r"(?:last|over\s+the|on\s+the|at\s+the|this|past)\s+weekend"), False, _always(spans.last_weekend)),
    (_pattern(r"(?:last|past|previous)\s+week"), True, _back(spans.week_back, 1)),
    (_pattern(r"(?:the\s+)?week\s+before\s+last"), True, _back(spans.week_back, 2)),
    (_pattern(r"this\s+week|so\s+far\s+this\s+week"), False, _back(spans.week_back, 0)),
    (_pattern(r"(?:last|past|previous)\s+month"), True, _back(spans.month_back, 1)),
    (_pattern(r"this\s+month"), False, _back(spans.month_back, 0)),
    (_pattern(r"(?:last|past|previous)\s+year"), True, _back(spans.year_back, 1)),
    (_pattern(r"this\s+year"), False, _back(spans.year_back, 0)),
    (
        _pattern(
            rf"(?:on|(?:since\s+)?last|since|this\s+past|past)\s+{_DAY}(?:\s+(?:morning|afternoon|evening|night))?"
        ),
        False,
        _weekday,
    ),
    (lazy_pattern(r"\b\d{4}-\d\d-\d\d\b"), False, _iso),
    *times_abroad.TIMES,
    (_pattern(rf"{_MONTH}\s+(?P<number>\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s+(?P<year>20\d\d))?"), False, _named_day),
    (
        _pattern(rf"(?P<number>\d{{1,2}})(?:st|nd|rd|th)?\.?\s+(?:of\s+)?{_MONTH}(?:\s+(?P<year>20\d\d))?"),
        False,
        _named_day,
    ),
    (
        _pattern(rf"(?:in|during|back\s+in|of|last|since|early\s+in|late\s+in)\s+{_MONTH}(?:\s+(?P<year>20\d\d))?"),
        False,
        _named_month,
    ),
)
"""Pattern, whether it can only be the past, and the days it means; the first that is found counts."""
