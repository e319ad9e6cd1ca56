"""Prompts that take up what was left open, ask for a weekday, or for the reason of what was decided."""

from __future__ import annotations

from datetime import datetime

import pytest

from holdfast.times import DAY_US
from tests.contract.site import Site
from tests.conversations.days import FIRST, DaySession, chat, work
from tests.conversations.talk import Talk, converse

WAITS = (
    ("push of the menu", "The menu is built.\n\n**Open:** Farida has to approve the pull request for the menu."),
    ("mirror of the archive", "The mirror copies at night.\n\n**Open:** Ilse has to bring the keys of the archive."),
    ("limit of the carrier", "The queue sends 50 a second.\n\n**Open:** Telwave has to raise the limit for us."),
    ("pulse counter", "The sensor bounces.\n\n**Open:** `on_pulse()` has no dead time yet, and Pedro has to name it."),
    ("night colours", "The night palette is in.\n\n**Open:** Jonas has to choose the grey of the borders."),
)  # fmt: skip


async def the_past(talk: Talk) -> None:
    for day, (asked, said) in enumerate(WAITS):
        await work(talk, day, asked, said, f"src/part{day}.py")
    for number in range(9):
        await work(talk, 6, f"page {number} of the atlas", f"Atlas page {number} is drawn now.", f"a/{number}.py")


@pytest.mark.requirement("MEM-22")
def test_a_prompt_that_takes_up_what_was_left_open_is_told_that(site: Site) -> None:
    async def story(talk: Talk) -> None:
        await the_past(talk)
        assert "Telwave has to raise the limit" in await DaySession(talk, 7).ask("telwave answered: 100 a second")
        assert "no dead time yet" in await DaySession(talk, 7).ask("back. finish the pulse thing")
        assert await DaySession(talk, 7).ask("write a haiku about ducks") == ""

    converse(site, story)


@pytest.mark.requirement("MEM-20", "MEM-22")
def test_who_asks_what_is_open_is_told_all_that_the_brief_did_not_say(site: Site) -> None:
    async def story(talk: Talk) -> None:
        await the_past(talk)
        session = DaySession(talk, 7)
        brief, more = await session.start(), await session.ask("what is still open?")
        for name in ("Farida", "Ilse", "Telwave", "Pedro", "Jonas"):
            assert (f"{name} has to" in brief) != (f"{name} has to" in more), name

    converse(site, story)


@pytest.mark.requirement("MEM-22")
def test_a_weekday_without_work_means_that_of_the_week_before(site: Site) -> None:
    async def story(talk: Talk) -> None:
        await work(talk, 1, "grey borders", "Borders are drawn in grey now.", "src/borders.py")
        await work(talk, 9, "faster start", "The start takes two seconds now.", "src/start.py")
        day = datetime.fromtimestamp((FIRST + DAY_US) / 1_000_000).strftime("%A")
        assert "Borders are drawn" in await DaySession(talk, 10).ask(f"and for the timesheet: what did we do on {day}?")

    converse(site, story)


@pytest.mark.requirement("MEM-22")
def test_who_asks_why_is_told_what_was_tried_instead(site: Site) -> None:
    async def story(talk: Talk) -> None:
        said = (
            "The branch has fares that follow the load of the sailing.\n\n- **Steps, not a curve.** The factor is 1.0 "
            "up to 50 %. I tried a smooth curve first, but then the price changes between search and payment in one "
            "booking of six; with steps it is one in ninety.\n- Residents keep the fixed fare."
        )
        await work(talk, 0, "dynamic fares for the ferry", said, "src/fares.py")
        await chat(talk, 1, "thanks!", "You're welcome!")
        assert "between search and payment" in await DaySession(talk, 9).ask(
            "why steps for the dynamic fares, not a curve"
        )

    converse(site, story)
