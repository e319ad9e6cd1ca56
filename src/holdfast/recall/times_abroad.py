"""Which days a text names in German, French, Spanish, Italian, Dutch and Portuguese. Pure.

Texts come without accents (`time_asked` folds them): many write "semaine derniere" and "miercoles".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

from holdfast.patterns import lazy_pattern
from holdfast.recall import spans
from holdfast.recall.spans import Span

Days = Callable[[re.Match[str], date], Span | None]
"""The days that something found means; None when it means none."""


def _named(*languages: str) -> dict[str, int]:
    """Words that have a place in a row, such as the days of the week: word → place, from 0."""
    return {
        name: at for names in languages for at, forms in enumerate(names.split()) for name in forms.split("|") if name
    }


_WEEKDAYS = _named(
    "montag dienstag mittwoch donnerstag freitag samstag|sonnabend sonntag",
    "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "lunes martes miercoles jueves viernes sabado domingo",
    "lunedi martedi mercoledi giovedi venerdi sabato domenica",
    "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
    "segunda-feira terca-feira quarta-feira quinta-feira sexta-feira",
)
_MONTHS = _named(
    "januar februar marz|maerz april mai juni juli august september oktober november dezember",
    "janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "januari februari maart april mei juni juli augustus september oktober november december",
    "janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro",
)
_NUMBERS = {"paar": 3, "quelques": 3, "unos": 3, "unas": 3, "alcuni": 3, "alcune": 3, "alguns": 3, "algumas": 3} | {
    name: at + 1
    for name, at in _named(
        "ein|einem|einer|einen zwei drei vier funf|fuenf sechs sieben acht neun zehn",
        "un|une deux trois quatre cinq six sept huit neuf dix",
        "un|una dos tres cuatro cinco seis siete ocho nueve diez",
        "un|una|uno due tre quattro cinque sei sette otto nove dieci",
        "een twee drie vier vijf zes zeven acht negen tien",
        "um|uma dois|duas tres quatro cinco seis sete oito nove dez",
    ).items()
}
_UNITS = {
    "day": "tag|tage|tagen|jour|jours|dia|dias|giorno|giorni|dag|dagen",
    "week": "woche|wochen|semaine|semaines|semana|semanas|settimana|settimane|week|weken",
    "month": "monat|monate|monaten|mois|mes|meses|mese|mesi|maand|maanden",
    "year": "jahr|jahre|jahren|an|ans|annee|annees|ano|anos|anno|anni|jaar",
}
_UNIT_OF = {word: unit for unit, words in _UNITS.items() for word in words.split("|")}


def _one_of(words: dict[str, int] | dict[str, str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


def _pattern(*forms: str) -> re.Pattern[str]:
    return lazy_pattern(r"(?<!\w)(?:" + "|".join(forms).replace(" ", r"\s+") + r")(?!\w)", re.IGNORECASE)


_COUNT = rf"(?:einigen|ein paar|(?P<count>\d{{1,3}}|{_one_of(_NUMBERS)}))"
_UNIT = rf"(?P<unit>{_one_of(_UNIT_OF)})"
_DAY = rf"(?P<day>{_one_of(_WEEKDAYS)})"
_FRENCH = lazy_pattern(
    r"qu'|\b(?:on|nous|avons|fait|ca|est-ce|j'ai|pourquoi|c'etait|a-t-on|etai\w{0,4})\b", re.IGNORECASE
)


def _counted(span: Callable[[date, int, str], Span | None]) -> Days:
    def days(found: re.Match[str], today: date) -> Span | None:
        word = (found["count"] or "paar").lower()
        return span(today, int(word) if word.isdigit() else _NUMBERS[word], _UNIT_OF[found["unit"].lower()])

    return days


def _always(span: Callable[[date], Span]) -> Days:
    return lambda _, today: span(today)


def _back(span: Callable[[date, int], Span], count: int) -> Days:
    return lambda _, today: span(today, count)


def _french_yesterday(found: re.Match[str], today: date) -> Span | None:
    """In German it is "here": a French word must stand beside it."""
    return spans.day_back(today, 1) if _FRENCH.search(found.string) else None


def _weekday(found: re.Match[str], today: date) -> Span:
    return spans.last_weekday(today, _WEEKDAYS[found["day"].lower()])


def _month(found: re.Match[str], today: date) -> Span:
    return spans.last_month_named(today, _MONTHS[found["month"].lower()] + 1)


_BEFORE = (
    r"(?:vor|avant|antes|prima|voor)(?: (?:de|d[aeio]s?|del|dello|della|delle|den|dem|der|die|das|les?|la|las|los|"
    r"mes|mis|nos|meinen?|meinem|unseren?|unserem|mijn|onze|minhas?|nuestras?|mie|nostre)){0,2}(?: |l')"
)
_LAST = r"letzte[nrs]?|vergangene[nrs]?|vorige[nrs]?|afgelopen|scors[oa]"
"""They stand before what they name; these behind it:"""
_PASSED = r"derniere?|passee?|pasad[oa]|scors[oa]|passad[oa]"

TIMES: tuple[tuple[re.Pattern[str], bool, Days], ...] = (
    (
        _pattern("vorgestern|avant-hier|anteayer|antes de ayer|l'altro ieri|altroieri|eergisteren|anteontem"),
        True,
        _back(spans.day_back, 2),
    ),
    (
        _pattern(
            "gestern(?: (?:abend|fruh|frueh|morgen|nachmittag))?|ayer|anoche|ieri(?: sera)?|gisteren|gisteravond|ontem"
        ),
        True,
        _back(spans.day_back, 1),
    ),
    (_pattern("hier"), True, _french_yesterday),
    (
        _pattern(
            "heute(?: (?:fruh|frueh|morgen))?|aujourd'hui|ce matin|hoy|esta manana|oggi|stamattina|vandaag|vanochtend|"
            "hoje|esta manha"
        ),
        False,
        _back(spans.day_back, 0),
    ),
    (_pattern(rf"(?:vor|il y a|hace|ha) {_COUNT} {_UNIT}"), True, _counted(spans.ago)),
    (_pattern(rf"{_COUNT} {_UNIT} (?:fa|geleden|atras)"), True, _counted(spans.ago)),
    (
        _pattern(rf"(?:letzten|vergangenen|ultim[oaie]s?|afgelopen|laatste) {_COUNT} {_UNIT}"),
        True,
        _counted(spans.last_days),
    ),
    (_pattern(rf"(?:ces|les) {_COUNT} derniere?s {_UNIT}"), True, _counted(spans.last_days)),
    (
        _pattern(rf"{_BEFORE}(?:weihnacht\w{{0,12}}|noel|navidad(?:es)?|natale|natal|kerst\w{{0,10}})"),
        True,
        _always(spans.before_christmas),
    ),
    (_pattern(rf"{_BEFORE}(?:ostern|paques|semana santa|pasqua|pasen|pascoa)"), True, _always(spans.before_easter)),
    (
        _pattern(
            rf"{_BEFORE}(?:sommer\w{{0,10}}|zomer\w{{0,10}}|(?:vacances|conges) d'ete|vacaciones de verano|"
            r"(?:vacanze|ferie) estive|ferias de verao)"
        ),
        True,
        _always(spans.before_summer),
    ),
    (
        _pattern(
            rf"{_BEFORE}(?:ferien|feiertagen?|urlaub|jahreswechsel|neujahr|vacances|fetes|conges|nouvel an|vacaciones|"
            r"fiestas|puente|vacanze|ferie|feste|vakantie|feestdagen|verlof|ferias|festas|feriados?)"
        ),
        True,
        _always(spans.before_holidays),
    ),
    (
        _pattern(rf"{_BEFORE}(?:wochenende|week-?end|fin de semana|het weekend|fim de semana)", "voor het weekend"),
        True,
        _always(spans.before_weekend),
    ),
    (
        _pattern(
            rf"(?:am|(?:{_LAST})) wochenende|(?:afgelopen|vorig) weekend|(?:ce|le) week-?end|(?:el|este) fin de semana|"
            r"(?:lo scorso|nel|questo) weekend|n?o fim de semana"
        ),
        False,
        _always(spans.last_weekend),
    ),
    (
        _pattern(r"vorletzte[rn]? woche|la semaine d'avant|la semana antepasada|semana retrasada"),
        True,
        _back(spans.week_back, 2),
    ),
    (
        _pattern(
            rf"(?:{_LAST}|vorige|la scorsa|scorsa) (?:woche|week|settimana)",
            rf"(?:la )?(?:semaine|semana|settimana) (?:{_PASSED})",
        ),
        True,
        _back(spans.week_back, 1),
    ),
    (
        _pattern("diese[rn]? woche|cette semaine|esta semana|questa settimana|deze week"),
        False,
        _back(spans.week_back, 0),
    ),
    (
        _pattern(
            rf"(?:{_LAST}|vorige|lo scorso) (?:monat|maand|mese)",
            rf"(?:le |el |il )?(?:mois|mes|mese) (?:{_PASSED})",
        ),
        True,
        _back(spans.month_back, 1),
    ),
    (_pattern(rf"(?:{_LAST}) {_DAY}"), True, _weekday),
    (_pattern(rf"{_DAY} (?:{_PASSED})"), True, _weekday),
    (_pattern(rf"(?:(?:am|el|le|il|la|op|na) )?{_DAY}"), False, _weekday),
    (
        _pattern(rf"(?:im|en|au mois de|in|a|em|seit|depuis|desde) (?P<month>{_one_of(_MONTHS)})"),
        False,
        _month,
    ),
)
"""Pattern, whether it can only be the past, and the days it means."""
