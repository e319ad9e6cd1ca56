"""What an import from Claude Code's transcripts says when it is done."""

from __future__ import annotations

from holdfast.doors.cli.verbs.take import taken


def test_one_is_not_said_as_several() -> None:
    assert taken(1, 1) == "Took over 1 event: 1 transcript was read. Search finds all of it in a moment."
    assert taken(40, 3) == "Took over 40 events: 3 transcripts were read. Search finds all of it in a moment."
    assert taken(0, 3) == "Took over 0 events: 3 transcripts were read."
