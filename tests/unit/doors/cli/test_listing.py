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
    hit = list(listing.hit(LINE, 80, NOW, ("redirects", "LOGIN")))
    assert "\x1b[1mredirect\x1b[0m after" in f"{hit[0]} {hit[1].strip()}", "marked in the title, too"
    assert hit[1].endswith("\x1b[1mlogin\x1b[0m went to the start page.")
    hit = hit[1:]
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


@pytest.mark.requirement("OPS-15")
def test_a_mark_far_behind_is_shown_and_a_title_has_an_end() -> None:
    text = "word " * 40 + "needle at the end"
    shown, marks = listing.window(text, [[200, 206]], 40)
    assert shown.startswith("… word")
    assert [shown[begin:end] for begin, end in marks] == ["needle"]
    assert listing.window("short needle", [[6, 12]], 40) == ("short needle", [[6, 12]])
    assert "\x1b[1mneedle\x1b[0m" in listing.marked(shown, marks, 40)
    titles = [unpainted(line) for line in listing.hit(LINE | {"title": "word " * 100, "snippet": ""}, 80, NOW)]
    assert len(titles) == 3
    assert titles[1].endswith("…")


@pytest.mark.requirement("MEM-9")
@pytest.mark.requirement("MEM-10")
def test_nothing_found_says_what_to_try_and_why_says_where_it_was_shown() -> None:
    told = listing.nothing("zebra", {"kind": "test", "since": "3d", "project": "", "file": ""})
    assert told == (
        "Nothing was found about “zebra”. Try without --kind and --since, or fewer or other words, or `--project all`, "
        "or `holdfast timeline` for the last things."
    )
    assert "--project all" not in listing.nothing("", {"project": "all"})
    brief = {"time": when(NOW), "place": "brief", "about": "", "session": "01a1eaf3-d664", "score": 0.0, "parts": {}}
    recall = brief | {"place": "recall", "score": 0.5, "parts": {"recency": 1.1}}
    lines = list(listing.showings([brief, recall, *[brief] * 12], NOW))
    assert lines[0].endswith("brief, session 01a1eaf3"), "a brief has no score"
    assert lines[1].endswith("recall, session 01a1eaf3, score 0.5 (recency 1.1)")
    assert lines[-1] == "and 4 times before; --json shows all"
    assert listing.worth({"value": 0.8, "because": ["a decision", "tested work"]}) == "0.8: a decision, tested work"
    assert listing.worth(None) == ""
