"""Which prompt an answer belongs to: what answers a private or forgotten prompt is kept nowhere (both stores)."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.upkeep.forget_selection import ForgetRequest
from tests.contract.kept import forgetting
from tests.contract.site import Site
from tests.conversations.session import Session
from tests.conversations.talk import Talk, converse

PRIVATE = "<private>When does the Zanzibar merger close?</private>"
ANSWER = "The Zanzibar merger closes in May because the board decided so."
NOTICE = "<task-notification>\n<task-id>b1</task-id>\n</task-notification>"


async def summaries(talk: Talk, conversation: str = "s1") -> list[dict[str, Any]]:
    found = await talk.store.read(lambda reader: reader.all("memory.summaries_of", conversation=conversation))
    return [dict(row) for row in found]


async def kept(talk: Talk, level: str, number: int = 0) -> dict[str, Any]:
    """The one summary of a level (and turn)."""
    [found] = [
        row for row in await summaries(talk) if row["level"] == level and (not number or row["prompt_number"] == number)
    ]
    return found


async def tell(talk: Talk, event: str, **own: Any) -> None:
    """An event of a client that does not name its prompts (MEM-14)."""
    await talk.tell({"session_id": "s1", "cwd": "/p", "hook_event_name": event} | own)
    await talk.settle()


@pytest.mark.requirement("MEM-2")
def test_a_subagents_answer_to_a_private_prompt_is_not_kept(site: Site) -> None:
    async def story(talk: Talk) -> None:
        main = Session(talk, "s1")
        await main.ask("Have the beans counted by someone")
        await main.stop("They were counted.")
        await main.ask(PRIVATE)
        agent = main.helper("a1")
        await agent.edit("/p/merger.py", "close")
        await main.ask("Have the peas counted as well")  # it works on in the background
        await agent.tell("SubagentStop", last_assistant_message=ANSWER)
        await talk.settle()
        assert (await kept(talk, "agent"))["done"] == "Edited merger.py: close()"
        assert "zanzibar" not in str(await summaries(talk)).lower()

    converse(site, story)


@pytest.mark.requirement("MEM-2")
def test_without_prompt_ids_a_subagent_answers_the_prompt_before_it_began(site: Site) -> None:
    agent = {"agent_id": "a1", "agent_type": "general-purpose"}
    edit = {"tool_name": "Write", "tool_input": {"file_path": "/p/merger.py", "content": "x"}, "tool_response": {}}

    async def story(talk: Talk) -> None:
        await tell(talk, "UserPromptSubmit", prompt="Have the beans counted by someone")
        await tell(talk, "UserPromptSubmit", prompt=PRIVATE)
        await tell(talk, "SubagentStart", **agent)
        await tell(talk, "PostToolUse", **agent, **edit, tool_use_id="toolu_u1")
        await tell(talk, "UserPromptSubmit", prompt="Have the peas counted as well")
        await tell(talk, "SubagentStop", **agent, last_assistant_message=ANSWER)
        assert "merger.py" in (await kept(talk, "agent"))["done"]
        assert "zanzibar" not in str(await summaries(talk)).lower()

    converse(site, story)


@pytest.mark.requirement("MEM-2")
@pytest.mark.requirement("MEM-14")
def test_without_prompt_ids_a_private_answer_is_not_the_turns_before(site: Site) -> None:
    async def story(talk: Talk) -> None:
        await tell(talk, "UserPromptSubmit", prompt="How many beans are in the jar?")
        await tell(talk, "Stop", last_assistant_message="There are seven beans in it.")
        await tell(talk, "UserPromptSubmit", prompt=PRIVATE)
        await tell(talk, "Stop", last_assistant_message=ANSWER)
        await tell(talk, "SessionEnd", reason="other")
        assert (await kept(talk, "turn"))["said"] == "There are seven beans in it."
        assert "seven beans" in (await kept(talk, "session"))["done"]
        assert "zanzibar" not in str(await summaries(talk)).lower()

    converse(site, story)


@pytest.mark.requirement("MEM-2")
def test_a_private_prompt_in_the_middle_of_a_turn_makes_its_answer_private(site: Site) -> None:
    async def story(talk: Talk) -> None:
        session = Session(talk, "s1")
        await session.ask("How many beans are in the jar?")
        asked = session.prompt_id
        await session.ask(PRIVATE)
        session.prompt_id = asked
        await session.stop(ANSWER)
        await session.end()
        assert "zanzibar" not in str(await summaries(talk)).lower()

    converse(site, story)


@pytest.mark.requirement("MEM-11")
def test_the_answer_to_a_forgotten_prompt_goes_with_it(site: Site) -> None:
    async def story(talk: Talk) -> None:
        await tell(talk, "UserPromptSubmit", prompt="How many beans are in the jar?")
        await tell(talk, "Stop", last_assistant_message="There are seven beans in it.")
        await tell(talk, "UserPromptSubmit", prompt="When does the merger close?")
        await tell(talk, "Stop", last_assistant_message=ANSWER)
        await tell(talk, "SessionEnd", reason="other")
        [merger] = await talk.items.search("merger", kinds=["prompt"], text="merger")
        await forgetting(talk.store).forget(ForgetRequest(ids=(merger.id,)))
        await tell(talk, "UserPromptSubmit", prompt="And how many peas are in it?")
        assert (await kept(talk, "turn", 1))["said"] == "There are seven beans in it."
        assert "seven beans" in (await kept(talk, "session"))["done"]
        found = await talk.store.read(
            lambda reader: reader.all("journal.list", conversation="", event="", since=0, owner="me", limit=100)
        )
        assert "zanzibar" not in f"{await summaries(talk)}{[row['payload'] for row in found]}".lower()

    converse(site, story)


@pytest.mark.requirement("MEM-5")
@pytest.mark.requirement("EVT-11")
def test_what_is_said_after_a_notification_is_kept_with_the_turn_before_it(site: Site) -> None:
    async def story(talk: Talk) -> None:
        session = Session(talk, "s1")
        await session.ask("Find out in the background why the pump is loud")
        await session.stop("I have started the search.")
        await session.ask(NOTICE)
        await session.edit("/p/pump.py", "gasket")
        await session.stop("The root cause was a dry gasket in the pump.")
        await session.end()
        turn = await kept(talk, "turn")
        assert turn["said"] == turn["learned"] == "The root cause was a dry gasket in the pump."
        assert "dry gasket" in (await kept(talk, "session"))["learned"]
        await session.ask(PRIVATE)
        await session.ask(NOTICE)
        await session.stop(ANSWER)
        await session.end()
        assert (await kept(talk, "turn")) == turn
        assert "zanzibar" not in str(await summaries(talk)).lower()

    converse(site, story)
