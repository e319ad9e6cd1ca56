"""A short answer of the user settles what the agent asked in the same conversation, though no tool ran for it."""

from __future__ import annotations

import pytest

from tests.contract.site import Site
from tests.conversations.days import DaySession
from tests.conversations.talk import Talk, converse

OFFER = "Orders are paginated by cursor now. Should I also paginate the admin endpoint?"
SIZE = "Orders are paginated by cursor now. Which page size should the admin endpoint have?"


@pytest.mark.requirement("MEM-18")
@pytest.mark.parametrize(
    ("said", "reply", "answer"),
    [
        (OFFER, "no", "Alright, it stays."),
        (OFFER, "No, leave it.", "Fine."),
        (OFFER, "nein", "Gut, dann bleibt es."),
        (OFFER, "not now", "OK."),
        (SIZE, "25", "Noted."),
    ],
)
def test_a_short_answer_settles_what_was_asked(site: Site, said: str, reply: str, answer: str) -> None:
    async def story(talk: Talk) -> None:
        session = DaySession(talk, 0)
        await session.start()
        await session.ask("Paginate the orders by cursor, please.")
        await session.edit("/p/src/orders.py")
        await session.stop(said)
        await session.ask(reply)
        await session.stop(answer)
        await session.end()
        brief = await DaySession(talk, 1).start()
        assert "Orders are paginated by cursor now." in brief
        assert "admin endpoint" not in brief

    converse(site, story)


@pytest.mark.requirement("MEM-18")
def test_what_nobody_answered_stays_open(site: Site) -> None:
    async def story(talk: Talk) -> None:
        session = DaySession(talk, 0)
        await session.start()
        await session.ask("Paginate the orders by cursor, please.")
        await session.edit("/p/src/orders.py")
        await session.stop(OFFER)
        await session.ask("What is the time difference to Lima?")
        await session.stop("Six hours.")
        await session.end()
        assert "paginate the admin endpoint" in await DaySession(talk, 1).start()

    converse(site, story)
