"""One estimate of tokens, one length as the client counts it."""

from __future__ import annotations

import pytest

from holdfast.events.tokens import client_length, count_tokens, fit_tokens
from tests.support.table import each_of


@pytest.mark.requirement("CTX-2")
@pytest.mark.parametrize(
    ("text", "real"),
    [
        ("", 0),
        ("The cause was a stale entry, because the cleanup ran before the commit.", 15),
        ('{"session_id": "3fa9c21b-7d01", "cwd": "/home/dev/project", "ok": true}', 32),
        ("def login(user: str) -> None:\n    clear_cookie(user)\n", 18),
        ("2026-11-15 23:22:01,310 ERROR worker[412] timed out after 30.0 s", 25),
        ("过期的会话没有被清除，所以用户被反复重定向。", 19),
        ("\ud800", 1),
    ],
)
def test_an_estimate_is_near_the_published_tokenizer(text: str, real: int) -> None:
    """`real` was counted by it; `bench.tokens` does so for whole collections of texts."""
    assert abs(count_tokens(text) - real) <= max(2, 0.25 * real)
    assert isinstance(count_tokens(text), int)


@pytest.mark.requirement("CTX-2")
@pytest.mark.parametrize("run", ["a", "A", "7", "=", " ", "字"])
def test_nothing_is_free_because_it_is_one_long_run(run: str) -> None:
    assert count_tokens(run * 4_000) >= 4_000 / 40


@pytest.mark.requirement("CTX-2")
@each_of("text", ["word " * 50, "漢字仮名" * 40, "👩‍🚀" * 30, "é" * 100, "a" * 900, "HTTPServer_v2 = {}\n\n" * 30])
@each_of("budget", [-1, 0, 1, 2, 7, 50, 10_000])
def test_what_fits_is_a_start_of_the_text_within_the_budget_and_no_shorter(text: str, budget: int) -> None:
    fitted = fit_tokens(text, budget)
    assert text.startswith(fitted)
    assert count_tokens(fitted) <= max(0, budget)
    if fitted != text:
        assert count_tokens(text[: len(fitted) + 1]) > budget


@pytest.mark.requirement("EVT-4")
@pytest.mark.parametrize(
    "text",
    ["", "abc", "ü漢\uffff", "😀", "a😀b😀", "👩‍🚀", "\ud800", "\U0010ffff" * 3],
)
def test_the_client_counts_utf_16_units(text: str) -> None:
    assert client_length(text) == len(text.encode("utf-16-le", "surrogatepass")) // 2
