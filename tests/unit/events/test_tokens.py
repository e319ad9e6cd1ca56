"""One estimate of tokens, one length as the client counts it."""

from __future__ import annotations

import pytest

from holdfast.events.tokens import client_length, count_tokens, fit_tokens


@pytest.mark.requirement("CTX-2")
@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("a", 1),
        ("abc", 1),
        ("abcd", 2),
        ("a" * 18, 5),
        ("a" * 19, 6),
        ("漢字", 2),
        ("\ud800", 1),
        ("a" * 3600, 1000),
    ],
)
def test_tokens_are_bytes_over_3_6_rounded_up(text: str, tokens: int) -> None:
    assert count_tokens(text) == tokens
    assert isinstance(count_tokens(text), int)


@pytest.mark.requirement("CTX-2")
@pytest.mark.parametrize("text", ["word " * 50, "漢字仮名" * 40, "👩‍🚀" * 30, "é" * 100])
@pytest.mark.parametrize("budget", [0, 1, 2, 7, 50, 10_000])
def test_what_fits_is_a_start_of_the_text_within_the_budget_and_no_shorter(text: str, budget: int) -> None:
    fitted = fit_tokens(text, budget)
    assert text.startswith(fitted)
    assert count_tokens(fitted) <= budget
    if fitted != text:
        assert count_tokens(text[: len(fitted) + 1]) > budget


@pytest.mark.requirement("EVT-4")
@pytest.mark.parametrize(
    "text",
    ["", "abc", "ü漢\uffff", "😀", "a😀b😀", "👩‍🚀", "\ud800", "\U0010ffff" * 3],
)
def test_the_client_counts_utf_16_units(text: str) -> None:
    assert client_length(text) == len(text.encode("utf-16-le", "surrogatepass")) // 2
