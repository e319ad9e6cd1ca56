"""Which days a text names: "yesterday", "three weeks ago", "vorgestern", "la semaine dernière", "el lunes". Pure.

The day is the caller's: a day is a day of the user.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta

from holdfast.patterns import lazy_pattern

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
           "december")  # fmt: skip
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
            "nine": 9, "ten": 10, "couple": 2, "few": 3}  # fmt: skip
_MONTH = "(?P<month>" + "|".join(f"{name[:3]}(?:{name[3:]})?" for name in _MONTHS) + r")\.?"
_DAY = "(?P<day>" + "|".join(_DAYS) + ")"

_FIRST_YEAR, _LAST_YEAR = 1970, 2100
"""No work is of another time, and clocks do not count there."""

Span = tuple[date, date]
"""From the first day to the day after the last."""


def time_asked(text: str, today: date) -> tuple[Span | None, bool]:
    """The days that a text names, and whether the words can mean nothing but the past."""
    for pattern, past, days in _TIMES:
        found = pattern.search(text)
        if found is not None and (span := days(found, today)) is not None:
            return (span[0], max(span[1], today + timedelta(days=1))) if _is_since(text, found) else span, past
    return None, False


_SINCE = lazy_pattern(r"\b(?:since|seit|depuis|desde)\s+(?:(?:the|dem|der|el|la|le)\s+)?", re.IGNORECASE)
_NEAR = 24


def _is_since(text: str, found: re.Match[str]) -> bool:
    """Does it mean all days from then on? In "since we moved it yesterday" another word stands between."""
    words = _SINCE.finditer(text, max(0, found.start() - _NEAR), found.end())
    return any(each.start() <= found.start() <= each.end() for each in words)


def _days_ago(count: int, days: int = 1) -> Callable[[re.Match[str], date], Span]:
    def span(_: re.Match[str], today: date) -> Span:
        first = today - timedelta(days=count)
        return first, first + timedelta(days=days)

    return span


def _ago(found: re.Match[str], today: date) -> Span | None:
    """Some days, weeks or months ago: the longer ago, the less exactly it is meant."""
    count = int(found["count"]) if found["count"].isdigit() else _NUMBERS[found["count"].lower()]
    unit = found["unit"].lower()
    days = count * {"d": 1, "w": 7, "m": 30, "y": 365}[unit[0]]
    if not 0 < days < 3_650:
        return None
    about = {"d": 0 if days <= 3 else 1, "w": 3, "m": 15, "y": 120}[unit[0]]
    middle = today - timedelta(days=days)
    return middle - timedelta(days=about), min(today, middle + timedelta(days=about)) + timedelta(days=1)


def _last_days(found: re.Match[str], today: date) -> Span | None:
    """The last three days, the past two weeks."""
    word = found["count"] or "one"
    count = int(word) if word.isdigit() else _NUMBERS[word.lower()]
    days = count * {"d": 1, "w": 7, "m": 30, "y": 365}[found["unit"][0].lower()]
    return (today - timedelta(days=days), today + timedelta(days=1)) if 0 < days < 3_650 else None


def _week(back: int) -> Callable[[re.Match[str], date], Span]:
    def span(_: re.Match[str], today: date) -> Span:
        monday = today - timedelta(days=today.weekday() + 7 * back)
        return monday, monday + timedelta(days=7)

    return span


def _month_of(year: int, month: int) -> Span:
    first = date(year, month, 1)
    return first, date(year + month // 12, month % 12 + 1, 1)


def _month_back(back: int) -> Callable[[re.Match[str], date], Span]:
    def span(_: re.Match[str], today: date) -> Span:
        months = today.year * 12 + today.month - 1 - back
        return _month_of(months // 12, months % 12 + 1)

    return span


def _year_back(back: int) -> Callable[[re.Match[str], date], Span]:
    return lambda _, today: (date(today.year - back, 1, 1), date(today.year - back + 1, 1, 1))


def _weekday(found: re.Match[str], today: date) -> Span:
    """The last such day before today. "Last Friday", said on a Monday, is that one too."""
    back = (today.weekday() - _DAYS.index(found["day"].lower())) % 7 or 7
    first = today - timedelta(days=back)
    return first, first + timedelta(days=1)


def _named_month(found: re.Match[str], today: date) -> Span:
    month = next(at for at, name in enumerate(_MONTHS, 1) if name.startswith(found["month"][:3].lower()))
    year = int(found["year"]) if found["year"] else today.year - (month > today.month)
    return _month_of(year, month)


def _named_day(found: re.Match[str], today: date) -> Span | None:
    month = next(at for at, name in enumerate(_MONTHS, 1) if name.startswith(found["month"][:3].lower()))
    year = int(found["year"]) if found["year"] else today.year
    try:
        first = date(year, month, int(found["number"]))
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


def _before_holidays(found: re.Match[str], today: date) -> Span:
    """The weeks before the year's end, in the months after it; at another time of the year, anything but this week."""
    christmas = date(today.year - (today < date(today.year, 12, 24)), 12, 24)
    named = re.search(r"christmas|xmas|new\s+year|winter", found[0], re.IGNORECASE)
    if named or today - christmas <= timedelta(days=100):
        return christmas - timedelta(days=35), christmas + timedelta(days=1)
    return today - timedelta(days=90), today - timedelta(days=4)


def _before_weekend(_: re.Match[str], today: date) -> Span:
    saturday = today - timedelta(days=(today.weekday() - 5) % 7 or (0 if today.weekday() == 5 else 7))
    return saturday - timedelta(days=5), saturday


def _weekend(_: re.Match[str], today: date) -> Span:
    saturday = today - timedelta(days=(today.weekday() - 5) % 7 or 7)
    return saturday, saturday + timedelta(days=2)


def _pattern(text: str) -> re.Pattern[str]:
    return lazy_pattern(rf"\b(?:{text})\b", re.IGNORECASE)


_COUNT = r"(?P<count>\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|couple|few)"
_UNIT = r"(?P<unit>days?|weeks?|months?|years?)"
_FOREIGN_DAYS = {
    name: at
    for names in (
        "montag dienstag mittwoch donnerstag freitag samstag sonntag",
        "lundi mardi mercredi jeudi vendredi samedi dimanche",
        "lunes martes miércoles jueves viernes sábado domingo",
    )
    for at, name in enumerate(names.split())
}
_FOREIGN_DAY = "(?P<day>" + "|".join(_FOREIGN_DAYS) + ")"
_FRENCH = lazy_pattern(r"qu'|\b(?:on|nous|avons|fait|ça|est-ce|j'ai|pourquoi|c'était|a-t-on|étai\w*)\b", re.IGNORECASE)
_TODAY_WORDS = r"heute(?:\s+früh|\s+morgen)?|aujourd'hui|ce\s+matin|hoy|esta\s+mañana"


def _french_yesterday(found: re.Match[str], today: date) -> Span | None:
    """In German it is "here": a French word must stand beside it."""
    return _days_ago(1)(found, today) if _FRENCH.search(found.string.replace("’", "'")) else None


def _foreign_weekday(found: re.Match[str], today: date) -> Span:
    first = today - timedelta(days=(today.weekday() - _FOREIGN_DAYS[found["day"].lower()]) % 7 or 7)
    return first, first + timedelta(days=1)


def _foreign_ago(found: re.Match[str], today: date) -> Span | None:
    days = int(found["count"]) * {"t": 1, "j": 1, "d": 1, "w": 7, "s": 7, "m": 30}[found["unit"][0].lower()]
    if not 0 < days < 3_650:
        return None
    about = 0 if days <= 3 else max(1, days // 7)
    middle = today - timedelta(days=days)
    return middle - timedelta(days=about), min(today, middle + timedelta(days=about)) + timedelta(days=1)


_IN_OTHER_LANGUAGES: tuple[tuple[re.Pattern[str], bool, Callable[[re.Match[str], date], Span | None]], ...] = (
    (_pattern(r"vorgestern|avant-hier|anteayer|antes\s+de\s+ayer"), True, _days_ago(2)),
    (_pattern(r"gestern(?:\s+(?:abend|früh|morgen|nachmittag))?|ayer|anoche"), True, _days_ago(1)),
    (_pattern("hier"), True, _french_yesterday),
    (_pattern(_TODAY_WORDS), False, _days_ago(0)),
    (
        _pattern(r"(?:letzte|vergangene|vorige)[rn]?\s+woche|la\s+semaine\s+(?:dernière|passée)|la\s+semana\s+pasada"),
        True,
        _week(1),
    ),
    (_pattern(r"diese\s+woche|cette\s+semaine|esta\s+semana"), False, _week(0)),
    (
        _pattern(r"(?:letzten|vergangenen|vorigen)\s+monat|le\s+mois\s+(?:dernier|passé)|el\s+mes\s+pasado"),
        True,
        _month_back(1),
    ),
    (
        _pattern(
            r"(?:vor|il\s+y\s+a|hace)\s+(?P<count>\d{1,3})\s+"
            r"(?P<unit>tagen?|wochen?|monaten?|jours?|semaines?|mois|días?|semanas?|meses)"
        ),
        True,
        _foreign_ago,
    ),
    (
        _pattern(rf"(?:(?:am|letzten|vergangenen|el|le)\s+)?{_FOREIGN_DAY}(?:\s+(?:dernier|pasado))?"),
        False,
        _foreign_weekday,
    ),
)
"""The same in German, French and Spanish."""
_TIMES: tuple[tuple[re.Pattern[str], bool, Callable[[re.Match[str], date], Span | None]], ...] = (
    (_pattern(r"(?:the\s+)?day\s+before\s+yesterday"), True, _days_ago(2)),
    (_pattern(r"yesterday(?:\s+(?:morning|afternoon|evening|night))?|last\s+(?:night|evening)"), True, _days_ago(1)),
    (_pattern(r"earlier\s+today|this\s+morning|today"), False, _days_ago(0)),
    (_pattern(r"the\s+other\s+day"), True, lambda _, today: (today - timedelta(days=8), today)),
    (_pattern(rf"(?:a\s+)?{_COUNT}(?:\s+of)?\s+{_UNIT}\s+(?:ago|back|earlier)"), True, _ago),
    (_pattern(rf"(?:last|past|previous)\s+(?:{_COUNT}\s+)(?:of\s+)?{_UNIT}"), True, _last_days),
    (
        _pattern(
            r"before\s+(?:the\s+|my\s+|our\s+)?(?:(?:christmas|xmas|winter|summer|easter|public|bank|long)\s+)?"
            r"(?:holidays?|vacation|break|christmas|xmas|new\s+year|leave|pto|easter)"
        ),
        True,
        _before_holidays,
    ),
    (_pattern(r"before\s+(?:the\s+)?(?:last\s+)?weekend"), True, _before_weekend),
    (_pattern(r"(?:last|over\s+the|on\s+the|at\s+the|this|past)\s+weekend"), False, _weekend),
    (_pattern(r"(?:last|past|previous)\s+week"), True, _week(1)),
    (_pattern(r"(?:the\s+)?week\s+before\s+last"), True, _week(2)),
    (_pattern(r"this\s+week|so\s+far\s+this\s+week"), False, _week(0)),
    (_pattern(r"(?:last|past|previous)\s+month"), True, _month_back(1)),
    (_pattern(r"this\s+month"), False, _month_back(0)),
    (_pattern(r"(?:last|past|previous)\s+year"), True, _year_back(1)),
    (_pattern(r"this\s+year"), False, _year_back(0)),
    (
        _pattern(rf"(?:on|last|since|this\s+past|past)\s+{_DAY}(?:\s+(?:morning|afternoon|evening|night))?"),
        False,
        _weekday,
    ),
    (lazy_pattern(r"\b\d{4}-\d\d-\d\d\b"), False, _iso),
    *_IN_OTHER_LANGUAGES,
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
