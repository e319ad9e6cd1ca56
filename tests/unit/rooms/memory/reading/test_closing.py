"""Which sentence of the closing words says what came of a turn."""

from __future__ import annotations

import pytest

from holdfast.rooms.memory.reading.closing import best, changed, classify, statements
from holdfast.rooms.memory.reading.sentences import spoken


@pytest.mark.requirement("MEM-16")
@pytest.mark.parametrize(
    ("said", "title"),
    [
        (
            "Done! I've updated the retry logic. The root cause was that `retry` reset its counter on every call.\n\n"
            "Files changed:\n- `src/payments/retry.py`\n- `tests/test_retry.py`\n\nAll 42 tests pass. Let me know!",
            "The root cause was that `retry` reset its counter on every call.",
        ),
        (
            "Fixed. VAT is now rounded half-up per invoice instead of per line.",
            "VAT is now rounded half-up per invoice instead of per line.",
        ),
        (
            "## Summary\nI added a `--json` flag to `export`.\n\n## Next steps\n- The CSV path still needs it.",
            "I added a `--json` flag to `export`.",
        ),
        (
            "**Root cause:** the signature covers the raw body, but Express parsed it.\n\n**Fix:** use `raw()`.",
            "Cause: the signature covers the raw body, but Express parsed it.",
        ),
        (
            "I found the issue. In `parse_date`, the format used %m for minutes. Tests green.",
            "In `parse_date`, the format used %m for minutes.",
        ),
        (
            "The CI is green again. It was flaky because two tests shared port 8080.",
            "The CI is green again. It was flaky because two tests shared port 8080.",
        ),
        (
            "We decided to keep Postgres and drop Redis: ops want one store.",
            "We decided to keep Postgres and drop Redis: ops want one store.",
        ),
        (
            "I tried to push, but the remote rejected it: the branch is protected.",
            "I tried to push, but the remote rejected it: the branch is protected.",
        ),
        (
            "Die Ursache war ein fehlender Index auf orders. Erledigt.",
            "Die Ursache war ein fehlender Index auf orders.",
        ),
        (
            "El problema era que el token caducaba antes de tiempo. Listo.",
            "El problema era que el token caducaba antes de tiempo.",
        ),
        ("原因是缓存键没有包含用户ID。", "原因是缓存键没有包含用户ID。"),
        (
            "All set. Here's what I did:\n- Renamed `Foo` to `Bar`\n- Ran the tests (all pass)",
            "Renamed `Foo` to `Bar`.",
        ),
        (
            "I bumped lodash to 4.17.21, e.g. for CVE-2021-23337.",
            "I bumped lodash to 4.17.21, e.g. for CVE-2021-23337.",
        ),
        ("You're welcome! Is there anything else?", None),
        ("It's 14:32 UTC.", None),
        ("OK.", None),
        ("Done.", None),
        ("Committed and pushed.", None),
        ("Edited src/a.py and src/b.py.", None),
        ("Shall I go ahead? I can also add jitter if you'd like.", None),
        ("Let me check the file first.", None),
        ("Ducks glide on still ponds,\nRipples whisper to the reeds.", None),
        ("Sure, here's the haiku you asked for because ducks:", None),
        ("", None),
    ],
)
def test_what_came_of_it(said: str, title: str | None) -> None:
    found = best(statements(said))
    assert (found.text if found else None) == title


@pytest.mark.requirement("MEM-16")
@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("The docs still need an update.", "open"),
        ("I haven't looked at test_billing yet.", "open"),
        ("It failed because the worker could not open the file.", "finding"),
        ("Want me to change that too?", "question"),
        ("All 42 tests pass.", "check"),
        ("We no longer use Jenkins.", "decision"),
        ("Added a `--json` flag.", "change"),
        ("`src/a.py` (new)", "none"),
        ("Thanks for the hint!", "none"),
    ],
)
def test_what_a_sentence_is(sentence: str, kind: str) -> None:
    assert classify(sentence).kind == kind


@pytest.mark.requirement("SEC-7")
@pytest.mark.parametrize(
    "unit", ["x", "a.b/", "because ", "was never a later ", "**a** ", "- [ ] ", "i found the ", "`"]
)
def test_long_texts_are_read_in_part(unit: str) -> None:
    assert len(statements(unit * (200_000 // len(unit)))) <= 120


@pytest.mark.requirement("MEM-16")
def test_a_check_is_no_finding_and_what_stands_behind_an_admitted_fault_is_its_cause() -> None:
    said = statements(
        "Yes, that was a bug. `pages()` read one page of `list(box)`, and a page has 500 rows.\n\n"
        "### Changes\n- `pages()` follows the cursor\n- a new test, `test_pages`, reads two\n\n"
        "### Verification\n- tried with the biggest box: 900 rows instead of 500"
    )
    top = best(said)
    assert top is not None
    assert top.text == "Cause: `pages()` read one page of `list(box)`, and a page has 500 rows."
    assert [each.kind for each in said] == ["answer", "finding", "change", "change", "check"]
    assert changed(said, top.text) == "Fix: `pages()` follows the cursor."
    assert said[-1].text.startswith("Tried with"), "a point begins as a sentence does"


@pytest.mark.requirement("MEM-16")
def test_ceremony_is_left_out_and_a_sentence_may_begin_with_a_name_of_code() -> None:
    for said, told in (
        ("The key has no locale; tests pass, committed.", ["The key has no locale."]),
        ("lint is clean, committed", []),
        ("go test ./... passes; committed.", []),
        ("xyz build passes, committed.", []),
        ("Here it goes. retry.py keeps one key. total() takes cents.",
         ["Here it goes.", "retry.py keeps one key.", "total() takes cents."]),
        ("The password passes the check now.", ["The password passes the check now."]),
        ("Committed; plant 4 still waits for its file.", ["Plant 4 still waits for its file."]),
    ):  # fmt: skip
        assert spoken(said) == told, said


@pytest.mark.requirement("MEM-16")
def test_what_the_user_said_is_no_result_and_what_was_done_for_it_is() -> None:
    assert classify("You said earlier that we avoid Redis.").kind == "none"
    assert classify("You said earlier that we avoid Redis, so I used a table with `SKIP LOCKED`.").kind != "none"
    assert classify("I did not touch `legacy/`, as you asked.").kind == "none"
