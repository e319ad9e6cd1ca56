"""How items read on a terminal: in columns where there is room, below each other where there is none."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.doors.cli import listing
from holdfast.layout import ago, fill, local, many, unpainted
from holdfast.times import DAY_US, HOUR_US, when

NOW = 1_795_000_000_000_000
LINE: dict[str, Any] = {
    "id": "o3fa9c21b",
    "title": "The session lost `next` when it was renewed, so the redirect after login went to the start page.",
    "kind": "test",
    "project": "website",
    "time": when(NOW - 3 * HOUR_US),
    "outcome": "failed",
    "snippet": "… after login the redirect goes to the start page …",
    "marks": [[8, 13], [18, 26]],
    "same_work": ["p1", "o2"],
}


@pytest.mark.requirement("OPS-15")
def test_every_width_is_kept_and_a_hit_has_its_words_marked() -> None:
    other = LINE | {"id": "m00000001", "project": "shop", "superseded_by": "", "time": when(NOW - 90 * DAY_US)}
    for width in (30, 40, 60, 80, 200):
        shown = [
            *listing.hit(LINE, width, NOW),
            *listing.rows([LINE, other], width, NOW),
            *listing.fields({"title": LINE["title"], "time": LINE["time"], "tags": ["a", "b"]}, width, NOW),
        ]
        assert max(len(unpainted(line)) for line in shown) <= width, width
    hit = list(listing.hit(LINE, 80, NOW))
    assert unpainted(hit[1]).strip() == "3 h ago, test, failed, website, +2 of the same work"
    assert hit[2].strip() == "… after \x1b[1mlogin\x1b[0m the \x1b[1mredirect\x1b[0m goes to the start page …"
    first, second = (unpainted(line) for line in listing.rows([LINE, other], 120, NOW))
    assert first.startswith("o3fa9c21b  3 h ago     test failed             website: The session")
    assert "  shop: The session" in second
    assert "superseded" in second


@pytest.mark.requirement("OPS-15")
def test_moments_are_told_by_the_users_clock() -> None:
    assert ago(when(NOW - 30_000_000), NOW) == "just now"
    assert ago(when(NOW - 90 * DAY_US), NOW)[:2] == "20", "after two months the day says more"
    assert ago("no time", NOW) == "no time"
    assert local(when(NOW - 5 * DAY_US), NOW).endswith("(5 days ago)")
    assert [many(count, "turn") for count in (0, 1, 2)] == ["0 turns", "1 turn", "2 turns"]


def test_a_word_is_never_divided() -> None:
    path = "/a/very/long/path/that/somebody/wants/to/copy"
    assert fill(f"It is at {path} now.", 20, "! ", "  ") == ["! It is at", f"  {path}", "  now."]
    assert fill("\x1b[31mred words here\x1b[0m", 14) == ["\x1b[31mred words here\x1b[0m"], "colours take no room"
    assert fill("", 20, "x ") == ["x"]
