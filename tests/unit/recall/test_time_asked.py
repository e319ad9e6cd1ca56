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
