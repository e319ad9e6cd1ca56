"""Days that a text names in other languages than English (English ones: `test_intent`)."""

from __future__ import annotations

from datetime import date

import pytest

from holdfast.recall.time_asked import time_asked, without_time
from tests.support.table import each_of

TODAY = date(2026, 10, 21)  # a Wednesday


@pytest.mark.requirement("MEM-22")
@each_of(
    ("text", "first", "after"),
    [
        ("woran haben wir vor drei Tagen gearbeitet?", "2026-10-18", "2026-10-19"),
        ("in den letzten drei Tagen", "2026-10-18", "2026-10-22"),
        ("was war letzten Freitag mit dem Deploy?", "2026-10-16", "2026-10-17"),
        ("was hatten wir im September beschlossen", "2026-09-01", "2026-10-01"),
        ("was haben wir vor Weihnachten entschieden?", "2025-11-19", "2025-12-25"),
        ("was stand vor den Ferien noch offen?", "2026-07-23", "2026-10-17"),
        ("vor den Sommerferien", "2026-05-15", "2026-08-01"),
        ("vor Ostern", "2026-03-01", "2026-04-06"),
        ("was lief am Wochenende?", "2026-10-17", "2026-10-19"),
        ("on en était où vendredi ?", "2026-10-16", "2026-10-17"),
        ("la semaine derniere", "2026-10-12", "2026-10-19"),
        ("qu'avait-on décidé avant les vacances ?", "2026-07-23", "2026-10-17"),
        ("il y a trois jours on a changé quoi ?", "2026-10-18", "2026-10-19"),
        ("ces deux derniers jours", "2026-10-19", "2026-10-22"),
        ("¿qué hicimos el viernes pasado?", "2026-10-16", "2026-10-17"),
        ("antes de las vacaciones", "2026-07-23", "2026-10-17"),
        ("hace dos días cambiamos algo", "2026-10-19", "2026-10-20"),
        ("los últimos tres dias", "2026-10-18", "2026-10-22"),
        ("el miercoles", "2026-10-14", "2026-10-15"),
        ("cosa abbiamo fatto ieri?", "2026-10-20", "2026-10-21"),
        ("cosa abbiamo deciso la settimana scorsa?", "2026-10-12", "2026-10-19"),
        ("due giorni fa", "2026-10-19", "2026-10-20"),
        ("che cosa abbiamo fatto lunedì?", "2026-10-19", "2026-10-20"),
        ("prima delle vacanze", "2026-07-23", "2026-10-17"),
        ("wat hebben we gisteren gedaan?", "2026-10-20", "2026-10-21"),
        ("wat deden we vorige week?", "2026-10-12", "2026-10-19"),
        ("drie dagen geleden", "2026-10-18", "2026-10-19"),
        ("voor het weekend", "2026-10-12", "2026-10-17"),
        ("voor de vakantie", "2026-07-23", "2026-10-17"),
        ("o que fizemos ontem?", "2026-10-20", "2026-10-21"),
        ("na semana passada", "2026-10-12", "2026-10-19"),
        ("na segunda-feira", "2026-10-19", "2026-10-20"),
        ("em setembro", "2026-09-01", "2026-10-01"),
    ],
)
def test_days_in_other_languages(text: str, first: str, after: str) -> None:
    assert time_asked(text, TODAY)[0] == (date.fromisoformat(first), date.fromisoformat(after))


@pytest.mark.requirement("MEM-22")
@each_of("text", ["was ist hier kaputt?", "la segunda opción", "a domani", "der Vorgang vor dem Aufruf", "hace falta"])
def test_other_words_name_no_day(text: str) -> None:
    assert time_asked(text, TODAY)[0] is None


def test_the_words_that_name_the_days_can_be_taken_away() -> None:
    assert without_time("was haben wir vor drei Tagen gemacht?", TODAY).split() == ["was", "haben", "wir", "gemacht?"]
    assert without_time("was haben wir gemacht?", TODAY) == "was haben wir gemacht?"
