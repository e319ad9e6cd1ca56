"""What a clause says of a subject: two of one slot exclude each other."""

from __future__ import annotations

import pytest

from holdfast.prose.updates.frames import frames_of, subject_of
from tests.support.table import each_of


@pytest.mark.requirement("MEM-12")
@each_of(
    ("one", "other", "same"),
    [
        ("Scans are kept on the disk", "Scans live in the bucket", True),
        ("Orders are stored in Postgres", "Orders are stored in UTC", False),
        ("Orders are stored in Postgres", "Orders are stored in one transaction", False),
        ("Jobs run in parallel", "Jobs run in the order of the till", True),
        ("Labels are rendered with Pillow", "Labels are rendered with rounded corners", False),
        ("The export is XML", "The export is CSV with semicolons", True),
        ("The page is `vouchers.html`", "The page is PDF", False),
        ("The scheduler is a process", "The scheduler is an hour late", False),
        ("The importer runs on weekdays at 6", "The importer runs on the worker host", False),
    ],
)
def test_two_frames_of_one_slot(one: str, other: str, same: bool) -> None:
    first, second = ({frame.slot for frame in frames_of(clause)} - {("is", "so")} for clause in (one, other))
    assert bool(first & second) is same


@pytest.mark.requirement("MEM-12")
def test_a_subject_without_words_of_any_sentence() -> None:
    assert subject_of("Now all our scans of today") == subject_of("scans of")
