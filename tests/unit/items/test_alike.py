"""Two lines that say the same in other words are one; lines that differ in what matters are two."""

from __future__ import annotations

import pytest

from holdfast.ids import ItemId
from holdfast.items.alike import repeats
from holdfast.items.brief import fit_sections
from holdfast.items.indexed import Section

SAME = [
    (
        "[sd26fed21] agent: parse() copies each field into a String, collects a Vec and clones it: three allocations"
        " per expression. (12 days ago)",
        "[s9b974e89] agent: parse() allocates three times per expression: it copies every field into a String, collects"
        " them, and clones the vector at the end. (asked: Look at the parser (src/parse.rs).) (12 days ago, passed)",
    ),
    (
        "The Kafka consumer commits offsets before the handler returns, so messages are lost.",
        "Messages are lost because the Kafka consumer commits its offsets before the handler returns.",
    ),
    (
        "The certificate of the staging gateway expires on Friday, ops renew it.",
        "The staging gateway's certificate expires on Friday.",
    ),
    (
        "decode() copies each frame into a Buffer, sorts a List and clones it: three allocations per message.",
        "decode() allocates three times per message: it copies every frame into a Buffer, sorts a List and clones it."
        " Borrowed slices would need none of it.",
    ),
    (
        "[s2117ca21] agent: 2018 is not loaded: the file of station 17 for 2018 is truncated after two rows, and the"
        " utility has to send it again. (43 h ago, on branch main)",
        "[s019c6da1] agent: station 17 still waits for its file. (3 days ago)",
    ),
    (
        "[s98b2a2b7] agent: Still open: staging uses the old signing secret, ops must rotate it. (9 days ago)",
        "[sd52cb01a] agent: The rotation of the secret is still with ops. (8 days ago)",
    ),
    ("The DNS entry of the new mail host is not set, the registrar has it.", "The DNS entry is still to be set."),
]
OTHER = [
    ("VAT is rounded half-up per invoice.", "VAT is rounded half-even per line."),
    ("Raw files expire after 90 days now.", "Raw files expire after 730 days now."),
    ("Sessions are kept in Redis.", "Sessions are not kept in Redis."),
    ("Shop sessions are kept in Redis for a day.", "Shop sessions are kept in signed cookies for a day."),
    ("retry.py keeps one idempotency key per payment.", "refund.py keeps one idempotency key per payment."),
    ("The staging deploy failed: migration 0042 is locked.", "The staging deploy failed: migration 0043 is locked."),
    ("The parser accepts a trailing comma in lists.", "The parser accepts a trailing comma in lists, dicts and calls."),
    ("Tests pass.", "Tests pass."),
    ("Sessions are no longer kept in Redis.", "Sessions are still kept in Redis."),
    ("2018 is not loaded: the file of station 17 is cut off.", "Station 18 still waits for its file."),
    ("Station 17 still waits for its file.", "The file of station 17 came, and 2018 is loaded."),
    ("The deploy was tested, no errors.", "The deploy is not tested yet."),
    ("The rate limit is 100 per minute and not configurable.", "Still open: the rate limit."),
    ("The worker is not blocked by the lock any more.", "The worker and the importer wait for the lock."),
]


@pytest.mark.requirement("MEM-19")
def test_the_same_in_other_words_is_known() -> None:
    for one, other in SAME:
        assert repeats(other, [one]), other


@pytest.mark.requirement("MEM-19")
def test_another_number_name_or_denial_makes_two_lines() -> None:
    for one, other in OTHER:
        assert not repeats(other, [one]), other


@pytest.mark.requirement("MEM-19")
def test_a_brief_says_it_once_in_the_words_of_the_heavier_section() -> None:
    [(one, other), *_] = SAME
    text, given = fit_sections(
        [Section("Open:", [(ItemId("1"), one)], weight=2), Section("Work:", [(ItemId("2"), other)])], 400
    )
    assert (one in text, other in text, [each.item_id for each in given]) == (True, False, ["1"])
