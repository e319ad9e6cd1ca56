"""Short texts about items: ids in both forms, one line, patterns."""

from __future__ import annotations

import pytest

from holdfast.events.tokens import count_tokens
from holdfast.items.words import DEAREST_ID, line_tokens, pattern, read_id, short_id, urls_named
from holdfast.prose.one_line import one_line

FULL = "01900000-0000-7000-8000-00003fa9c21b"


@pytest.mark.requirement("MEM-9")
@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("o3fa9c21b", ("o", "3fa9c21b")),
        ("[M3FA9C21B]", ("m", "3fa9c21b")),
        ("3fa9c21b", ("", "3fa9c21b")),
        ("a3fa9c21b", ("a", "3fa9c21b")),
        (FULL, ("", FULL)),
        ("3fa9c21", None),
        ("o3fa9c21bb", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_ids_in_both_forms(text: str, read: tuple[str, str] | None) -> None:
    assert read_id(text) == read


def test_a_short_id_leads_back() -> None:
    assert read_id(short_id("m", FULL)) == ("m", FULL[-8:])


def test_titles_are_cut_at_a_word() -> None:
    cut = one_line("word " * 100, 50)
    assert len(cut) <= 50
    assert cut.endswith("word…")
    assert one_line("a\n  b\tc") == "a b c"


def test_a_pattern_takes_its_own_marks_for_text() -> None:
    assert pattern("50%_!") == "%50!%!_!!%"
    assert pattern("Über") == "%_ber%"


def test_the_pages_that_a_text_names() -> None:
    assert urls_named("See https://a.example/x#top, and (https://b.example).") == (
        "https://a.example/x#top",
        "https://a.example/x",
        "https://b.example",
    )


@pytest.mark.requirement("MEM-19")
def test_what_a_line_costs_does_not_depend_on_its_random_id() -> None:
    ids = ("00000000", "3fa9c21b", "a1b2c3d4", "deadbeef", "12345678")
    assert len({line_tokens(f"[s{each}] agent: Amounts are integer cents. (1 day ago)") for each in ids}) == 1
    assert all(count_tokens(f"[s{each}]") <= DEAREST_ID for each in ids)
    assert line_tokens("Open threads:") == count_tokens("Open threads:")
