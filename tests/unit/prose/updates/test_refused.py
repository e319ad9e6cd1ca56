"""What the user does not want is known by the words before or behind it."""

from __future__ import annotations

import pytest

from holdfast.prose.updates.refused import answers, refused
from holdfast.recall.tokens import terms


@pytest.mark.requirement("MEM-18")
@pytest.mark.parametrize(
    ("said", "what"),
    [
        ("forget the load test", "load test"),
        ("ok, never mind the glossary, we drop it", "glossary"),
        ("leave the webhook sender alone for now", "webhook sender"),
        ("nah, the other notebooks are fine as they are", "notebooks"),
        ("the cron jobs can stay", "cron jobs"),
        ("we don't need the CSV export", "csv export"),
        ("Lasttest brauchen wir nicht mehr", "lasttest"),
        ("vergiss die Statistik", "statistik"),
        ("pas besoin de traduction", "traduction"),
        ("olvida el informe", "informe"),
    ],
)
def test_a_refusal_names_what_nobody_wants(said: str, what: str) -> None:
    [words] = refused(said)
    assert words & frozenset(terms(what)) or words & {"report"}


@pytest.mark.requirement("MEM-18")
@pytest.mark.parametrize(
    "said",
    ["run the load test", "should we skip the load test?", "leave a comment in the parser", "drop the old column"],
)
def test_an_order_and_a_question_refuse_nothing(said: str) -> None:
    assert refused(said) == ()
    assert not answers(said)


@pytest.mark.requirement("MEM-18")
def test_yes_and_not_now_answer_without_words_in_several_languages() -> None:
    for said in (
        "not now",
        "no thanks",
        "Later, please",
        "nein danke",
        "jetzt nicht",
        "pas maintenant",
        "ahora no",
        "no",
    ):
        assert answers(said), said
    for said in ("now", "notice the gap", "later versions fail", "no index is there"):
        assert not answers(said), said
