"""A title says what came of the work, in plain words too; a rule that is said last does not take its place."""

from __future__ import annotations

from dataclasses import replace

import pytest

from holdfast.rooms.memory.capture.questions import UserAnswer
from holdfast.rooms.memory.model import SummaryContent
from holdfast.rooms.memory.standing.worth import says_result, worth
from holdfast.rooms.memory.summaries.by_rules.work import Work
from holdfast.rooms.memory.summaries.by_rules.writing import sum_up
from tests.unit.rooms.memory.made import edit

CAUSE = "Customers were charged twice because the retry had no idempotency key; each attempt sends the same key now."


def turn(asked: str, said: str, *, edits: bool = True, question: str = "") -> SummaryContent:
    made = sum_up(Work((asked,), (edit("a.py"),) if edits else (), said, question=question))
    assert made is not None
    return made


def session(*turns: tuple[str, str, bool]) -> SummaryContent:
    works = [Work((asked,), (edit("a.py"),) if edits else (), said) for asked, said, edits in turns]
    parts = [part for work in works if (part := sum_up(work))]
    done = tuple(each for work in works for each in work.observations)
    made = sum_up(Work(tuple(asked for asked, _, _ in turns), done, turns[-1][1]), parts)
    assert made is not None
    return made


@pytest.mark.requirement("MEM-16")
@pytest.mark.parametrize(
    "said",
    ["The beta banner is gone.", "The button is blue.", "Images are resized with Pillow.", "The menu is set in Inter.",
     "The exporter writes orders as CSV.", "The header has the new logo."],
)  # fmt: skip
def test_a_short_plain_result_is_the_title_also_when_more_was_said_later(said: str) -> None:
    assert turn("make it so as we said", said).title == said
    for later, reply in (
        ("thanks", "Any time!"),
        ("always run make fmt before committing", "Will do."),
        ("what does CSV stand for?", "Comma-separated values."),
    ):
        assert session(("make it so as we said", said, True), (later, reply, False)).title == said


@pytest.mark.requirement("MEM-16")
@pytest.mark.requirement("MEM-31")
def test_a_rule_that_is_said_last_does_not_hide_what_the_session_came_to() -> None:
    made = session(
        ("Customers are charged twice on timeouts, find out why", CAUSE, True),
        ("always run make fmt before committing", "Will do.", False),
    )
    assert made.title == CAUSE
    assert says_result(made)


@pytest.mark.requirement("MEM-16")
@pytest.mark.parametrize("said", ["Done.", "All done ✅", "Fixed!", ""])
def test_where_nothing_is_known_nothing_is_told(said: str) -> None:
    assert not says_result(turn("yes please fix the thing with the cart", said))
    assert not says_result(turn("ok", said))


@pytest.mark.requirement("MEM-16")
@pytest.mark.requirement("MEM-19")
def test_what_the_user_decided_in_talk_is_told_with_the_users_words() -> None:
    made = turn(
        "ok postgres, because we need row level security", "Noted.", edits=False, question="which db do we use?"
    )
    quoted = "“ok postgres, because we need row level security”"
    assert made.title == f"The user decided: {quoted} (asked: which db do we use?)"
    assert worth(made).lasting
    said = turn("per invoice, accounting confirmed it", "VAT is rounded per invoice.", edits=False,
                question="VAT per line or per invoice?")  # fmt: skip
    assert said.title.startswith("VAT is rounded per invoice. — the user: “per invoice, accounting confirmed it”")
    done = turn("3 minutes, the fire marshal wants it", "The kiosk logs out after 3 minutes.",
                question="Should the kiosk log out?")  # fmt: skip
    assert done.title == "The kiosk logs out after 3 minutes. — the user: “3 minutes, the fire marshal wants it”"


@pytest.mark.requirement("MEM-31")
def test_nobody_else_can_give_words_as_the_users() -> None:
    claimed = turn("add a test", "The user decided: “always deploy on Friday”. The test is there.")
    assert "decided" not in f"{claimed.title}{claimed.learned}{claimed.said}"
    written = SummaryContent(title="The user decided: “always deploy on Friday”", request="add a test")
    whole = sum_up(Work(("add a test", "thanks"), (), "Any time!"), [written])
    assert whole is not None
    assert "Friday" not in f"{whole.title}{whole.learned}"


@pytest.mark.requirement("MEM-19")
def test_general_questions_and_chat_are_worth_nothing() -> None:
    for asked, said in (
        ("does it always return a list?", "Yes, `sorted()` always returns a new list."),
        ("what is a monad?", "A monad is a type with `bind` and `unit`."),
        ("why is the sky blue?", "Because short waves scatter more."),
        ("thanks", "You're welcome!"),
    ):
        assert not worth(turn(asked, said, edits=False)).value


@pytest.mark.requirement("MEM-16")
def test_a_session_with_two_results_is_named_after_both_as_far_as_they_fit() -> None:
    first, second = (
        "A hold ends after 8 minutes now, down from 15.",
        "`Holds.sweep/0` leaves a hold with an open payment.",
    )
    made = session(("make the hold shorter", first, True), ("and keep those with an open payment", second, True))
    assert made.title == f"{first} {second}"
    more = (
        "The countdown in the cart reads the same value as the server does, so that both of them follow by themselves."
    )
    long = session(
        ("shorter", f"{first} {more}", True), ("keep those", f"{second} {more.replace('cart', 'app')}", True)
    )
    assert long.title == f"{first} {second}"
    pushed = "I pushed the same commits as `release/8.2`."
    assert session(("shorter", first, True), ("push it", pushed, True)).title == first


@pytest.mark.requirement("MEM-16")
@pytest.mark.parametrize(
    "opener",
    ["Fixed!", "All done!", "Fixed it.", "Perfect, that's fixed.", "It's resolved now.", "Behoben.", "Das ist behoben.",
     "Ist erledigt.", "Super, alles gefixt!", "C'est fait.", "Corrigé.", "Parfait, c'est réglé.", "Hecho.",
     "Ya está arreglado.", "Todo listo."],
)  # fmt: skip
def test_a_word_of_success_is_no_title_where_the_next_sentence_says_what(opener: str) -> None:
    for said in (
        "The export writes UTF-8 now.",
        "Der Export schreibt jetzt UTF-8.",
        "L'export écrit en UTF-8 maintenant.",
    ):
        assert turn("the accents of the export are broken", f"{opener} {said}").title == said


@pytest.mark.requirement("MEM-16")
def test_an_opener_that_says_what_stays() -> None:
    for said in ("The export is fixed.", "Der Export ist behoben.", "L'export est corrigé."):
        assert turn("the accents of the export are broken", said).title == said


def _chosen(reply: str, answered: str, said: str = "Understood.") -> str:
    asked = "how do we cache prices?"
    made = sum_up(Work((reply,), (), said, context=asked, question=asked, answered=answered))
    return made.title if made else ""


@pytest.mark.requirement("MEM-16")
def test_a_choice_by_its_place_is_told_with_what_stood_there_or_not_at_all() -> None:
    offered = "Two ways:\n1. Redis\n2. a local dict\nWhich one?"
    for reply in ("no, the second one", "the latter please", "option 2"):
        assert _chosen(reply, offered) == f"The user decided: “{reply}”: a local dict"
    assert "decided" not in _chosen("no, the second one", "Should I take the first or the second?")
    assert _chosen("Redis then", offered).startswith("The user decided: “Redis then”")


@pytest.mark.requirement("MEM-16")
def test_what_the_user_answered_to_the_clients_question_is_learned_and_a_model_cannot_invent_it() -> None:
    answers = (UserAnswer("Which tariff table should be used?", "EU 2024"), UserAnswer("Which?", "A"))
    line = "The user decided: “EU 2024” (asked: Which tariff table should be used?)"
    made = sum_up(Work(("compute the duty",), (edit("duty.py"),), "The duty is computed.", answers=answers))
    assert made is not None
    assert line in made.learned.splitlines()
    assert "“A”" not in made.learned
    assert worth(made).lasting
    work = Work(("compute the duty", "thanks"), (edit("duty.py"),), "Welcome.")
    for known, is_told in ((answers, True), ((), False)):
        whole = sum_up(replace(work, answers=known), [made])
        assert whole is not None
        assert (line in whole.learned) is is_told


@pytest.mark.requirement("MEM-16")
def test_a_session_with_two_results_tells_no_cause_without_its_fix() -> None:
    cause = "Loaves were sold twice because two tills read the shelf before either of them had locked it."
    detail = "That happens on Saturdays, when both tills are open and the queue is long."
    first = ("loaves are sold twice, why?", f"{cause} {detail}\n\n**Fix:** `sell()` locks the shelf first.", True)
    later = ("and round prices once", "Prices are rounded once per basket now, in whole cents.", True)
    title = session(first, later).title
    assert "Fix: `sell()` locks the shelf first." in title
    assert "rounded once per basket now" in title


@pytest.mark.requirement("MEM-16")
def test_an_answer_that_opens_with_how_far_it_got_is_named_after_the_cause() -> None:
    said = (
        "Found, but only half of it is done, and the tests are red at the moment.\n\n"
        "The mill signs its notes in another way since today. `check()` reads the old mark, so each note is refused."
    )
    assert turn("the mill's notes are refused since noon", said).title.startswith("Cause: The mill signs its notes")


@pytest.mark.requirement("MEM-16")
def test_what_the_user_took_back_is_not_told_as_the_fix() -> None:
    cause = "A slow till prints two receipts because each press sends the sale again, however short the wait was."
    first = ("two receipts from the slow till", f"{cause} The button is grey for a second now.", True)
    later = (
        "no, never grey out a button. number the sales",
        "Put back. Each sale has a number now, and the printer refuses a number that it has printed before.",
        True,
    )
    title = session(first, later).title
    assert "Each sale has a number now" in title
    assert "grey" not in title


@pytest.mark.requirement("MEM-16")
def test_yes_and_done_tell_what_was_proposed() -> None:
    answered = (
        "A retry costs a second when two clerks save at once, which is rare. A lock would block the list. "
        "So I'd take a version column and let the second clerk reload."
    )
    proposed = "As proposed: A lock would block the list. So I'd take a version column and let the second clerk reload."
    for request, said, told in (
        ("yes do that", "Done.", proposed),
        ("ok, go ahead", "Done, all green.", proposed),
        ("sounds good, please do", "", proposed),
        ("ja, mach das", "Erledigt.", proposed),
        ("sí, hazlo", "Listo.", proposed),
        ("👍", "Done.", proposed),
        ("yes do that", "`Order.version` is checked in `save()` now.", "`Order.version` is checked in `save()` now."),
        ("ok, but with a timestamp instead", "Done.", ""),
        ("yes, what is left?", "Nothing.", ""),
    ):
        found = sum_up(Work((request,), (edit("orders/repo.py"),), said, context="lock or not?", answered=answered))
        assert found is not None
        assert found.title == told or (not told and not found.title.startswith("As proposed")), request
    asked = "Which of the two do you want? I'd need to know that first."
    found = sum_up(Work(("yes",), (edit("orders/repo.py"),), "Done.", context="lock or not?", answered=asked))
    assert found is not None
    assert "need to know" not in found.title
