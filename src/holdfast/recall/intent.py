"""Reads from a prompt whether it asks for memory, and of which time. Pure.

"What was the cause last time?" asks for what was found; "fix it again" hardly does; "what did we do yesterday?" asks
for a time and names no subject. Clock and time zone are the caller's: a day is a day of the user.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta, tzinfo
from typing import Literal

from holdfast.patterns import lazy_pattern
from holdfast.recall.values import END_OF_TIME

Strength = Literal["", "hint", "asks"]
"""`hint`: it speaks of something that happened before. `asks`: it wants to be told of it."""

LONG = 30
"""Words of a long prompt."""
LONGEST_READ = 2_000
"""Characters of a prompt that are read for intent: its request stands at the beginning or the end."""


@dataclass(frozen=True, slots=True)
class Intent:
    """What a prompt wants of memory."""

    strength: Strength = ""
    since: int = 0
    until: int = END_OF_TIME
    overview: bool = False
    """It asks what was done in that time, whatever it was about."""
    many: bool = False
    """It asks for more than a few items."""
    question: bool = False
    """It asks something, whatever it is about."""

    @property
    def has_time(self) -> bool:
        return bool(self.since) or self.until < END_OF_TIME


_GREETING = lazy_pattern(
    r"(?:(?:hi|hello|hey|morning|good (?:morning|afternoon|evening)|welcome back|i(?:'m| am) back|back again|ok(?:ay)?"
    r"|thanks|thank you|great|perfect|nice)\b[^.!?\n]{0,30}[.!\n]\s*){1,3}(?=\S)",
    re.IGNORECASE,
)


def without_greeting(prompt: str) -> str:
    """A prompt without the courtesy before what it is about."""
    found = _GREETING.match(prompt.lstrip())
    return prompt.lstrip()[found.end() :] if found else prompt


_ORDER: dict[Strength, int] = {"": 0, "hint": 1, "asks": 2}
_SENTENCE = lazy_pattern(r"(?<=[.!?])\s+|\n+")
_WE = r"(?:we|you|i|they|u)"
_PAST = r"(?:did|didn'?t|had|hadn'?t|have|haven'?t|was|wasn'?t|were|weren'?t)"
_ASKS = lazy_pattern(
    rf"""
    \b(?:
      (?:last|previous|first)\ time | back\ then | in\ the\ past | (?:previously|formerly|earlier)\b(?!\ than)
    | {_PAST}(?:\s+\w+ly)?\s+{_WE}\b
    | (?:why|how|when|where|what|which|who)\s+(?:exactly\s+|else\s+|again\s+)?(?:did|was|were|had|have)\b(?!\s+to\b)
    | was\s+there | were\s+there | has\s+there
    | (?:do|can|could)\s+(?:you|we|u)\s+(?:still\s+)?(?:remember|recall)
    | remind\s+me | remember\s+(?:when|how|why|what|that|the)
    | (?:have|has|had|did)\s+(?:\w+\s+){{0,3}}(?:before|already|ever)\b
    | what(?:'s|\ is|\ was|\ were)?\s+the\s+(?:cause|reason|fix|outcome|result|decision|conclusion|verdict|root\ cause)
    | (?:seen|met|had|hit|done|tried|fixed|solved|discussed|decided|talked|agreed)\s+(?:\w+\s+){{0,4}}
        (?:before|already|once|earlier)\b
    | i\s+(?:thought|believed?|remember|recall)\s+(?:that\s+)?(?:we|you|i|there|it)\b
    | (?:we|you|i)\s+(?:once|already|decided|agreed|settled|concluded|used\ to|talked\ about|discussed|left|said|had)\b
    | known\s+(?:issue|problem|bug)|\bknown\s*\?
    | all\s+the\s+times | every\s+time\s+(?:we|you|i)
    | pick\s+up\s+where | where\s+(?:were|was|are)\s+(?:we|i) | where\s+(?:we|i)\s+(?:were|left|stopped)
    | (?:beim\s+)?letzte[nsr]?\s+mal | damals | (?:hatten|haben)\s+wir\b
    | wir\s+(?:hatten|haben)\b[^.?!]{{0,60}}\b(?:schon|damals|mal)
    | was\s+war\s+(?:nochmal\s+|noch\s+mal\s+|denn\s+)?(?:die|der|das)\b | wie\s+war\s+das | woran\s+(?:lag|hat)
    | la\s+dernière\s+fois | (?:on|nous)\s+(?:avait|avions|avons)\b | avait-on | avons-nous | c'était\s+quoi
    | déjà\s+(?:vu|eu|corrigé)
    | la\s+última\s+vez | cuál\s+(?:era|fue)
    | (?:cómo|por\s+qué)\s+(?:lo\s+)?(?:arreglamos|hicimos|decidimos|cambiamos|quitamos)
    | ya\s+(?:lo\s+)?(?:habíamos|hicimos|vimos|arreglamos)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_TELLS_OF_BEFORE = lazy_pattern(
    r"(?<=[\w,)\"'`])\s+(?:which|who|when|where)\s+(?:was|were|had|have)\b|\b(?:previously|formerly|earlier)\b",
    re.IGNORECASE,
)
"""In a statement."""
_HINTS = lazy_pattern(
    r"\b(?:again|previously|formerly|earlier|anymore|any\s+more|still|once\s+more|as\s+before|like\s+before|used\s+to|no\s+longer|came\s+back|is\s+back|"
    r"keeps?\s+\w+ing|another|these\s+days|since\s+(?:the|that|we)|why\s+(?:do|does|is|are)\s+(?:we|our|there|it|the)|"
    r"do\s+we\s+(?:have|use|still|ever))\b",
    re.IGNORECASE,
)
_QUESTION = lazy_pattern(
    r"\b(?:what|which|why|how|where|when|who|is|are|do|does|was|were|has|have|did)\b", re.IGNORECASE
)
_THEN_ASKS = lazy_pattern(
    r"[,;:–—]\s+(?:(?:so|and|but|or)\s+)?(?:what|which|why|how|where|when|who|is|are|do|does|should|shall|can|could|would"
    r"|will|any)\b",
    re.IGNORECASE,
)
"""A question behind something that was told."""
_DOER = lazy_pattern(rf"\b{_WE}\b", re.IGNORECASE)
_PROPOSES = lazy_pattern(
    r"\b(?:(?:should|shall|could|can)\s+we|why\s+(?:don'?t|do\s+not)\s+we|what\s+if\s+we|how\s+about)\b[^?]{0,200}\?",
    re.IGNORECASE,
)
"""Of what happens again something is proposed: was that tried before?"""
_ASKED = lazy_pattern(r"\?(?=[\s\"')\]*`?!]|$)")
_OURS = lazy_pattern(r"\b(?:we|our|ours|us)\b", re.IGNORECASE)
_OVERVIEW = lazy_pattern(
    rf"""
    \bwhat\s+(?:all\s+)?(?:did|have|had|were|was)\s+{_WE}\s+(?:been\s+)?(?:do|done|doing|work(?:ed|ing)?(?:\s+on)?|chang(?:e|ed|ing)|up\s+to|achieve[d]?|
        finish(?:ed)?|get\s+done|accomplish(?:ed)?|busy\s+with)\b
  | \bwhat\s+(?:has\s+)?(?:happened|was\s+(?:done|going\s+on|changed|worked\s+on))\b
  | \bwhere\s+(?:were|was)\s+(?:we|i)\b | \bwhere\s+did\s+(?:we|i|you)\s+(?:stop|leave\s+off|get\s+to|end)\b
  | \b(?:recap|sum(?:mary|marise|marize)?(?:\s+up)?|overview|catch\s+me\s+up|bring\s+me\s+up|remind\s+me)\b
  | \bwhat\s+was\s+(?:i|the\s+last\s+thing)\b
  | \b(?:everything|all|all\s+that)\s+(?:we|you|i)\s+(?:did|changed|finished|worked\s+on|have\s+done|got\s+done)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_MANY = lazy_pattern(
    r"\b(?:everything|all\s+(?:the|of|our|that|those|we|times|places|decisions|sessions)|every\s+time|list|complete\s+history|"
    r"whole\s+history|which\s+(?:ones|all)|each\s+time)\b",
    re.IGNORECASE,
)

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


def read_intent(text: str, now: int, zone: tzinfo | None = None) -> Intent:
    """What a prompt wants of memory. `now` in microseconds; without a zone, days are those of this machine's."""
    if len(text) > LONGEST_READ:
        text = f"{text[: LONGEST_READ // 2]}\n{text[-LONGEST_READ // 2 :]}"
    parts = [part for part in _SENTENCE.split(text) if part.strip()]
    if len(text.split()) > LONG:
        # A long prompt tells and orders much; it asks for memory where it asks.
        parts = [part for part in parts if part.rstrip().endswith("?")]
    found = [_of_sentence(part, now, zone) for part in parts]
    strongest = max(found, key=lambda each: (_ORDER[each.strength], each.has_time), default=Intent())
    return replace(strongest, question=bool(_ASKED.search(text)) or strongest.strength == "asks")


def _of_sentence(short: str, now: int, zone: tzinfo | None) -> Intent:
    asks = bool(_ASKS.search(_without_relative(short)))
    today = datetime.fromtimestamp(now / 1_000_000, zone).date()
    span, past = time_asked(short, today)
    overview = bool(_OVERVIEW.search(short))
    if span is not None and not (asks or overview) and _is_of_a_report(short, today):
        span = None  # "it hung last night, should we retry?" asks what is known of it, and not what was done then
    if span is not None and not (past or asks or overview):
        span = None  # "deploy it on Monday" is a plan
    if span is None:
        hints = _HINTS.search(short) is not None
        asks = asks or (hints and _PROPOSES.search(short) is not None)
        strength: Strength = "asks" if asks else "hint" if hints or _is_ours(short) else ""
        return Intent(strength, many=asks and bool(_MANY.search(short)))
    first, after = span
    since = _start(first, zone) if first > date.min else 0
    strength = "asks" if asks or overview or "?" in short else "hint"
    return Intent(strength, since, min(_start(after, zone), now), overview, many=bool(_MANY.search(short)))


def _without_relative(sentence: str) -> str:
    """A sentence without what only looks like a question: "systems which have no shell", "previously it returned 1".
    Where somebody asks, or speaks of what we did, nothing is taken away."""
    if "?" in sentence or _DOER.search(sentence):
        return sentence
    return _TELLS_OF_BEFORE.sub(" ", sentence)


def _is_of_a_report(sentence: str, today: date) -> bool:
    """Does the time stand in what a sentence tells before it asks? What we did then is another matter."""
    asked = next(iter(reversed(list(_THEN_ASKS.finditer(sentence)))), None) if "?" in sentence else None
    if asked is None or _DOER.search(sentence[: asked.start()]):
        return False
    return time_asked(sentence[asked.start() :], today)[0] is None


def _is_ours(sentence: str) -> bool:
    """Is it a question about what is ours? The repository may answer it, or what was said of it before."""
    if not sentence.rstrip().endswith("?"):
        return False
    asked = _QUESTION.search(sentence)
    return asked is not None and _OURS.search(sentence, asked.end()) is not None


def _start(day: date, zone: tzinfo | None) -> int:
    return int(datetime(day.year, day.month, day.day, tzinfo=zone).timestamp()) * 1_000_000


def time_asked(text: str, today: date) -> tuple[Span | None, bool]:
    """The days that a text names, and whether the words can mean nothing but the past."""
    for pattern, past, days in _TIMES:
        found = pattern.search(text)
        if found is not None and (span := days(found, today)) is not None:
            return span, past
    return None, False


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
    (_pattern(rf"{_MONTH}\s+(?P<number>\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s+(?P<year>20\d\d))?"), False, _named_day),
    (
        _pattern(rf"(?P<number>\d{{1,2}})(?:st|nd|rd|th)?\.?\s+(?:of\s+)?{_MONTH}(?:\s+(?P<year>20\d\d))?"),
        False,
        _named_day,
    ),
    (
        _pattern(rf"(?:in|during|back\s+in|of|last|early\s+in|late\s+in)\s+{_MONTH}(?:\s+(?P<year>20\d\d))?"),
        False,
        _named_month,
    ),
)
"""Pattern, whether it can only be the past, and the days it means; the first that is found counts."""
