"""A sentence does not end behind an abbreviation."""

from __future__ import annotations

import re

import pytest

from holdfast.prose.sentence_ends import ends_abbreviated, rejoined


@pytest.mark.requirement("MEM-16")
@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        (
            "The firewall of St. Anna cuts idle links. We ping.",
            ["The firewall of St. Anna cuts idle links.", "We ping."],
        ),
        ("Ask Dr. Meyer first. Then go.", ["Ask Dr. Meyer first.", "Then go."]),
        ("It breaks on some inputs, e.g. Umlauts. Fixed.", ["It breaks on some inputs, e.g. Umlauts.", "Fixed."]),
        ("J. Smith signs it. Nobody else can.", ["J. Smith signs it.", "Nobody else can."]),
        ("Das gilt z. B. Montags. Sonst nicht.", ["Das gilt z. B. Montags.", "Sonst nicht."]),
        ("It is due on Nov. 12 at noon. Jonas knows.", ["It is due on Nov. 12 at noon.", "Jonas knows."]),
        ("The service is in Go. The client is not.", ["The service is in Go.", "The client is not."]),
        ("We took option B. It is cheaper.", ["We took option B.", "It is cheaper."]),
        ("Falta que St. Anna active la comprobación.", ["Falta que St. Anna active la comprobación."]),
        ("It ends with St.", ["It ends with St."]),
    ],
)
def test_a_sentence_goes_on_behind_an_abbreviation(text: str, sentences: list[str]) -> None:
    assert list(rejoined(re.split(r"(?<=[.!?])\s+", text))) == sentences


@pytest.mark.parametrize(
    "text",
    ["all tests pass.", "it works in CI.", "the DB.", "restart the VM.", "2.", "API.", "260 °C.", "it waits 5 s."],
)
def test_ordinary_words_and_names_in_capitals_end_a_sentence(text: str) -> None:
    assert not ends_abbreviated(text)
