"""What the user says to be open still is open, in the user's words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from holdfast.ids import ConversationId, ItemId
from holdfast.items.words import mark_of
from holdfast.rooms.memory.model import Summary, SummaryContent
from holdfast.rooms.memory.standing.threads import open_threads
from holdfast.rooms.memory.standing.told_still import told_still
from tests.unit.rooms.memory.made import summary

_RESTART = "Jonas has to put a restart of the router after the nightly import."
_STILL = "the router restart after the import is still on his list, he waits for the new host"


def session(
    number: int,
    request: str,
    files: tuple[str, ...] = (),
    *,
    talk: int = 0,
    title: str = "Done.",
    left_open: str = "",
    done: str = "",
) -> Summary:
    made = replace(summary("", number), id=ItemId(f"s{number}"), conversation=ConversationId(f"c{talk or number}"))
    told = SummaryContent(request=request, title=title, left_open=left_open, done=done, files=files)
    return replace(made, content=told, level="turn", subject=f"turn:{number}")


def lines(*summaries: Summary, done: frozenset[tuple[str, str]] = frozenset()) -> list[str]:
    return [thread.line for _, thread in open_threads(summaries, done)]


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


@pytest.mark.requirement("MEM-18")
def test_what_the_prompt_wants_done_is_over_when_the_agent_has_done_it() -> None:
    left = session(1, "what fails on CI?", left_open="The checkout test is flaky on CI because of the clock.")
    assert lines(left)
    fault = "The checkout test from yesterday is still flaky on CI, the clock jumps at midnight."
    fixed = "The checkout test is deterministic on CI now: it has a clock of its own."
    for request in (f"{fault} Make it deterministic.", fault, "Make it deterministic."):
        done = session(2, request, ("tests/test_checkout.py",), title=fixed, done="Committed: A clock for the checkout")
        assert lines(left, done) == [], request


@pytest.mark.requirement("MEM-18")
def test_what_the_agent_did_in_the_same_turn_or_after_it_counts() -> None:
    entry, title = "The changelog entry for 4.2 is missing.", "The changelog has the entry for 4.2 now."
    left, still = (
        session(1, "bump it", left_open=entry),
        "the changelog entry for 4.2 is still missing in our repository",
    )
    written = session(2, still, ("CHANGELOG.md",), title=title, done="Committed: The changelog entry for 4.2")
    assert lines(left, session(2, still)) != []
    assert lines(left, written) == []
    assert lines(left, session(2, still, ("docs/hosts.md",), title="The manual names the new host.")) != []
    assert lines(left, session(2, still), replace(written, id=ItemId("s3"), happened_at=written.happened_at + 1)) == []


@pytest.mark.requirement("MEM-18")
def test_what_the_user_says_later_in_the_same_conversation_counts() -> None:
    left = session(1, "why is it down", left_open=_RESTART)
    after = session(3, "jonas has put the restart of the router in, it is done", talk=2)
    assert lines(left, session(2, _STILL), after) == []
    assert lines(left, session(2, _STILL), session(3, "thanks, the header is fine", talk=2)) != []


@pytest.mark.requirement("MEM-18")
def test_somebody_declares_it_done() -> None:
    left, still = session(1, "why is it down", left_open=_RESTART), session(2, f"great. {_STILL}")
    ((whose, thread),) = open_threads([left, still], frozenset())
    assert (whose.id, whose.happened_at) == (left.id, still.happened_at), "what left it can be declared done"
    assert _RESTART in whose.content.left_open.splitlines()
    for mark in (mark_of(_RESTART), mark_of(thread.line), ""):
        assert lines(left, still, done=frozenset({(whose.subject, mark)})) == []
    assert lines(left, still, done=frozenset({(still.subject, mark_of(thread.line))})) == []
