"""A conversation that goes on, or has grown old, when something of it is forgotten (both stores)."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.ids import now_us
from holdfast.times import DAY_US
from holdfast.upkeep.forget_selection import ForgetRequest
from holdfast.upkeep.settings import RetentionSettings
from tests.contract.kept import forgetting
from tests.contract.site import Site, add_query
from tests.conversations.session import Session
from tests.conversations.talk import Talk, converse
from tests.conversations.test_memory_answers import kept, summaries
from tests.support.upkeep import Portable, retention


async def counted(talk: Talk, *things: str) -> Session:
    """A turn for each of these: asked, edited, told."""
    session = Session(talk, "s1")
    for thing in things:
        await session.ask(f"Please count all the {thing} in the jar")
        await session.edit(f"/p/{thing}.py", "count")
        await session.stop(f"The number of {thing} was wrong because a stone was counted. There are seven {thing}.")
    return session


async def forget(talk: Talk, words: str, kind: str) -> None:
    found = await talk.items.search(words, kinds=[kind], limit=1)
    await forgetting(talk.store).forget(ForgetRequest(ids=(found[0].id,)))
    await talk.settle()


async def journal(talk: Talk, event: str) -> list[str]:
    found = await talk.store.read(
        lambda reader: reader.all("journal.list", conversation="s1", event=event, since=0, owner="me", limit=100)
    )
    return [str(row["payload"]) for row in reversed(found)]


async def numbers(talk: Talk) -> list[int]:
    found = await talk.store.read(lambda reader: reader.all("memory.prompts_of", conversation="s1", limit=100))
    return [int(row["number"] or 0) for row in found]


async def age(talk: Talk, days: int) -> None:
    await retention(talk.store, "me", RetentionSettings()).run(now_us() + days * DAY_US)


# --- a conversation that goes on


@pytest.mark.requirement("MEM-1")
@pytest.mark.parametrize(("forgotten", "left"), [("peas", [1, 3, 4]), ("nuts", [1, 2, 4])])
def test_the_number_of_a_forgotten_prompt_is_not_given_again(site: Site, forgotten: str, left: list[int]) -> None:
    async def story(talk: Talk) -> None:
        session = await counted(talk, "beans", "peas", "nuts")
        await forget(talk, forgotten, "prompt")
        await session.ask("Please count all the figs in the jar")
        await session.edit("/p/figs.py", "count")
        await session.stop("There are nine figs.")
        assert await numbers(talk) == left
        figs = await kept(talk, "turn", 4)
        assert figs["done"] == "Edited figs.py: count()"
        assert figs["said"] == "There are nine figs."

    converse(site, story)


@pytest.mark.requirement("MEM-11")
def test_forgetting_a_summary_takes_only_its_own_turns_words(site: Site) -> None:
    async def story(talk: Talk) -> None:
        await counted(talk, "beans", "peas", "nuts", "figs")
        await forget(talk, "peas", "prompt")
        await forget(talk, "beans", "summary")
        assert [
            words
            for each in await journal(talk, "Stop")
            for words in ("beans", "peas", "nuts", "figs")
            if words in each
        ] == [
            "nuts",
            "figs",
        ]
        # A summary without its prompt takes nothing along.
        add_query("test.unbind", "UPDATE summary SET subject = 'turn:' || id WHERE conversation = 's1'")
        await talk.store.write(lambda tx: tx.run("test.unbind"))
        await forget(talk, "nuts", "summary")
        assert len(await journal(talk, "Stop")) == 2

    converse(site, story)


@pytest.mark.requirement("MEM-5")
@pytest.mark.requirement("MEM-11")
def test_a_subagents_summary_stays_with_its_turn_and_takes_its_own_words_along(site: Site) -> None:
    async def story(talk: Talk) -> None:
        main = Session(talk, "s1")
        await main.ask("Have all the beans counted by someone")
        agent = main.helper("a1")
        await agent.edit("/p/beans.py", "count")
        await agent.edit("/p/stones.py", "count")
        await agent.tell("SubagentStop", last_assistant_message="Seven beans, because one was a stone.")
        await main.stop("They were counted.")
        await main.ask("And what is left to be done about the peas?")
        await main.stop("Nothing about the peas.")
        await forget(talk, "stones", "edit")
        summary = await kept(talk, "agent")
        assert summary["prompt_number"] == 1
        assert summary["learned"] == "Seven beans, because one was a stone."
        await forgetting(talk.store).forget(ForgetRequest(ids=(summary["id"],)))
        assert await journal(talk, "SubagentStop") == []
        assert len(await journal(talk, "Stop")) == 2

    converse(site, story)


# --- one that has grown old


@pytest.mark.requirement("MEM-15")
def test_what_is_distilled_stays_when_something_old_is_forgotten(site: Site) -> None:
    async def story(talk: Talk) -> None:
        session = await counted(talk, "beans", "peas")
        await session.edit("/p/stones.py", "sieve")
        await session.stop(" ".join(f"Pea {n} was found in the sieve because it is small." for n in range(40)))
        await session.end()
        before = {row["subject"]: row for row in await summaries(talk)}
        await age(talk, 20)
        await forget(talk, "stones", "edit")
        for row in await summaries(talk):
            old = before[row["subject"]]
            assert "stones" not in f"{row['done']}{row['files']}"
            for name in ("title", "request", "learned", "said", "left_open"):
                assert row[name] == old[name]
        assert (await kept(talk, "turn", 2))["done"] == "Edited peas.py: count()"

    converse(site, story)


@pytest.mark.requirement("MEM-15")
@pytest.mark.requirement("MEM-11")
def test_forgetting_an_old_prompt_leaves_what_the_other_turns_came_to(site: Site) -> None:
    async def story(talk: Talk) -> None:
        session = await counted(talk, "beans", "peas")
        await session.end()
        await age(talk, 400)
        assert await talk.items.search(kinds=["edit"]) == []
        await forget(talk, "peas", "prompt")
        whole = await kept(talk, "session")
        assert whole["done"] == "Edited beans.py: count()"
        cause = "The number of beans was wrong because a stone was counted."
        assert whole["title"] == f"{cause} There are seven beans."
        assert whole["learned"].splitlines() == [whole["title"], cause]
        assert "peas" not in str(await summaries(talk))
        assert (await kept(talk, "turn"))["said"].endswith("There are seven beans.")

    converse(site, story)


LONG = (
    "Should we keep the harvest figures of the smaller gardens in the barn, or bring them over to the mill, where the"
    " miller has a scale?"
)


@pytest.mark.requirement("MEM-11")
@pytest.mark.parametrize("question", [LONG, f"Here is the list:\n\nbeans=1 peas=2\n\n{LONG}"])
def test_the_question_that_a_later_choice_answers_goes_when_it_is_forgotten(site: Site, question: str) -> None:
    async def story(talk: Talk) -> None:
        session = Session(talk, "s1")
        await session.ask(question)
        await session.edit("/p/barn.py", "weigh")
        await session.stop("The scale was wrong because a stone was on it. Both places work. Which one do you want?")
        await session.ask("Keep it where it is, because nobody walks that far")
        await session.stop("OK.")
        await session.end()
        assert "gardens" in (await kept(talk, "turn", 2))["title"]
        await age(talk, 400)
        await forget(talk, "harvest figures", "prompt")
        assert "gardens" not in str(await summaries(talk))

    converse(site, story)


@pytest.mark.requirement("MEM-11")
def test_the_users_words_that_a_sessions_title_quotes_go_when_they_are_forgotten(site: Site) -> None:
    async def story(talk: Talk) -> None:
        session = await counted(talk, "beans")
        await session.ask("Should we keep the figures in the barn or in the mill?")
        await session.stop("Both places work. Which one do you want?")
        await session.ask("In the barn, the “old” gardener walks no farther")
        await session.stop("OK.")
        await session.end()
        assert "gardener" in (await kept(talk, "session"))["title"]
        await age(talk, 400)
        await forget(talk, "gardener walks", "prompt")
        assert "gardener" not in str(await summaries(talk))

    converse(site, story)


# --- who wrote it


@pytest.mark.requirement("MEM-11")
def test_a_summary_written_by_hand_goes_with_its_prompt(site: Site) -> None:
    async def story(talk: Talk) -> None:
        await counted(talk, "beans", "peas")
        portable = Portable(talk.store, "me", clean=lambda value: value)
        export = [line.decode() async for line in portable.export()]
        await talk.items.edit((await kept(talk, "turn", 2))["id"], title="My own words")
        await forget(talk, "peas", "prompt")
        assert [row["prompt_number"] for row in await summaries(talk)] == [1]
        assert await talk.items.search("own words", kinds=["summary"], text="My own words") == []
        await portable.take_in(export)
        assert [row["prompt_number"] for row in await summaries(talk)] == [1]

    converse(site, story)


@pytest.mark.requirement("MEM-11")
def test_a_summary_written_by_hand_loses_what_told_of_a_forgotten_thing(site: Site) -> None:
    async def story(talk: Talk) -> None:
        session = await counted(talk, "beans")
        await session.edit("/p/peas.py", "count")
        await session.stop("It was hard because of the peas in peas.py.")
        await talk.items.edit((await kept(talk, "turn"))["id"], title="My own words")
        await forget(talk, "peas", "edit")
        turn = await kept(talk, "turn")
        assert (turn["title"], turn["done"]) == ("My own words", "Edited beans.py: count()")
        assert not any(turn[name] for name in ("request", "investigated", "learned", "left_open", "said"))
        assert "peas" not in str(turn)

    converse(site, story)


@pytest.mark.requirement("MEM-12")
def test_what_no_longer_holds_stays_so_when_it_is_summed_up_anew(site: Site) -> None:
    async def story(talk: Talk) -> None:
        session = await counted(talk, "beans")
        turn = (await kept(talk, "turn"))["id"]
        await talk.items.supersede(turn, None, "they were peas")
        late: dict[str, Any] = {"file_path": "/p/late.py", "content": "x = 1"}
        await session.use("Write", late, {"type": "create"}, source="transcript")
        await talk.settle()
        assert "late.py" in (await kept(talk, "turn"))["done"]
        add_query("test.superseded", "SELECT superseded FROM recall_item WHERE id = :id")
        row = await talk.store.read(lambda reader: reader.one("test.superseded", id=turn))
        assert row is not None
        assert row["superseded"] == 1

    converse(site, story)
