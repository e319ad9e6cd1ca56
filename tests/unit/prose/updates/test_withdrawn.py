"""A value that newer words name as given up is told with them; a figure that two sentences share by chance is not."""

from __future__ import annotations

import pytest

from holdfast.prose.updates.withdrawn import may_withdraw, withdrawn
from tests.support.table import each_of


@pytest.mark.requirement("MEM-12")
@each_of(
    ("new", "old"),
    [
        (
            "The feeder takes 500 g per tank with a pause of 90 s now, for every tank; it replaces the 200 g.",
            "Every tank has its own feeder, without a shared hopper: 200 g per tank with a pause of 40 s.",
        ),
        (
            "the trout starve. make it 500 g per tank, pause 90. the 200 is off the table",
            "Every tank has its own feeder: 200 g per tank with a pause of 40 s.",
        ),
        ("貸出の期間を最大14日に変更しました。これまでの30日は撤回です。", "貸出は1人3冊まで、期間は最大30日です。"),
        (
            "Members may keep books for 4 weeks instead of 3 weeks.",
            "Loans: members keep books for 3 weeks, and films for one.",
        ),
        (
            "Die Frist für Widersprüche beträgt 30 Tage statt 14 Tage.",
            "Die Frist läuft ab Zustellung; Widersprüche haben 14 Tage.",
        ),
        ("The import limit went from 200 to 500 rows.", "The import limit is 200 rows per file."),
        ("The import limit is 500 rows from now on, from 200 to 500.", "The import limit is 200 rows per file."),
        ("The oven of line 2 was lowered from 240 °C to 220 °C.", "Line 2: the oven bakes at 240 °C for nine minutes."),
        (
            "Le délai de retour passe de 10 jours à 30 jours pour les livres.",
            "Les livres ont un délai de retour de 10 jours, les films de 3.",
        ),
    ],
)
def test_a_value_that_is_named_as_given_up(new: str, old: str) -> None:
    assert may_withdraw(new)
    assert withdrawn(new, old)


@pytest.mark.requirement("MEM-12")
@each_of(
    ("new", "old"),
    [
        ("The search page shows 50 rows instead of 20 rows.", "The export of rows takes 20 s."),
        ("The garden pump runs 5 minutes instead of 3 minutes.", "The boiler pump waits 3 minutes."),
        ("Retries wait 5 s instead of 3 s.", "Uploads are split into parts of 3 MB."),
        ("From 10 to 12 the mail server is down.", "The mail server restarts at 10."),
        ("メールサーバーは10時から12時まで停止します。", "メールサーバーは10時に再起動します。"),
        ("We made 12 of 30 rooms ready.", "There are 30 rooms in the hostel."),
        ("Is the return period of books still 10 days, or was it replaced?", "The return period of books is 10 days."),
    ],
)
def test_a_figure_alone_proves_nothing(new: str, old: str) -> None:
    assert withdrawn(new, old) == ""
