"""Every line that is given carries its subject, is said once, and is still so. Hook JSON in, answer out, on both
stores."""

from __future__ import annotations

import pytest

from holdfast.events.event import SELF_TEST, SELF_TEST_SESSIONS
from tests.contract.site import Site
from tests.conversations.days import FIRST, DaySession, chat, lines, work
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
        assert "exported as Parquet now, one file per month. — open: Not tested with the warehouse yet." in brief
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


@pytest.mark.requirement("MEM-16")
@pytest.mark.requirement("MEM-18")
def test_a_brief_says_why_and_what_was_changed_and_where_it_has_not_arrived(site: Site) -> None:
    cause = "Invoices were doubled because the retry job ran without an idempotency key."
    change = "Each payment carries one key over all attempts now."
    stale = "The staging server still runs the old version."

    async def story(talk: Talk) -> None:
        await work(talk, 0, "Why are invoices doubled? Fix it.", f"{cause} {change} {stale}", "src/retry.py")
        brief = await DaySession(talk, 1).start()
        assert f"agent: {cause} {change} — open: {stale} (" in brief
        later = DaySession(talk, 2)
        await later.ask("Roll it out to staging.")
        await later.bash("git push", "ok")
        await later.stop("The branch is on the server; nothing else was done.")
        await later.end()
        assert stale in await DaySession(talk, 3).start(), "a push is no deploy"
        later = DaySession(talk, 4)
        await later.ask("Now deploy it.")
        await later.stop("The new version is deployed to the staging server.")
        await later.end()
        assert stale not in await DaySession(talk, 5).start()

    converse(site, story)


@pytest.mark.requirement("MEM-20")
@pytest.mark.requirement("MEM-31")
def test_a_prompt_is_not_told_the_brief_in_other_words_nor_what_the_user_once_said(site: Site) -> None:
    async def story(talk: Talk) -> None:
        opened = "Loaded all years but one. 2018 is not loaded: the file of station 17 is cut off after two rows."
        await work(talk, 0, "Load the readings of all stations.", opened, "load.py")
        await work(
            talk,
            1,
            "no, the stations never use summer time: they send UTC",
            "All readings are read as UTC now.",
            "a.py",
        )
        await chat(talk, 2, "How far is the import?", "station 17 still waits for its file.")
        session = DaySession(talk, 3)
        brief = await session.start()
        assert "the file of station 17 is cut off" in brief
        asked = await session.ask("Is the file of station 17 still missing?")
        assert "still waits" not in asked, "the brief said it in other words"
        told = await DaySession(talk, 4).ask("the utility has sent the file of station 17, it is loaded now")
        assert "still waits" not in told, "the prompt says that it is over"
        assert not lines(await DaySession(talk, 4).ask("How do we treat a job whose clock changed its time?"))
        for line in lines(await DaySession(talk, 4).ask("why do the stations send fewer rows than they did?")):
            assert "The user said" not in line, "no answer to that"

    converse(site, story)


@pytest.mark.requirement("MEM-9")
def test_a_search_puts_the_answer_above_the_question_and_lists_nothing_without_the_words(site: Site) -> None:
    async def story(talk: Talk) -> None:
        cause = "Customers were billed twice because the retry job sent the invoices again."
        await work(talk, 0, "Some customers were billed twice.", cause, "src/retry.py")
        later = DaySession(talk, 1)
        await later.ask("why were invoices doubled last time?")
        await later.stop("The retry job sent the invoices again.")
        await later.ask("thanks, what time is it?")
        await later.stop("It is noon.")
        await later.end()
        found = await use(talk, "search", query="invoices")
        assert found[0].title == cause
        told = [f"{row.title} {row.snippet}".lower() for row in found]
        assert [text for text in told if "invoice" not in text] == []

    converse(site, story)


@pytest.mark.requirement("MEM-7")
def test_what_has_none_of_the_prompts_words_is_not_given_because_its_neighbour_has(site: Site) -> None:
    async def story(talk: Talk) -> None:
        session = DaySession(talk, 0)
        await session.ask("Files copied from Windows end up with strange names on the server.")
        await session.edit("/p/keys.go")
        await session.stop("The keys had backslashes, because Key() followed the local system.")
        await session.ask("continue")
        await session.edit("/p/keys_test.go")
        await session.stop("I added a test with a Windows path, so that backslashes in keys cannot come back.")
        await session.end()
        asked = await DaySession(talk, 1).ask("Should ferry copy the permissions of files?")
        assert "backslashes in keys cannot come back" not in asked

    converse(site, story)


@pytest.mark.requirement("MEM-12")
@pytest.mark.requirement("MEM-16")
@pytest.mark.requirement("MEM-18")
def test_answers_replace_no_work_and_what_the_user_wanted_left_alone_is_not_open(site: Site) -> None:
    cause = "The export missed the last hour because the window ended at the start of the job and not at midnight."
    gaps = "The warehouse in production still has the gaps of October."

    async def story(talk: Talk) -> None:
        await work(talk, 0, "The export misses the last hour. Fix it.", f"{cause} {gaps}", "export/window.go")
        session = DaySession(talk, 1)
        await session.ask("keep gzip. we never change the loader without the data team")
        await session.edit("/p/export/file.go")
        await session.stop("Files are compressed with gzip level 6 now. I did not touch the loader.")
        await session.ask("How does the export window work?")
        await session.stop("Window() closes at midnight UTC, because it used to end when the job started.")
        await session.end()
        await chat(talk, 2, "are the gaps of October filled?", "Not that I know: production still has them.")
        await chat(talk, 2.1, "who fills them?", "The data team has not filled the gaps of October in the warehouse.")
        brief = await DaySession(talk, 3).start()
        assert cause in brief
        assert gaps in brief, "nobody said that they are filled"
        assert "did not touch the loader" not in brief, "the user wanted it so"
        assert "still has them" not in brief or "(about: " in brief
        filled = DaySession(talk, 4)
        await filled.ask("Fill them.")
        await filled.bash("./backfill 2026-10", "31 days loaded")
        await filled.stop("The gaps of October are filled: backfill loaded all 31 days into production.")
        await filled.ask("Add a metric for exported rows.")
        await filled.edit("/p/export/metrics.go")
        await filled.stop("exporter_rows_total counts rows per table. Done.")
        await filled.end()
        brief = await DaySession(talk, 5).start()
        assert "Open threads" not in brief
        assert "Add a metric" not in brief, "a title says what came of it"

    converse(site, story)
