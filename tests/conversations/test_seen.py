"""What the model was given in a session: every word of it, where, and what it cost (MEM-27). On both stores."""

from __future__ import annotations

import pytest

from holdfast.errors import NothingFound, UsageError
from holdfast.events.tokens import count_tokens
from holdfast.items.seen import GivenInSession, Seen, seen
from holdfast.upkeep.forget_selection import ForgetRequest
from tests.contract.site import Site
from tests.conversations.session import Session, fixed_a_loop
from tests.conversations.talk import Talk, context, converse
from tests.support.upkeep import forgetting

PARAPHRASE = "Why did an expired cookie send people back to login again and again?"


async def look(talk: Talk, session: str = "", folder: str = "") -> GivenInSession:
    return await seen(Seen(session), talk.caller(folder=folder))


@pytest.mark.requirement("MEM-27")
def test_everything_that_was_given_is_seen_with_its_place_and_cost(site: Site) -> None:
    async def story(talk: Talk) -> None:
        await fixed_a_loop(talk)
        assert (await look(talk, "s1")).given == [], "of its failing test nothing: this agent has no tools"
        talk.injecting.settings = type(talk.injecting.settings)(brief_tokens=120)
        session = Session(talk, "s2-whole-id")
        brief = await session.start()
        await session.ask("What time is it?")
        recalled = await session.ask(PARAPHRASE)
        payload = {"session_id": "s2-whole-id", "cwd": "/p", "hook_event_name": "PreToolUse", "tool_use_id": "t1"}
        refused = await talk.tell(
            payload | {"tool_name": "Bash", "tool_input": {"command": "git push --force origin main"}}
        )
        found = await look(talk, "s2-whole")
        assert found.session == "s2-whole-id"
        assert found.turns == 2
        where = {piece.event: piece for piece in found.given}
        pieces = {"SessionStart": (brief, 0), "UserPromptSubmit": (recalled, 2)}
        for event, (text, turn) in pieces.items():
            if text:
                assert where[event].turn == turn
                inner = "\n".join(text.splitlines()[1:-1])
                assert where[event].text == inner
                assert where[event].items
                assert where[event].tokens == count_tokens(text)
        assert brief
        assert found.tokens == sum(piece.tokens for piece in found.given)
        said = context(refused) or refused["hookSpecificOutput"]["permissionDecisionReason"]
        if refused["hookSpecificOutput"].get("permissionDecision") == "deny":
            assert said.splitlines()[0] in where["PreToolUse"].text

    converse(site, story)


@pytest.mark.requirement("MEM-27")
def test_a_session_is_named_by_its_beginning_or_by_where_one_stands(site: Site) -> None:
    async def story(talk: Talk) -> None:
        await fixed_a_loop(talk)
        await Session(talk, "ab-1").start()
        await Session(talk, "ab-2").start()
        assert (await look(talk, "ab-2")).session == "ab-2"
        assert (await look(talk)).session == "ab-2"
        with pytest.raises(UsageError, match="Several sessions"):
            await look(talk, "ab")
        with pytest.raises(NothingFound):
            await look(talk, "nobody")
        with pytest.raises(NothingFound):
            await look(talk, folder="/never")

    converse(site, story)


@pytest.mark.requirement("MEM-11")
def test_forgotten_words_are_not_seen_any_more(site: Site) -> None:
    async def story(talk: Talk) -> None:
        await fixed_a_loop(talk)
        session = Session(talk, "s2")
        await session.start()
        given = (await look(talk, "s2")).given
        assert given
        item = given[0].items[0]
        await forgetting(talk.store, talk.owner, talk.items).forget(ForgetRequest(ids=(item,)))
        assert (await look(talk, "s2")).given == []

    converse(site, story)
