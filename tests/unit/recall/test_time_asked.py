"""Days that a text names, in other languages than English (English ones: `test_intent`)."""

from __future__ import annotations

from datetime import date

import pytest

from holdfast.recall.time_asked import time_asked

TODAY = date(2026, 1, 14)  # a Wednesday


@pytest.mark.requirement("MEM-22")
@pytest.mark.parametrize(
    ("text", "first", "after"),
    [
        ("was haben wir gestern gemacht?", "2026-01-13", "2026-01-14"),
        ("was war vorgestern los?", "2026-01-12", "2026-01-13"),
        ("qu'est-ce qu'on a fait hier ?", "2026-01-13", "2026-01-14"),
        ("¿qué hicimos ayer?", "2026-01-13", "2026-01-14"),
        ("woran haben wir letzte Woche gearbeitet?", "2026-01-05", "2026-01-12"),
        ("on a fait quoi la semaine dernière ?", "2026-01-05", "2026-01-12"),
        ("¿qué hicimos el lunes?", "2026-01-12", "2026-01-13"),
        ("was haben wir am Freitag geändert?", "2026-01-09", "2026-01-10"),
        ("il y a 3 jours", "2026-01-11", "2026-01-12"),
    ],
)
def test_days_in_other_languages(text: str, first: str, after: str) -> None:
    assert time_asked(text, TODAY)[0] == (date.fromisoformat(first), date.fromisoformat(after))


def test_here_in_german_is_not_yesterday() -> None:
    assert time_asked("was ist hier kaputt?", TODAY)[0] is None


@pytest.mark.requirement("MEM-22")
@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("what did we do since Monday?", "2026-01-12"),
        ("what changed since last week?", "2026-01-05"),
        ("what happened since yesterday?", "2026-01-13"),
        ("what did we decide since 2026-01-08?", "2026-01-08"),
        ("what did we change since December?", "2025-12-01"),
        ("was haben wir seit Montag gemacht?", "2026-01-12"),
        ("qu'a-t-on fait depuis lundi ?", "2026-01-12"),
        ("¿qué hicimos desde el lunes?", "2026-01-12"),
    ],
)
def test_since_a_day_means_until_now(text: str, first: str) -> None:
    assert time_asked(text, TODAY)[0] == (date.fromisoformat(first), date(2026, 1, 15))


def test_since_as_a_reason_names_one_day() -> None:
    text = "since we moved the import yesterday, which of our jobs did we break?"
    assert time_asked(text, TODAY)[0] == (date(2026, 1, 13), date(2026, 1, 14))
