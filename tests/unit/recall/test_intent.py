"""Which prompts ask for memory, and of which days. The clock and the zone are handed in."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from holdfast.recall.intent import read_intent, without_greeting
from holdfast.recall.time_asked import time_asked
from holdfast.recall.values import END_OF_TIME
from tests.support.table import each_of

TODAY = date(2026, 1, 14)  # a Wednesday
NOON = int(datetime(2026, 1, 14, 12, tzinfo=UTC).timestamp()) * 1_000_000


def days(first: str, after: str) -> tuple[date, date]:
    return date.fromisoformat(first), date.fromisoformat(after)


@pytest.mark.requirement("MEM-22")
@pytest.mark.parametrize(
    "text",
    [
        "stripe hooks fail verification again, what was the cause last time?",
        "did we ever decide on a retry limit?",
        "Didn't we have trouble with large amounts once?",
        "why did we drop the index on account?",
        "what was the cause of the redirect loop",
        "how did you get the migration to run?",
        "have we seen this timeout before?",
        "I thought we were protected against that",
        "remind me how the cache is keyed",
        "was there a reason for the extra account?",
        "where were we with the importer?",
        "how long do we wait until the mail goes out, and who wanted that",
        "whats the reason for that number",
        "and how often is it polled, whats behind the number",
        "support asks which format we send",
        "a grower wants to know: is the valve safe",
        "somebody asks for an export, what do i answer",
        "warum waren die Tests rot?",
        "pourquoi la page était lente ?",
        "¿por qué salían a 0 los lunes?",
        "come mai avevano troppe ferie?",
    ],
)
def test_asks_for_memory(text: str) -> None:
    assert read_intent(text, NOON, UTC).strength == "asks"


@pytest.mark.requirement("MEM-22")
@pytest.mark.parametrize(
    "text",
    ["the login loop is back again", "the importer still rejects the file", "Which rounding do we use for dollars?"],
)
def test_speaks_of_something_that_happened_before(text: str) -> None:
    assert read_intent(text, NOON, UTC).strength == "hint"


@pytest.mark.requirement("MEM-22")
@pytest.mark.parametrize(
    "text",
    ["add a dark theme to the settings page", "thanks!", "deploy it on Monday", "rename this variable to total"],
)
def test_other_prompts_ask_for_nothing(text: str) -> None:
    found = read_intent(text, NOON, UTC)
    assert (found.strength, found.has_time, found.overview) == ("", False, False)


@pytest.mark.requirement("MEM-22")
@pytest.mark.parametrize("day", ["9999-12-31", "0001-01-01", "1969-12-31", "2026-13-45", "0000-00-00"])
def test_a_day_that_no_clock_counts_is_no_time(day: str) -> None:
    found = read_intent(f"{day} what did we do?", NOON, None)
    assert (found.strength, found.has_time) == ("asks", False)


@pytest.mark.requirement("MEM-22")
@each_of(
    ("text", "first", "after"),
    [
        ("what did we do yesterday?", "2026-01-13", "2026-01-14"),
        ("the day before yesterday we changed the parser, why?", "2026-01-12", "2026-01-13"),
        ("what did we do today?", "2026-01-14", "2026-01-15"),
        ("what happened last week", "2026-01-05", "2026-01-12"),
        ("what did we finish this week?", "2026-01-12", "2026-01-19"),
        ("what did we change on Monday?", "2026-01-12", "2026-01-13"),
        ("what did you do on Wednesday?", "2026-01-07", "2026-01-08"),
        ("what did we do before the holidays?", "2025-11-19", "2025-12-25"),
        ("what was open before the weekend?", "2026-01-05", "2026-01-10"),
        ("what broke last month?", "2025-12-01", "2026-01-01"),
        ("what did we decide two days ago?", "2026-01-12", "2026-01-13"),
        ("what did we decide in November?", "2025-11-01", "2025-12-01"),
        ("what did we decide on 2025-12-03?", "2025-12-03", "2025-12-04"),
        ("what did we decide on December 3rd?", "2025-12-03", "2025-12-04"),
        ("what did we do on the 3rd of December?", "2025-12-03", "2025-12-04"),
        ("what did we do in the last 3 days?", "2026-01-11", "2026-01-15"),
    ],
)
def test_days_that_are_asked_for(text: str, first: str, after: str) -> None:
    assert time_asked(text, TODAY)[0] == days(first, after)
    assert read_intent(text, NOON, UTC).strength == "asks"


@pytest.mark.requirement("MEM-22")
def test_a_day_is_a_day_of_the_user() -> None:
    east = timezone(timedelta(hours=9))
    late = int(datetime(2026, 1, 14, 20, tzinfo=UTC).timestamp()) * 1_000_000  # the 15th there
    found = read_intent("what did we do yesterday?", late, east)
    assert datetime.fromtimestamp(found.since / 1_000_000, east) == datetime(2026, 1, 14, tzinfo=east)
    assert datetime.fromtimestamp(found.until / 1_000_000, east) == datetime(2026, 1, 15, tzinfo=east)
    assert found.overview


@pytest.mark.requirement("MEM-22")
def test_no_time_is_the_whole_of_time_and_the_future_is_never_asked_for() -> None:
    assert read_intent("why did we do that?", NOON, UTC).until == END_OF_TIME
    assert read_intent("what did we do today?", NOON, UTC).until == NOON


@pytest.mark.requirement("MEM-22")
@pytest.mark.parametrize(
    ("text", "many"), [("list all the times we changed it", True), ("why did we change it?", False)]
)
def test_more_than_a_few_items_only_when_asked_for(text: str, many: bool) -> None:
    assert read_intent(text, NOON, UTC).many is many


@pytest.mark.requirement("MEM-22")
@pytest.mark.parametrize(
    "text", ["again " * 50_000, "what did " * 50_000, "1 " * 100_000, "the day before " * 20_000, "what we " * 30_000]
)
def test_a_long_prompt_is_read_in_a_bounded_part(text: str) -> None:
    assert read_intent(text, NOON, UTC) == read_intent(text + text, NOON, UTC), "what stands far behind is not read"


@pytest.mark.requirement("MEM-22")
def test_a_long_prompt_asks_for_memory_only_where_it_asks() -> None:
    told = "I have been at this since yesterday. " + "Keep the interface as it is and write the tests first. " * 4
    assert read_intent(f"{told} Tell me what you changed and why it was needed.", NOON, UTC).strength == ""
    assert read_intent(f"{told} Did we ever decide on a retry limit?", NOON, UTC).strength == "asks"


@pytest.mark.requirement("MEM-22")
def test_the_time_of_a_fault_that_is_told_is_no_time_that_is_asked_for() -> None:
    for text, strength, has_time in (
        ("the importer hung again last night, should we retry the read?", "asks", False),
        ("the build broke yesterday, any idea?", "", False),
        ("yesterday we changed the parser, why?", "asks", True),
        ("the build broke, what did we do yesterday?", "asks", True),
        ("the build broke yesterday, what did we change?", "asks", True),
    ):
        found = read_intent(text, NOON, UTC)
        assert (found.strength, found.has_time) == (strength, has_time), text


def test_a_date_that_does_not_exist_is_no_time() -> None:
    assert time_asked("what about February 31?", TODAY)[0] is None


@pytest.mark.requirement("MEM-22")
def test_a_question_is_told_from_an_order() -> None:
    for prompt, asks in (
        ("where do the 4096 come from? raise them", True),
        ("is that known (on 0.2)?", True),
        ("remind me how the cache is keyed", True),
        # many leave the mark out, or ask in a later clause
        ("what caused the double bookings", True),
        ("the tax service was out last night. what do those customers get charged", True),
        ("a new colleague wants the map library 5, whats the story there", True),
        ("auf wen warten wir jetzt noch", True),
        ("add a dark theme", False),
        ("add a button, which is blue", False),
        ("rename the constant, what i want is one name", False),
        ("GET /users?page=2 answers 500", False),
        ("", False),
    ):
        assert read_intent(prompt, NOON, UTC).question is asks, prompt


@pytest.mark.requirement("MEM-22")
def test_a_greeting_before_the_question_is_not_searched_for() -> None:
    for prompt, asked in (
        ("I am back. Do devices send summer time?", "Do devices send summer time?"),
        ("Good morning! Hi there. Where is the lock?", "Where is the lock?"),
        ("Thanks.", "Thanks."),
        ("Great circles are computed how?", "Great circles are computed how?"),
    ):
        assert without_greeting(prompt) == asked


@pytest.mark.requirement("MEM-22")
@each_of(
    "text",
    [
        "what changed since last tuesday",
        "anything we finished last night?",
        "what did I ask you to do two days ago",
        "which bugs did we fix in december?",
        "what did we do a fortnight ago?",
    ],
)
def test_a_time_without_a_subject_asks_what_was_done_then(text: str) -> None:
    found = read_intent(text, NOON, UTC)
    assert (found.strength, found.has_time, found.overview) == ("asks", True, True)


@pytest.mark.requirement("MEM-22")
def test_a_question_in_the_past_asks_and_a_changed_value_hints() -> None:
    for text in ("was that our bug? and did people get their money", "did the supplier ever send the new pinout?"):
        assert read_intent(text, NOON, UTC).strength == "asks", text
    assert read_intent("on call to 6 instead of 4", NOON, UTC).strength == "hint"


@pytest.mark.requirement("MEM-22")
def test_a_question_about_what_is_ours_is_told_from_a_wish_and_from_a_general_one() -> None:
    for prompt, ours in (
        ("by which formula do we calculate?", True),
        ("why does our planner refuse that path", True),
        ("spricht bei uns was dagegen?", True),
        ("how do I sort a dict by its values?", False),
        ("people log in twice. can we warn them?", False),
        ("add the thing that we need", False),
    ):
        assert read_intent(prompt, NOON, UTC).ours is ours, prompt


def test_a_question_needs_no_mark_where_its_sentence_begins_as_one() -> None:
    for text in ("and why steps, not a curve", "which scale was it that drifted", "ok. how often do they report"):
        assert read_intent(text, NOON, UTC).question, text
    for text in ("show how many rows there are", "add a flag which says who wins", "how do I move a pane in tmux"):
        assert not read_intent(text, NOON, UTC).question, text


@pytest.mark.requirement("MEM-22")
def test_a_weekday_may_be_that_of_the_week_before() -> None:
    before = read_intent("what did we do on monday?", NOON, UTC).before
    assert before is not None
    assert [datetime.fromtimestamp(at / 1_000_000, UTC).date() for at in before] == [date(2026, 1, 5), date(2026, 1, 6)]
    assert read_intent("what did we do yesterday?", NOON, UTC).before is None
    assert read_intent("what did we do since monday?", NOON, UTC).before is None
