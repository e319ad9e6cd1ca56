"""The words of an item that answer a search, and where they stand."""

from __future__ import annotations

import pytest

from holdfast.items.snippets import marks, snippet

ASKED = frozenset({"stripe", "signatur"})


@pytest.mark.requirement("MEM-9")
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            "Nothing here. The Stripe signature used the parsed body. Done.",
            "The Stripe signature used the parsed body.",
        ),
        ("No such word.", ""),
        ("", ""),
        ("Stripe first.\nOther.\nThe signature last.", "Stripe first. … The signature last."),
    ],
)
def test_the_telling_sentences_are_shown(text: str, shown: str) -> None:
    assert snippet(text, ASKED, 80) == shown


def test_a_long_sentence_is_shown_around_the_word_and_cut() -> None:
    found = snippet("word " * 40 + "signature " + "more " * 60, ASKED, 80)
    assert found.startswith("… word")
    assert "signature" in found
    assert len(found) <= 80


def test_what_stands_beside_it_already_is_not_repeated() -> None:
    assert snippet("The signature is wrong.", ASKED, 80, beside="Fixed: The signature is wrong.") == ""


def test_words_are_marked_where_they_stand() -> None:
    text = "Signatures of stripe"
    assert [text[begin:end] for begin, end in marks(text, ASKED)] == ["Signatures", "stripe"]
