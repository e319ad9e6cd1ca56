"""A session of several prompts: every part counts, and the later one about the same thing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from holdfast.rooms.memory.model import Observation, SummaryContent
from holdfast.rooms.memory.standing.threads import open_lines
from holdfast.rooms.memory.summaries.by_rules.of_session import HANDED, handed_on
from holdfast.rooms.memory.summaries.by_rules.writing import Work, sum_up
from tests.support.table import each_of
from tests.unit.rooms.memory.made import bash, edit, failed
from tests.unit.rooms.memory.standing.test_threads import ran

CAUSE = "The list was empty because `render()` ran before the first page had arrived."


def whole(*turns: tuple[str, str, tuple[Observation, ...]]) -> SummaryContent:
    """The summary of a session, from (asked, said, observations) of its turns."""
    works = [Work((asked,), observations, said) for asked, said, observations in turns]
    parts = [part for work in works if (part := sum_up(work))]
    every = Work(
        tuple(asked for asked, _, _ in turns), tuple(each for work in works for each in work.observations), turns[-1][1]
    )
    made = sum_up(every, parts)
    assert made is not None
    return replace(made, said="")


@pytest.mark.requirement("MEM-16")
def test_what_a_later_prompt_decided_is_told_and_what_it_replaced_is_not() -> None:
    made = whole(
        ("why is the list empty?", CAUSE, (edit("list.ts"),)),
        ("which page size do others use?", "Most use a page size of 25 or 100, which they call large.", ()),
        ("take the old one", "The page size is 50 now, as in the old client.", (edit("paging.ts", number=2),)),
    )
    told = f"{made.title}\n{made.learned}"
    assert "page size is 50 now" in told
    assert CAUSE in told
    assert "call large" not in made.title
    asked = whole(
        ("2026-03-01T10:00:01Z ERROR pager: timeout\nlook", "I see a timeout.", ()),
        (
            "raise the pager's timeout to 30 s",
            "The pager waits 30 s now, a slow mirror needs 20.",
            (edit("p.ts"),),
        ),
    )
    assert asked.request.startswith("raise the pager's timeout")
    assert "2026" not in asked.request


@pytest.mark.requirement("MEM-17")
def test_why_a_run_failed_is_told_also_when_the_last_answer_is_about_something_else() -> None:
    red = ran(failed("Bash", {"command": "./publish.sh"}, "Exit code 1\nrefused"))
    made = whole(
        ("publish it", "The store refused the upload: only the team lead can issue a new token.", (red,)),
        ("rename the helper in util.ts", "`load` is `read_all` now.", (edit("util.ts", number=2),)),
    )
    assert made.left_open == "The store refused the upload: only the team lead can issue a new token."
    told = whole(
        ("publish it", "The store refused the upload: only the team lead can issue a new token.", (red,)),
        ("thanks. I renewed the token and the lead issued a new one, rename the helper", "Renamed.", (edit("u.ts"),)),
    )
    assert "renewed the token" in told.request


@pytest.mark.requirement("MEM-16")
@pytest.mark.requirement("MEM-31")
def test_what_the_user_said_no_to_is_not_told_and_what_was_found_before_is() -> None:
    drawer = "The drawer stays open for 20 s now, as a float of seconds."
    whole_seconds = "`drawer()` takes whole seconds now, and a test holds it to that."
    files = (edit("till/drawer.ts"),)
    asked = "let the drawer stay open longer"
    told = whole((asked, drawer, files), ("no, never floats. whole seconds", whole_seconds, files))
    assert told.title == whole_seconds
    for then in (
        "and now whole seconds as well",
        "nobody uses floats here, whole seconds please",
        "no problem, now whole seconds as well",
        "no tests yet? add one and take whole seconds",
        "wait, can it take whole seconds, too?",
        "stop the till and let it take whole seconds, too",
        "undo for the drawer would be nice, and whole seconds",
    ):  # no "no"
        assert "20 s" in whole((asked, drawer, files), (then, whole_seconds, files)).title
    other = (edit("web/menu.ts", number=2),)  # it is about something else
    assert (
        "20 s" in whole((asked, drawer, files), ("no menu on Mondays please", "Mondays have no menu now.", other)).title
    )
    cause = "The drawer shut at once because the till counts in milliseconds."
    assert whole((asked, cause, files), ("no, whole seconds", whole_seconds, files)).title.startswith(cause)


@pytest.mark.requirement("MEM-18")
def test_an_open_line_names_whom_the_user_gave_it_to_and_ends_with_the_answer() -> None:
    line = "About 340 lifts have no tag at all. Somebody has to say how a mechanic identifies those."
    turn = SummaryContent(request="open a lift by its tag", title="A tag opens the lift.", left_open=line)
    given = SummaryContent(request="that one's for Ingrid, I'll put it to her", title="Fine.")
    told = handed_on([line], [turn, given])
    assert told == [f"{line}{HANDED}Ingrid"]
    for request, settled in (
        ("Ingrid's answer: where there is no tag they type in the digits of the plate", True),
        ("Ingrid is on holiday till Monday", False),
    ):
        session = replace(turn, left_open=told[0])
        later = SummaryContent(request=request, title="Where a lift has no tag, the app asks for the plate.")
        assert (open_lines(session, (), [later]) == []) is settled, request


@pytest.mark.requirement("MEM-18")
def test_whom_nobody_gave_anything_to_is_not_named() -> None:
    line = "Marek has to answer those with 409."
    turn = SummaryContent(request="find the doubled visits", title="It was the retry.", left_open=line)
    for request in ("told Marek", "told him", "next: the checklists", "ask before you push"):
        assert handed_on([line], [turn, SummaryContent(request=request, title="Fine.")]) == [line], request
    login = "No login yet, it is only reachable inside the house."
    turn = SummaryContent(request="a page for the stock", title="The page is there.", left_open=login)
    other = SummaryContent(request="i ask Femke whether held goods count as on hand", title="Fine.")
    assert handed_on([login], [turn, other]) == [login], "the question was about something else"


@pytest.mark.requirement("MEM-18")
@each_of(
    ("reply", "is_open"),
    [
        ("good point. i ask captain rosa. push it meanwhile", True),
        ("have to ask the ministry about that. push it for now", True),
        ("no, they don't. push it", False),
    ],
)
def test_a_question_that_the_user_puts_to_somebody_is_open_whatever_is_done_meanwhile(
    reply: str, is_open: bool
) -> None:
    asked = "Infants can be booked now.\n\nDo infants count towards the 450 persons of the certificate?"
    made = whole(
        ("babies should be bookable", asked, (edit("capacity.ex"),)),
        (reply, "It is pushed.", (ran(bash("git push origin HEAD:rel", "pushed")),)),
    )
    assert ("Do infants count" in made.left_open) is is_open


@pytest.mark.requirement("MEM-18")
def test_who_asks_somebody_and_tells_of_a_deed_settles_that_deed() -> None:
    left = SummaryContent(request="release", title="Done.", left_open="Ingrid has to merge the pull request.")
    later = SummaryContent(request="i ask him on the call; ingrid merged it (and 1 more)", title="OK.")
    assert open_lines(left, (), [later]) == []
