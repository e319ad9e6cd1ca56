"""A prompt that asks for memory with other words, and one with pasted text that is about something new."""

from __future__ import annotations

import pytest

from tests.contract.site import Site
from tests.conversations.days import DaySession, chat, work
from tests.conversations.talk import Talk, converse
from tests.unit.prose.test_typed import JAVA, LOG, PLAN, SERIAL

OLD = (
    ("invoices twice", "Duplicates came by import: the key had no tenant, so each invoice was written again.", "b.py"),
    ("fog flickers", "The fog read the depth of the last frame, because the barrier was missing.", "fx/fog.cpp"),
    ("battery", "The radio kept the oscillator awake after each watchdog reset at boot; it sleeps now.", "radio.c"),
    ("map tiles", "Tiles were blurred because `zoom()` was rounded twice; the client rounds once now.", "src/zoom.ts"),
    ("Pakete", "Die Pakete gingen verloren, weil der Puffer beim Neustart geleert wurde.", "net/puffer.go"),
    ("reports", "The mailer of reports failed because its pooling client was shutdown; it leases one now.", "m.kt"),
    ("latency", "The hash join on invoices was slow because the plan had no index; it has one now.", "sql/day.sql"),
)  # fmt: skip


async def the_past(talk: Talk) -> None:
    for day, (asked, said, path) in enumerate(OLD):
        await work(talk, day, f"look at this: {asked}", said, path)
    for number in range(6):
        await work(talk, 7, f"page {number} of the atlas", f"Atlas page {number} is drawn now.", f"a/{number}.py")
    await chat(talk, 7, "thanks!", "You're welcome!")


@pytest.mark.requirement("MEM-22")
def test_who_asks_for_memory_needs_one_word_of_the_matter_and_who_pastes_is_given_nothing(site: Site) -> None:
    async def story(talk: Talk) -> None:
        await the_past(talk)
        for asked, told in (
            ("invoices come out two times after a restore, what was the cause last time?", "the key had no tenant"),
            ("how did we get rid of the flimmering fog?", "The fog read the depth"),
            ("did we ever find out what eats the oscillator at night?", "The radio kept"),
            ("die Pakete sind wieder weg, woran lag das beim letzten Mal?", "Die Pakete gingen verloren"),
            ("what was it again with soft tiles?", "Tiles were blurred"),
        ):
            assert told in await DaySession(talk, 9).ask(asked), asked
        for asked in (
            f"their report server is down, what is this?\n\n{JAVA}",
            f"{PLAN}\n\nwrite a test for the parser of such texts",
            f"new board, first boot:\n{SERIAL}\nexplain the numbers please",
            f"can you colour lines like these in the viewer?\n```\n{LOG}\n```",
            PLAN,
        ):
            assert await DaySession(talk, 9).ask(asked) == "", asked
        for asked in ("what did we decide about the new login screen?", "did we ever talk about a mascot?"):
            assert await DaySession(talk, 9).ask(asked) == "", asked

    converse(site, story)
