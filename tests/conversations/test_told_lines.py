"""Every line that is given carries its subject, is said once, and is still so. Hook JSON in, answer out, on both
stores."""

from __future__ import annotations

import pytest

from holdfast.events.event import SELF_TEST, SELF_TEST_SESSIONS
from tests.contract.site import Site
from tests.conversations.days import FIRST, DaySession, lines, work
from tests.conversations.talk import Talk, converse
from tests.conversations.test_brief import use
from tests.support.upkeep import Portable

SLOW = "The gateway was slow because every request opened a new connection to the ledger."
POOLED = "It waits for a connection of the pool now; no request opens its own."


@pytest.mark.requirement("MEM-18")
@pytest.mark.requirement("MEM-20")
def test_how_the_code_works_now_is_no_open_thread_and_is_told_with_its_subject(site: Site) -> None:
    async def story(talk: Talk) -> None:
        await work(talk, 0, "The gateway is slow, find out why.", f"{SLOW} {POOLED}", "src/gateway.go")
        later = DaySession(talk, 1)
        brief = await later.start()
        assert SLOW in brief
        assert "Open threads" not in brief
        asked = await later.ask("Which connection of the pool does a request of the gateway wait for?")
        assert SLOW not in asked, "the brief said it"
        for line in lines(asked):
            assert not line.partition("agent: ")[2].startswith("It ") or "(about: The gateway was slow" in line

    converse(site, story)


@pytest.mark.requirement("MEM-16")
@pytest.mark.requirement("MEM-18")
def test_a_thread_and_an_answer_without_a_subject_are_told_with_it(site: Site) -> None:
    async def story(talk: Talk) -> None:
        said = "Invoices are exported as Parquet now, one file per month. Not tested with the warehouse yet."
        await work(talk, 0, "Export the invoices as Parquet.", said, "src/export.py")
        await work(talk, 1, "How do the dunning letters reach a customer?", "By the print shop, every Monday.", "a.md")
        brief = await DaySession(talk, 2).start()
        assert "Not tested with the warehouse yet. (about: Invoices are exported as Parquet" in brief
        assert brief.count("Invoices are exported as Parquet now, one file per month.") == 1
        asked = await DaySession(talk, 3).ask("When do the dunning letters reach the print shop?")
        [line] = [each for each in lines(asked) if "every Monday" in each]
        assert "(asked: How do the dunning letters reach a customer?)" in line

    converse(site, story)


@pytest.mark.requirement("MEM-31")
def test_a_correction_is_told_and_confirmed_with_the_question_that_it_answers(site: Site) -> None:
    async def story(talk: Talk) -> None:
        session = DaySession(talk, 0)
        await session.ask("Should the importer keep the empty rows of a sheet?")
        await session.stop("It could: a flag would do. But the reports would count them. Which do you prefer?")
        await session.ask("don't keep them, the reports count them")
        await session.edit("/p/src/importer.py")
        await session.stop("Empty rows are dropped by the importer.")
        await session.end()
        brief = await DaySession(talk, 1).start()
        whole = "“don't keep them, the reports count them” (about: Should the importer keep the empty rows of a sheet?)"
        assert f"the user said: {whole}" in brief
        asked = await DaySession(talk, 2).ask("Did we decide what the importer does with empty rows?")
        assert "Empty rows are dropped by the importer." in asked
        assert "the reports would count" not in asked, "the question was answered"
        [kept] = await use(talk, "corrections")
        await use(talk, "confirm", id=kept["id"])
        confirmed = await DaySession(talk, 3).start()
        assert "don't keep them, the reports count them (about: Should the importer keep the empty rows" in confirmed

    converse(site, story)


@pytest.mark.requirement("MEM-7")
@pytest.mark.requirement("MEM-19")
def test_an_agents_report_and_the_turn_that_repeats_it_are_one_line(site: Site) -> None:
    report = "decode() copies each frame into a Buffer, sorts a List and clones it: three allocations per message."
    repeated = (
        "decode() allocates three times per message: it copies every frame into a Buffer, sorts a List and clones it."
    )

    async def story(talk: Talk) -> None:
        session = DaySession(talk, 0)
        await session.ask("Have somebody look at the decoder for wasted allocations.")
        helper = session.helper("a1")
        await helper.use("Read", {"file_path": "/p/src/decode.rs"}, {})
        await helper.tell("SubagentStop", last_assistant_message=report)
        await session.stop(f"{repeated} I have changed nothing.")
        await session.end()
        asked = await DaySession(talk, 1).ask("Make decode() copy each frame without allocations for a message.")
        assert len([line for line in lines(asked) if "allocat" in line]) == 1

    converse(site, story)


@pytest.mark.requirement("MEM-11")
def test_the_self_test_is_in_no_export_and_no_brief(site: Site) -> None:
    async def story(talk: Talk) -> None:
        await work(talk, 0, "The gateway is slow, find out why.", SLOW, "src/gateway.go")
        for event, session in ((SELF_TEST, "proof"), ("UserPromptSubmit", f"{SELF_TEST_SESSIONS}000000000001")):
            body = {"hook_event_name": event, "session_id": session, "cwd": "/p", "prompt": "zebra proof"}
            await talk.tell(body | {"proof": "zebra proof"}, source="http", happened_at=FIRST)
        await talk.settle()
        portable = Portable(talk.store, talk.owner, clean=lambda value: value)
        exported = "".join([line.decode() async for line in portable.export("", citations=True)])
        assert "opened a new connection" in exported
        assert "zebra" not in exported
        assert SELF_TEST_SESSIONS not in exported
        assert SELF_TEST not in exported
        assert "zebra" not in await DaySession(talk, 1).start()

    converse(site, story)
