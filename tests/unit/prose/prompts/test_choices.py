"""What the user decides in talk is known; questions, thanks, remarks and wishes to hear more decide nothing."""

from __future__ import annotations

import pytest

from holdfast.prose.prompts.choices import choice_in, offers_a_choice
from tests.support.table import each_of

ASKED = "Which one should we take?"
ANSWERED = "kelp or reef; grpc or rest; nachts oder stündlich; ULIDs sort by time."


@pytest.mark.requirement("MEM-16")
@each_of(
    "prompt",
    [
        "grpc then", "table. no vendor", "per invoice, half-up, accounting confirmed it", "no, drop it", "use ULIDs",
        "ok postgres, because we need row level security", "no caching. sales changes prices during calls",
        "clear it but keep a hash for the audit", "not for the first release. we'd miss the fair in May", "kelp",
        "remind once, then delete after 14 days", "MapLibre sounds right, we need vector tiles", "nachts",
        "grpc would be best", "grpc sounds good",
        "Redis, porque necesitamos persistencia", "on garde Sentry, le contrat court jusqu'en mai",
    ],
)  # fmt: skip
def test_after_an_offer_who_names_or_orders_something_decides(prompt: str) -> None:
    assert choice_in(prompt, asked=ASKED, answered=ANSWERED) == prompt


@pytest.mark.requirement("MEM-19")
@each_of(
    "prompt",
    [
        "thanks", "ok", "wow, Texas is huge", "interesting, I didn't know that", "not sure yet, I'll think about it",
        "tell me more about MySQL", "what about sqlite?", "let me think about it", "I see", "good to know", "haha ok",
        "ah danke, gut zu wissen", "it's sunny here", "phew", "good question", "great point",
        "my colleague prefers MySQL", "we tried MySQL last year and it was a pain", "never used MySQL",
        "MySQL needs 4 GB", "MySQL would need ops", "I have used both",
        "coward :)", "I always mix these up", "and merge?", "explain the second one",
    ],
)  # fmt: skip
def test_after_an_offer_remarks_thanks_and_questions_decide_nothing(prompt: str) -> None:
    assert choice_in(prompt, asked=ASKED, answered=ANSWERED) == ""


@pytest.mark.requirement("MEM-16")
def test_without_an_offer_only_words_that_say_a_decision_are_one() -> None:
    for prompt in (
        "We're going with Kafka because the warehouse team already runs it.",
        "I've decided to drop Python 3.9 support in the next release",
        "let's keep invoices for ten years, the tax office asks for it",
        "we will not translate error codes, partners parse them",
        "wir nehmen Europe/Berlin, weil die Fahrer sonst umrechnen",
    ):
        assert choice_in(prompt) == prompt
    for prompt in ("grpc then", "add a column for the owner", "let's see", "we use redis, how do I flush it?", "kelp"):
        assert choice_in(prompt) == ""


@pytest.mark.requirement("MEM-19")
def test_something_is_offered_where_the_user_asks_which_or_the_agent_does() -> None:
    assert offers_a_choice("REST or gRPC between billing and orders?", "")
    assert offers_a_choice("Make the importer robust", "Batch or streaming, which do you prefer?")
    assert not offers_a_choice("what is a monad?", "A type with `bind`.")
    assert not offers_a_choice("pasta or curry tonight?", "Curry is faster.")
    assert not offers_a_choice("should I learn Rust or Go?", "Go is easier to start with.")


@pytest.mark.requirement("MEM-16")
def test_any_question_is_settled_by_what_it_named_and_a_reason() -> None:
    kept = "5, the line in Rostock is bad"
    assert choice_in(kept, asked="how many retries for the fax gateway?", answered="3 to 5.") == kept
    order = "skip dark mode for the pilot, nobody asked for it"
    assert choice_in(order, asked="What about dark mode?", answered="Two days of work.") == order
    assert choice_in("finally!", asked="what's new in Go 1.22?", answered="Loop variables are per iteration.") == ""


@pytest.mark.requirement("MEM-16")
@pytest.mark.parametrize("prompt", ["whats the GIL, one sentence", "java: orElse vs orElseGet", "wheres the haiku"])
def test_another_question_without_its_mark_decides_nothing(prompt: str) -> None:
    asked = "how loud do we make the shows these days and who wanted that?"
    assert choice_in(prompt, asked=asked, answered="-14 LUFS, because Spotify plays at that level.") == ""
    assert choice_in(prompt, asked="Redis or Postgres for the queue?", answered="Both work.") == ""


@pytest.mark.requirement("MEM-16")
@pytest.mark.parametrize(
    "prompt",
    [
        "whats the GIL, one sentence", "remind me what the reef holds. no prose, bullets", "kelp, in one sentence",
        "write me a paragraph about kelp", "btw how do ULIDs sort", "look into the reef first", "draft both, two lines",
    ],
)  # fmt: skip
def test_who_wants_words_or_a_look_decides_nothing(prompt: str) -> None:
    assert choice_in(prompt, asked=ASKED, answered=ANSWERED) == ""


@pytest.mark.requirement("MEM-16")
def test_the_words_of_a_decision_stand_side_by_side_in_the_prompt() -> None:
    prompt = "kelp it is. why is reef so slow? drop the reef tests"
    assert choice_in(prompt, asked=ASKED, answered=ANSWERED) == "kelp it is."
    assert choice_in("kelp it is. also explain reef", asked=ASKED, answered=ANSWERED) == "kelp it is."


@pytest.mark.requirement("MEM-31")
@pytest.mark.parametrize(
    "prompt",
    [
        "regex for an ipv4 address",
        "listener mail: the whole back catalogue came back as unplayed after we switched hosts. had we that once?",
    ],
)
def test_a_new_request_and_a_question_about_earlier_days_decide_nothing(prompt: str) -> None:
    assert choice_in(prompt, asked=ASKED, answered=ANSWERED) == ""


@pytest.mark.requirement("MEM-16")
def test_a_farewell_decides_nothing() -> None:
    for prompt in (
        "merci, à demain",
        "danke, bis morgen",
        "thanks, see you",
        "gracias, hasta mañana",
    ):
        assert not choice_in(prompt, asked="which flutter do we use?", answered="3.24.5."), prompt


@pytest.mark.requirement("MEM-16")
def test_who_calls_a_matter_settled_decides_it_whatever_was_asked() -> None:
    asked, answered = (
        "how do we name the exports? i lean to dates",
        "I'd use numbers. Dates repeat when a run is repeated.",
    )
    for prompt, decided in (
        ("numbers it is", "numbers it is"),
        ("fine, Thursdays it is then", "fine, Thursdays it is then"),
        ("padded to six, from 1. decided", "padded to six, from 1. decided"),
        ("numbers, that's settled", "numbers, that's settled"),
        ("numbers. final.", "numbers. final."),
        ("decided: numbers with a prefix", "decided: numbers with a prefix"),
        ("nummern, beschlossen", "nummern, beschlossen"),
        ("numbers, done deal", "numbers, done deal"),
        ("números, decidido", "números, decidido"),
        ("six digits it is!", "six digits it is!"),
        ("is it settled?", ""),
        ("that's not decided yet", ""),
        ("nothing is settled", ""),
        ("i don't know what it is", ""),
        ("tell me what it is", ""),
        ("decided", ""),
        ("when it's decided i'll tell you", ""),
        ("make the class final", ""),
        ("show me how it is", ""),
        ("the board hasn't decided", ""),
    ):
        assert choice_in(prompt, asked=asked, answered=answered) == decided, prompt
    assert choice_in("Let's settle how we name the exports") == ""
    assert choice_in("Let's settle on numbers for the exports") == "Let's settle on numbers for the exports"
    assert choice_in("numbers it is") == "", "nothing was asked before"
