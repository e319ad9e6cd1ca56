"""How checkpoints and what a compaction lost read on a terminal."""

from __future__ import annotations

from typing import Any

from holdfast.layout import moment
from holdfast.rooms.continuity.showing import verbs
from holdfast.times import when

AT = 1_795_000_000_000_000
LINE: dict[str, Any] = {
    "id": "c3fa9c21b",
    "session_id": "s1",
    "time": when(AT),
    "made_at": AT,
    "reason": "threshold",
    "threshold": 70,
    "title": "Round the VAT",
}


def test_a_checkpoint_is_shown_in_the_words_of_the_list_and_without_digests() -> None:
    file = {"path": "a.py", "change": "edited", "sha256": "64053d26", "bytes": 151}
    page = list(verbs.shown(LINE | {"stand": {"files": [file]}}, 80))
    listed = verbs.listed([LINE], 80)[1]
    for word in ("c3fa9c21b", moment(AT), "70 %", "Round the VAT"):
        assert word in listed
        assert any(word in line for line in page)
    assert page[-1] == "  a.py  edited"


def test_a_compaction_was_at_a_time_that_people_read() -> None:
    told = {"time": when(AT), "session_id": "s1", "way": "client", "trigger": "auto", "lost": [], "given_back": ""}
    assert moment(AT) in next(iter(verbs.lost(told, 80)))
