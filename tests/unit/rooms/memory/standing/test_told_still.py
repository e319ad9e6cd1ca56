"""What the user says to be open still is open, in the user's words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from holdfast.ids import ConversationId, ItemId
from holdfast.rooms.memory.model import Summary, SummaryContent
from holdfast.rooms.memory.standing.threads import open_threads
from holdfast.rooms.memory.standing.told_still import told_still
from tests.unit.rooms.memory.made import summary

_RESTART = "Jonas has to put a restart of the router after the nightly import."
_STILL = "the router restart after the import is still on his list, he waits for the new host"


def session(number: int, request: str, **content: str) -> Summary:
    made = replace(summary("", number), id=ItemId(f"s{number}"), conversation=ConversationId(f"c{number}"))
    told = SummaryContent(request=request, title=content.get("title", "Done."), left_open=content.get("left_open", ""))
    return replace(made, content=told, level="turn", subject=f"turn:{number}")


def lines(*summaries: Summary) -> list[str]:
    return [thread.line for _, thread in open_threads(summaries, frozenset())]


@pytest.mark.requirement("MEM-18")
def test_the_users_newest_words_stand_in_the_place_of_the_agents() -> None:
    left = session(1, "why is it down", left_open=_RESTART)
    assert lines(left) == [_RESTART]
    assert lines(left, session(2, f"great. {_STILL}")) == [f"The user said: “{_STILL}”"]


@pytest.mark.requirement("MEM-18")
def test_it_is_open_although_the_same_prompt_tells_another_deed_of_the_same_person() -> None:
    left = session(1, "why is it down", left_open=_RESTART)
    assert lines(left, session(2, f"jonas ran the migration after the import. {_STILL}")) == [
        f"The user said: “{_STILL}”"
    ]


@pytest.mark.requirement("MEM-18")
def test_it_is_over_when_later_work_says_so() -> None:
    left, still = session(1, "why is it down", left_open=_RESTART), session(2, _STILL)
    assert lines(left, still, session(3, "jonas has put the restart of the router in, it is done")) == []


@pytest.mark.requirement("MEM-18")
def test_what_the_user_says_of_another_matter_changes_nothing() -> None:
    left = session(1, "why is it down", left_open=_RESTART)
    assert lines(left, session(2, "the invoices of march are still with legal")) == [_RESTART]
    assert told_still([left], []) == []
