"""The same text under other rules: known by the words between the marks."""

from __future__ import annotations

import pytest

from holdfast.road.alike import alike


@pytest.mark.requirement("EVT-8")
@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("a plain text", "a plain text", True),
        ("the key is [scrubbed:x] now", "the key is abc123 now", True),
        ("the key is abc123 now", "the key is [scrubbed:x] now", True),
        ("[scrubbed:x] and [scrubbed:y] were here", "one and [scrubbed:y] were here", True),
        ("the key is [scrubbed:x] now", "the key is [scrubbed:other-rule] now", True),
        ("the key is [scrubbed:x] now", "the key was abc123 now", False),
        ("the key is [scrubbed:x]", "the key is abc and the text goes on", True),
        ("[scrubbed:x]", "anything at all", False),
        ("a plain text", "another plain text", False),
        ("", "", True),
        ("now [scrubbed:x] now or never", "now or never", False),
    ],
)
def test_alike(one: str, other: str, same: bool) -> None:
    assert alike(one, other) is same
