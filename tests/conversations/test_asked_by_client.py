"""What the user answered to the client's own question tool is a decision of the user: it is recalled, settles what was
open, and is forgotten with its prompt."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.site import Site
from tests.conversations.days import DaySession
from tests.conversations.talk import Talk, converse


async def _asked(session: DaySession, question: str, answer: str, *others: str) -> None:
    options = [{"label": each, "description": "x"} for each in (answer, *others)]
    asked = {"questions": [{"question": question, "header": "x", "options": options, "multiSelect": False}]}
    await session.use("AskUserQuestion", asked, asked | {"answers": {question: answer}})


async def _session(
    talk: Talk, day: float, prompt: str, said: str, question: str = "", answer: str = "", path: str = ""
) -> None:
    session = DaySession(talk, day)
    await session.start()
    await session.ask(prompt)
    if question:
        await _asked(session, question, answer, "another")
    if path:
        await session.edit(f"/p/{path}")
    await session.stop(said)
    await session.end()


_CHOSEN = (
    ("Which tariff table should be used?", "EU 2024", "Which tariff table did we choose?"),
    ("Should the queue run on Redis or Postgres?", "Postgres", "what did we decide for the queue, Redis or Postgres?"),
    ("How long are login tokens valid?", "30 days", "how long are login tokens valid, what did we decide?"),
    ("Welches Format soll der Export haben?", "Parquet", "Welches Format hatten wir für den Export gewählt?"),
    ("Quelle base de données pour les archives ?", "SQLite", "quelle base avons-nous choisie pour les archives ?"),
    ("¿Qué formato usamos para las facturas?", "PDF/A", "¿qué formato elegimos para las facturas?"),
)


@pytest.mark.requirement("MEM-3")
@pytest.mark.requirement("MEM-16")
def test_the_answer_is_recalled_as_the_users_decision(site: Site) -> None:
    async def story(talk: Talk) -> None:
        for at, (question, answer, _) in enumerate(_CHOSEN):
            await _session(
                talk, at, f"work on part {at}", "The part is in place now.", question, answer, f"part{at}.py"
            )
        for at, (question, answer, later) in enumerate(_CHOSEN):
            line = f"The user decided: “{answer}” (asked: {question})"
            told = await DaySession(talk, 20 + at).ask(later)
            assert line in told, (later, told)
            [shown] = [each for each in told.splitlines() if line in each]
            assert "in place" not in shown  # the agent's words are not the user's

    converse(site, story)


@pytest.mark.requirement("MEM-18")
def test_the_answer_settles_what_was_open(site: Site) -> None:
    async def story(talk: Talk) -> None:
        await _session(
            talk, 0, "compute the duty", "Duty is computed. Which tariff table should it use?", path="duty.py"
        )
        assert "Which tariff table" in await DaySession(talk, 1).start()
        await _session(talk, 2, "go on", "Done.", "Which tariff table should the duty use?", "EU 2024", "duty.py")
        assert "Open threads" not in await DaySession(talk, 3).start()

    converse(site, story)


@pytest.mark.requirement("MEM-2")
def test_an_answer_to_a_private_prompt_and_private_words_are_kept_nowhere(site: Site) -> None:
    async def story(talk: Talk) -> None:
        session = DaySession(talk, 0)
        await session.start()
        await session.ask("Add the importer")
        await _asked(
            session, "Which customer should be imported first?", "<private>Zanzibar</private> the northern one"
        )
        await session.edit("/p/importer.py")
        await session.stop("The importer reads the list of customers.")
        await session.ask("<private>now the merger</private>")
        await _asked(session, "Which merger should be prepared?", "Quagmire Holding", "another")
        await session.stop("The merger is prepared.")
        await session.end()
        kept: list[Any] = await talk.store.read(
            lambda reader: reader.all("memory.summaries_of", conversation=session.name)
        )
        text = str([dict(each) for each in kept])
        assert "the northern one" in text
        assert "Zanzibar" not in text
        assert "Quagmire" not in text

    converse(site, story)
