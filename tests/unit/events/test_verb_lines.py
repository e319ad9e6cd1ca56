"""What verbs of several rooms say alike."""

from __future__ import annotations

import re

import pytest

from holdfast.events.verb_lines import kept_as, none_found
from holdfast.program import ROOMS


@pytest.mark.requirement("HSE-9")
def test_an_empty_list_is_told_in_the_same_two_sentences_by_every_room() -> None:
    told = {tool.verb.words: tool.verb.empty for room in ROOMS for tool in room.tools if tool.verb and tool.verb.empty}
    assert len(told) > 10
    assert {words: empty for words, empty in told.items() if not re.match(r"There is no [^.]+\. \S.+\.$", empty)} == {}


def test_their_words() -> None:
    assert none_found("page", "A WebFetch keeps one.") == "There is no page. A WebFetch keeps one."
    assert list(kept_as({"id": "n123", "text": "other fields"}, 80)) == ["Kept as n123."]
