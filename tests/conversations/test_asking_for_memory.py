"""Prompts that ask for memory, and of a time; searches whose hits tell of the same work. On both stores."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.ids import now_us
from holdfast.times import DAY_US
from tests.contract.site import Site
from tests.conversations.days import DaySession, lines, work
from tests.conversations.session import Session
from tests.conversations.talk import Talk, converse

CAUSE = (
    "The cause: the JSON middleware parsed the body before the Stripe signature was verified, so the digest never "
    "matched. The webhook route now reads the raw body."
)
AGAIN = "stripe hooks fail verification again, what was the cause last time?"


async def worked(talk: Talk, name: str, prompt: str, path: str, said: str, days_ago: float = 0.0) -> None:
    """A session of one turn that edited a file, some days ago."""
    at = now_us() - int(days_ago * DAY_US)
    common: dict[str, Any] = {"session_id": name, "transcript_path": f"/t/{name}.jsonl", "cwd": "/p"}
    common |= {"prompt_id": f"{name}-p"}
    response = {"filePath": path, "structuredPatch": [{"oldStart": 1, "lines": [" def handle():", "+    raw = body"]}]}
    tool = {
        "tool_name": "Edit",
        "tool_input": {"file_path": path},
        "tool_use_id": f"{name}-t",
        "tool_response": response,
    }
    told: list[dict[str, Any]] = [
        {"hook_event_name": "UserPromptSubmit", "prompt": prompt},
        {"hook_event_name": "PostToolUse", **tool},
        {"hook_event_name": "Stop", "last_assistant_message": said},
    ]
    for number, own in enumerate(told):
        await talk.tell(common | own, source="transcript", happened_at=at + number * 1_000_000)
    await talk.settle()


async def a_busy_week(talk: Talk) -> None:
    await worked(talk, "hooks", "Stripe webhooks are answered with 400, signature error", "/p/src/hooks.py", CAUSE, 9)
    await worked(
        talk, "vat", "Should VAT be rounded per line or per invoice?", "/p/src/vat.py",
        "VAT is rounded half-up per invoice, as accounting confirmed.", 1,
    )  # fmt: skip
    await worked(
        talk, "cache", "The product cache serves stale prices after an import", "/p/src/cache.py",
        "The importer now invalidates the price cache when it is done.", 20,
    )  # fmt: skip


@pytest.mark.requirement("MEM-22")
def test_a_paraphrase_that_asks_for_memory_is_answered_with_what_was_found(site: Site) -> None:
    async def story(talk: Talk) -> None:
        await a_busy_week(talk)
        given = await Session(talk, "new").ask(AGAIN)
        assert "middleware parsed the body" in given
        assert "VAT" not in given

    converse(site, story)


@pytest.mark.requirement("MEM-22")
@pytest.mark.parametrize(
    ("prompt", "has", "has_not"),
    [
        ("what did we do yesterday?", "VAT", "webhook"),
        ("What did we do in the last 10 days?", "Stripe signature", "price"),
        ("what did you work on three weeks ago?", "price", "VAT"),
    ],
)
def test_a_time_without_a_subject_is_answered_with_what_was_done_then(
    site: Site, prompt: str, has: str, has_not: str
) -> None:
    async def story(talk: Talk) -> None:
        await a_busy_week(talk)
        given = await Session(talk, "new").ask(prompt)
        assert has in given
        assert has_not not in given

    converse(site, story)


@pytest.mark.requirement("MEM-22")
def test_the_earlier_question_is_no_answer(site: Site) -> None:
    async def story(talk: Talk) -> None:
        session = Session(talk, "s1")
        await session.ask("why does the ledger export drop the currency column?")
        given = await Session(talk, "s2").ask("did we find out why the ledger export drops the currency column?")
        assert given == ""

    converse(site, story)


@pytest.mark.requirement("MEM-7")
@pytest.mark.requirement("MEM-22")
@pytest.mark.parametrize("prompt", ["can you double check?", "run it again", "thanks, continue on Monday", "cache"])
def test_one_word_in_common_is_no_reason_to_give_anything(site: Site, prompt: str) -> None:
    async def story(talk: Talk) -> None:
        await a_busy_week(talk)
        await worked(talk, "words", "Remove doubled words from the docs", "/p/docs/a.md", "Removed a doubled word.", 2)
        assert await Session(talk, "new").ask(prompt) == ""

    converse(site, story)


@pytest.mark.requirement("MEM-22")
@pytest.mark.parametrize(
    ("prompt", "most"), [("what did we do this month?", 3), ("list everything we did this year", 8)]
)
def test_a_few_items_are_given_unless_more_are_asked_for(site: Site, prompt: str, most: int) -> None:
    async def story(talk: Talk) -> None:
        for number in range(10):
            await worked(
                talk, f"s{number}", f"Add the report number{number} to the {number}th page", f"/p/src/r{number}.py",
                f"Report number{number} is on its page.", 0.01 * number,
            )  # fmt: skip
        given = await Session(talk, "new").ask(prompt)
        assert 0 < given.count("[s") <= most

    converse(site, story)


@pytest.mark.requirement("MEM-9")
def test_a_search_shows_the_same_work_once_with_the_words_that_were_asked_for(site: Site) -> None:
    async def story(talk: Talk) -> None:
        await a_busy_week(talk)
        first, *rest = await talk.items.search("stripe webhook signature raw body")
        assert first.family == "summary"
        assert "middleware" in first.title
        assert "The webhook route now reads the raw body." in f"{first.title} {first.snippet}"
        assert "Stripe" in [first.snippet[begin:end] for begin, end in first.marks]
        assert {"prompt", "observation"} & {other.family for other in first.same_work}
        shown = {first.id, *(other.id for other in first.same_work)}
        assert not shown & {each.id for each in rest}
        assert len({each.listed.work for each in rest}) == len(rest)
        every = await talk.items.search("stripe webhook signature raw body", kinds=["prompt", "edit", "summary"])
        assert len(every) > 1 + len(rest)

    converse(site, story)


@pytest.mark.requirement("MEM-22")
@pytest.mark.requirement("MEM-20")
def test_who_asks_how_things_stand_is_told_the_newest_work_and_what_is_open(site: Site) -> None:
    vat = "VAT is rounded half-up per invoice; accounting confirmed it."
    kept = "The archive keeps invoices for ten years now."
    iban = "The IBAN on the template is still missing: Paula has to send it."

    async def story(talk: Talk) -> None:
        await work(talk, 0, "Round the VAT", vat, "src/vat.py")
        await work(talk, 2, "Add the invoice archive", f"{kept} {iban}", "src/archive.py")
        for asked in ("where did we leave off?", "what was the last thing we did?", "wo waren wir stehen geblieben?"):
            told = await DaySession(talk, 3).ask(asked)
            assert kept in told, asked
            assert iban in told, asked
        for asked in ("what's still open?", "que reste-t-il à faire ?", "¿qué queda pendiente?"):
            told = await DaySession(talk, 3).ask(asked)
            assert iban in told, asked
            assert kept not in told, asked
        yesterday = await DaySession(talk, 3).ask("was haben wir gestern gemacht?")
        assert kept in yesterday
        assert vat not in yesterday
        assert lines(await DaySession(talk, 3).ask("what file handles are still open?")) == []
        briefed = DaySession(talk, 3.1)
        assert iban in await briefed.start()
        assert lines(await briefed.ask("what's still open?")) == [], "the brief said it"

    converse(site, story)


@pytest.mark.requirement("MEM-22")
def test_an_earlier_question_does_not_stand_before_its_answer(site: Site) -> None:
    cause = "The body was parsed before it was verified; the raw bytes are used now."

    async def story(talk: Talk) -> None:
        await work(talk, 0, "Webhook signature checks for Stripe reject everything", cause, "src/hook.py")
        for asked in (
            "stripe hooks fail verification again, what was the cause last time?",
            "why did stripe verification fail last time?",
            "stripe is broken again, have we seen this?",
        ):
            assert cause in await DaySession(talk, 2).ask(asked), asked

    converse(site, story)


@pytest.mark.requirement("MEM-22")
def test_a_question_of_common_words_is_answered_by_the_line_that_has_them(site: Site) -> None:
    where = "Sessions live in Postgres instead of Redis; the TTL stays one hour."

    async def story(talk: Talk) -> None:
        await work(talk, 0, "Set it up as discussed", where, "src/sessions.py")
        assert where in await DaySession(talk, 2).ask("where do sessions live?")
        assert lines(await DaySession(talk, 2).ask("how do I sort a list?")) == []

    converse(site, story)


@pytest.mark.requirement("MEM-20")
@pytest.mark.requirement("MEM-22")
def test_who_asks_what_was_done_is_told_the_rest_of_what_the_brief_began(site: Site) -> None:
    said = (
        "## What I found\n\nThe gateway restarts its workers at 18:00 and answers after 8 seconds for some minutes.\n\n"
        "## What I changed\n\n- `TIMEOUT` 3 → 10\n- `RETRIES` 0 → 2, only for idempotent calls\n\n"
        "I decided against a circuit breaker: one carrier, low volume."
    )

    async def story(talk: Talk) -> None:
        await work(talk, 0, "bookings time out every evening around 6. investigate please", said, "src/carrier.py")
        session = DaySession(talk, 1)
        brief = await session.start()
        given = await session.ask("what did we get done yesterday?")
        assert "decided against a circuit breaker" in brief + given, "nothing of it is withheld"
        assert not [line for line in lines(given) if line in brief]
        again = await session.ask("and what did we do yesterday?")
        assert again == "", "what was said is not said again"

    converse(site, story)
