"""The parts of an answer as models write it, and what each of them is."""

from __future__ import annotations

import pytest

from holdfast.prose.closing import changed, statements
from holdfast.prose.units import units

ANSWER = """You're right! ✅ Here is what I found.

## What I changed

1. The cache key is `z/x/y` now
2. Old entries are dropped:
   - at the start
   - when the disk is full

```ts
because of this code
```

| File | Change |
|------|--------|
| `src/tiles.ts` | builds the key |
| `test/tiles.test.ts` | new test |

| | Leaflet | MapLibre |
|---|---|---|
| 300 dpi | no | yes |

> Note: the CDN still serves
> old tiles.

- [ ] purge the CDN
- [x] tests
"""


@pytest.mark.requirement("MEM-16")
def test_every_point_row_and_quote_is_a_part_of_its_own() -> None:
    assert [(each.kind, each.text, each.label) for each in units(ANSWER)] == [
        ("paragraph", "You're right! Here is what I found.", ""),
        ("heading", "What I changed", ""),
        ("point", "The cache key is `z/x/y` now", "What I changed"),
        ("point", "Old entries are dropped: at the start; when the disk is full", "What I changed"),
        ("row", "`src/tiles.ts`: builds the key", "Changes"),
        ("quote", "the CDN still serves old tiles.", "Note"),
        ("point", "purge the CDN", "To do"),
        ("point", "tests", "What I changed"),
    ]


@pytest.mark.requirement("MEM-16")
@pytest.mark.requirement("MEM-18")
def test_a_label_says_what_its_words_are() -> None:
    for said, kind, text in (
        ("**Cause:** GPS noise was added up.", "finding", "Cause: GPS noise was added up."),
        ("### Finding\n\nGPS noise was added up.", "finding", "Cause: GPS noise was added up."),
        ("**Actual cause:** a lock, so it hung.", "finding", "A lock, so it hung."),
        ("**Ursache:** Der Index erwartet NFC.", "finding", "Ursache: Der Index erwartet NFC."),
        ("**Cause:** Stripe retries. We took 25 s.", "finding", "Cause: Stripe retries. We took 25 s."),
        ("**Fix:** `key()` normalises names.", "change", "`key()` normalises names."),
        ("**Lösung:**\n1. `key()` normalisiert nach NFC.", "change", "`key()` normalisiert nach NFC."),
        ("**Decision: MapLibre.**\n\nThe reasons:\n* Print needs 300 dpi.", "decision",
         "Decision: MapLibre. Print needs 300 dpi."),
        ("**Tried first, did not help:** I added a retry. It made it worse.", "tried",
         "I added a retry. It made it worse."),
        ("## Not used\nDouglas-Peucker removed summits.", "tried",
         "Tried without success: Douglas-Peucker removed summits."),
        ("**Noch offen:** Der Index wird neu gebaut.", "open", "Noch offen: Der Index wird neu gebaut."),
        ("## Next steps\n- Nothing is left to do for this bug.", "none", "Nothing is left to do for this bug."),
        ("## Next steps\n1. None", "none", "None."),
        ("## Open\n✅ All tests pass", "check", ""),
        ("Committed as `Key tiles by zoom`.", "none", "Committed as `Key tiles by zoom`."),
        ("## Next steps\n- Commit: `abc123`", "none", "Commit: `abc123`."),
        ("Verstanden, kein pandas in diesem Projekt.", "none", "Verstanden, kein pandas in diesem Projekt."),
        ("Got it:\n- Distances are metres.", "none", "Distances are metres."),
        ("TestPages still fails: a page is there twice.", "open", "TestPages still fails: a page is there twice."),
        ("The staging server still runs the old version, I could not deploy there.", "open",
         "The staging server still runs the old version, I could not deploy there."),
        ("Someone with DNS access has to add `tiles2`.", "open", "Someone with DNS access has to add `tiles2`."),
        ("The worker needs a restart.", "open", "The worker needs a restart."),
    ):  # fmt: skip
        found = statements(said)
        if text:
            assert (found[0].kind, found[0].text) == (kind, text), said
        else:
            assert all(each.kind in ("none", "check") for each in found), said


@pytest.mark.requirement("MEM-16")
def test_of_a_list_under_fix_the_first_points_are_what_was_changed() -> None:
    found = statements("**Cause:** a lock.\n\n**Fix:**\n- The key is `z/x/y` now\n- Old entries are dropped")
    assert changed(found, found[0].text) == "The key is `z/x/y` now. Old entries are dropped."


@pytest.mark.requirement("MEM-16")
def test_a_label_that_only_bold_type_marks_is_no_part_of_the_sentence() -> None:
    said = statements("**TL;DR** Offline recognition is good enough for check words.")
    assert [each.text for each in said] == ["Offline recognition is good enough for check words."]
    assert units("**Result** The map zooms at 55 frames.")[0].label == "Result"
    assert units("**What's left.** 40 alarms remain.")[0].label == "What's left"
    assert units("**Update** the parser to read both forms.")[0].text == "Update the parser to read both forms."


@pytest.mark.requirement("MEM-16")
def test_a_list_within_a_line_is_a_list() -> None:
    said = "Search runs on Meilisearch. Two questions: 1. Which fields may guests see? 2. Should drafts be indexed?"
    assert [(each.kind, each.text) for each in units(said)] == [
        ("paragraph", "Search runs on Meilisearch."),
        ("point", "Which fields may guests see?"),
        ("point", "Should drafts be indexed?"),
    ]
    [first, *_] = units("I changed how the importer reads its rows in three ways: 1. It streams. 2. It skips blanks.")
    assert first.text.endswith("three ways:")
    [only] = units("The limit is 3: 1. is the first that passes, and 10. is too late.")
    assert only.kind == "paragraph", "one number makes no list"


@pytest.mark.requirement("SEC-7")
def test_a_line_of_numbers_is_split_once() -> None:
    assert len(units(": 1. a" + " 2. b" * 20_000)) == 20_001
