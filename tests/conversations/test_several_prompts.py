"""A session of several prompts: the last decision, what was taken back, and which prompt an answer belongs to."""

from __future__ import annotations

import pytest

from tests.contract.site import Site
from tests.conversations.days import DaySession, lines
from tests.conversations.talk import Talk, converse

LOG = "2026-03-01T10:00:01Z ERROR pager: timeout after 30 s\n    at list.render(List.java:12)\nwhy is the list empty?"
CAUSE = "The list was empty because `render()` ran before the first page had arrived."


@pytest.mark.requirement("MEM-16")
@pytest.mark.requirement("MEM-18")
def test_the_decision_of_the_last_prompt_and_a_revert_are_kept(site: Site) -> None:
    async def story(talk: Talk) -> None:
        session = DaySession(talk, 0)
        await session.start()
        await session.ask(LOG)
        await session.edit("/p/src/list.ts")
        await session.bash("npm test", "Tests: 12 passed, 12 total")
        await session.stop(f"{CAUSE} It waits for the page now.")
        await session.ask("which page size do the others use by default?")
        await session.stop("Most use 25 or 100, which they call large; the old client had 50.")
        await session.ask("take that one")
        await session.edit("/p/src/paging.ts")
        await session.stop("The page size is 50 now, as in the old client.")
        await session.end()
        brief = await DaySession(talk, 1).start()
        assert "The page size is 50 now" in brief
        assert "`render()` ran before the first page" in brief
        assert "2026-03-01" not in brief, "a pasted log is no subject"
        asked = await DaySession(talk, 2).ask("which page size do we ship and why not 100?")
        told = "\n".join(lines(asked))
        assert "The page size is 50 now" in told
        assert "which they call large" not in told, "the user chose since"

        session = DaySession(talk, 3)
        await session.start()
        await session.ask("make the table header sticky")
        await session.edit("/p/src/header.css")
        await session.stop("The header of the table is sticky now.")
        await session.ask("likewise the sidebar")
        await session.edit("/p/src/sidebar.css")
        await session.stop("The sidebar is sticky now, too.")
        await session.ask("nah undo that")
        await session.bash("git checkout -- src/sidebar.css")
        await session.stop("Reverted. Only the header is sticky.")
        await session.end()
        later = DaySession(talk, 4)
        brief = await later.start()
        assert "Reverted. Only the header is sticky." in brief
        assert "The sidebar is sticky now" not in brief
        fresh = DaySession(talk, 5)
        read = await fresh.use("Read", {"file_path": "/p/src/sidebar.css"}, {})
        assert "Reverted. Only the header is sticky." in read, read

    converse(site, story)


@pytest.mark.requirement("MEM-16")
@pytest.mark.requirement("MEM-22")
def test_what_was_found_beside_an_offer_is_told_whatever_was_chosen(site: Site) -> None:
    async def story(talk: Talk) -> None:
        session = DaySession(talk, 0)
        await session.start()
        await session.ask("is the limit of the mail relay per process or for all three pods together?")
        await session.stop(
            "A rate of 0 is not refused, it ends in a ZeroDivisionError at the second mail. "
            "The limit of the mail relay is per process. Option 1: a third of it per pod. Option 2: a shared store."
        )
        await session.ask("1. and write it into the README")
        await session.edit("/p/README.md")
        await session.stop("The README says that the limit of the mail relay is per process.")
        await session.end()
        told = "\n".join(
            lines(await DaySession(talk, 1).ask("did we see a ZeroDivisionError with a rate of 0 before?"))
        )
        assert "ends in a ZeroDivisionError" in told

    converse(site, story)


@pytest.mark.requirement("MEM-16")
def test_an_answer_beside_the_work_does_not_name_the_session(site: Site) -> None:
    async def story(talk: Talk) -> None:
        session = DaySession(talk, 0)
        await session.start()
        await session.ask("make the barcode scanner accept QR codes")
        await session.edit("/p/scan/decode.swift")
        await session.bash("swift test", "Executed 22 tests, with 0 failures")
        await session.stop("The scanner reads QR codes as well; the payload is trimmed at the first NUL.")
        await session.ask("would that work on the android build too?")
        await session.use("Read", {"file_path": "/p/android/Scan.kt"}, {"type": "text"})
        await session.stop("No. The Android build has its own scanner, so nothing changes there.")
        await session.ask("cool. in typescript whats the difference between unknown and any")
        await session.stop("`unknown` keeps the checks: you must narrow it first, because its type is not known.")
        await session.end()
        told = lines(await DaySession(talk, 1).start())
        assert "The scanner reads QR codes" in told[0]
        assert "narrow" not in "\n".join(told), "general knowledge"

    converse(site, story)
