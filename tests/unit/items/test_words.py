"""Short texts about items: ids in both forms, one line, patterns."""

from __future__ import annotations

import pytest

from holdfast.items.words import one_line, pattern, read_id, short_id, urls_named

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
