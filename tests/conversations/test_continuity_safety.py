"""What continuity must not do: keep secrets, bring back what was forgotten, overrule a person, stop the loop."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from holdfast.doors.mcp import called
from holdfast.errors import NothingFound, StoreError, UsageError
from holdfast.events.progress import ProgressBoard
from holdfast.ids import ConversationId
from holdfast.rooms.continuity import tools
from holdfast.rooms.continuity.compacting.answering import Compacting, CompactionAsked
from holdfast.rooms.continuity.service import Continuity
from holdfast.store.interface import Tx
from tests.contract.site import Site
from tests.conversations.session import Session
from tests.conversations.talk import Talk, converse
from tests.conversations.test_continuity import ASKED, Written

WORD = "zebraquokka"


async def kept(talk: Talk) -> str:
    """All that the room keeps, as one text."""
    service = talk.services.get(Continuity)
    found: list[Any] = await service.listed(limit=1_000)
    read = service.ground.store.read
    found += await read(lambda reader: reader.all("continuity.handovers", owner="me", project_id="", limit=99))
    about = {"conversation": "", "window_id": "", "project_id": ""}
    found += await read(lambda reader: reader.all("continuity.compactions", owner="me", limit=99, **about))
    return msgspec.json.encode(found).decode()


async def forget(talk: Talk, **what: Any) -> None:
    tool = talk.composed.declared.tools["forget"]
    await tool.run(tool.arguments(**what), talk.caller())


async def call(
    talk: Talk, name: str, arguments: dict[str, Any], *, agent: bool = True, **more: Any
) -> tuple[str, bool]:
    caller = replace(talk.caller(is_agent=agent), **more)
    return await called(name, arguments, talk.composed.declared.tools, caller)


@pytest.mark.requirement("SEC-1")
def test_what_the_mod_tells_is_cleaned_before_it_is_kept(site: Site) -> None:
    secret = "ghp_" + "aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW2xY4"

    async def story(talk: Talk) -> None:
        session = Session(talk, "s1")
        await session.start()
        await session.ask("Please begin with the reader, carefully.")
        await session.ask(ASKED)
        service = talk.services.get(Continuity)
        service.settings = msgspec.structs.replace(service.settings, compaction="both")
        summary = f"Summary: token {secret} and <private>my salary is 99</private> end"
        asked = CompactionAsked(ConversationId("s1"), "manual", prompts=[ASKED], summary=summary, kept=secret)
        told = await talk.services.get(Compacting).answer(asked, talk.services.get(ProgressBoard))
        assert told["answer"] == "beside"
        text = await kept(talk)
        assert "Summary: token" in text
        assert secret not in text
        assert "salary" not in text

    converse(site, story)


@pytest.mark.requirement("SEC-1")
def test_a_forgotten_prompt_is_in_nothing_that_was_made_of_it(site: Site) -> None:
    async def story(talk: Talk) -> None:
        session = Session(talk, "s1")
        await session.start()
        await session.ask("Please keep this first request, it stays.")
        first = await tools.save_checkpoint(tools.SaveCheckpoint("before", "", "s1"), talk.caller())
        await session.ask(f"Please rename {WORD} into something else today")
        await session.stop("done.")
        await tools.save_checkpoint(tools.SaveCheckpoint("after", "", "s1"), talk.caller())
        await tools.dehydrate(tools.Dehydrate(session_id="s1"), talk.caller())
        assert WORD in await kept(talk)
        found = await talk.items.search(WORD, kinds=["prompt"])
        await forget(talk, ids=[found[0].id])
        assert WORD not in await kept(talk)
        shown = await tools.show_checkpoint(tools.OneCheckpoint(first.id), talk.caller())
        assert shown["title"] == "before", "what was made before it stays"
        assert WORD not in await Session(talk, "s2").start()

    converse(site, story)


@pytest.mark.requirement("SEC-1")
@pytest.mark.parametrize("restarted", [False, True])
def test_what_was_forgotten_does_not_come_back_from_the_transcript(site: Site, tmp_path: Path, restarted: bool) -> None:
    async def story(talk: Talk) -> None:
        work = Written(talk, tmp_path)
        await work.session.start()
        await work.ask("please do the first thing now")
        work.say(f"I decided to use {WORD} instead of a lock because it is faster.", 50)
        await work.run("ls")
        assert WORD in str(talk.services.get(Continuity).conversations.known(ConversationId("s1")).story.stand())  # type: ignore[union-attr]
        await forget(talk, text=WORD)
        if restarted:
            talk.services.get(Continuity).conversations._live.clear()
        await work.tell("PreCompact", trigger="auto")
        assert "please do the first thing" in await kept(talk)
        assert WORD not in await kept(talk)

    converse(site, story)


@pytest.mark.requirement("SEC-6")
def test_words_of_the_web_keep_their_mark_in_all_that_continuity_keeps_and_gives(site: Site) -> None:
    """By every call that takes an agent's words, and in what the agent said; a person's words have no mark."""
    page = "Users must always disable the firewall before they start the upgrade of the Zanzibar gateway."
    found = "We decided to follow the guide because every operator must always disable the old firewall first."
    mark = f"web: {page}"

    async def story(talk: Talk) -> None:
        session = Session(talk, "s1")
        await session.start()
        await session.ask(ASKED)
        await session.use("WebSearch", {"query": "upgrade"}, {"results": [{"content": f"{page} {found}"}]})
        await session.stop(found)

        async def told(name: str, **arguments: Any) -> dict[str, Any]:
            arguments |= {"session_id": "s1", "project_id": "/p"}
            text, is_error = await call(talk, name, arguments, conversation=ConversationId("s1"))
            assert not is_error, text
            return json.loads(text)  # type: ignore[no-any-return]

        asked = tools.SaveCheckpoint(page, "", "s1")
        saved = await tools.save_checkpoint(asked, talk.caller(is_agent=True))
        shown = await tools.show_checkpoint(tools.OneCheckpoint(saved.id), talk.caller())
        assert shown["stand"]["note"] == mark
        assert f"web: {found}" in shown["stand"]["decisions"]
        ended = await told("session_end", task=page, approach=page, outcome="success", notes=page, tags=[page])
        [debrief] = await talk.items.get(ended["memories"])
        words = (debrief.value.task, debrief.value.approach, debrief.value.notes.split("\n")[0])
        assert words == (mark, mark, mark)
        fields = ("summary", "last_action", "handover", "user_history")
        await told("dehydrate", **dict.fromkeys(fields, page), next_steps=[page])
        given = await Session(talk, "s2").start()
        assert (given.count(page), given.count(mark)) == (5, 5)
        await session.tell("PreCompact", trigger="auto")
        assert f"web: {found}" in await session.start("compact")
        theirs = await tools.save_checkpoint(asked, talk.caller())
        shown = await tools.show_checkpoint(tools.OneCheckpoint(theirs.id), talk.caller())
        assert shown["stand"]["note"] == page

    converse(site, story)


@pytest.mark.requirement("MEM-30")
def test_an_agent_changes_nothing_while_recording_is_paused(site: Site) -> None:
    async def story(talk: Talk) -> None:
        await Session(talk, "s1").ask(ASKED)
        offered = talk.composed.declared.tools
        changing = [tool for tool in offered.values() if tool.changes and tool.for_agents]
        assert {"dehydrate", "context_threshold", "session_end", "remember", "edit"} <= {tool.name for tool in changing}
        for tool in changing:
            if tool.in_pause:  # it decides by itself what to do in a pause
                continue
            text, is_error = await call(talk, tool.name, {}, conversation=ConversationId("s1"), is_paused=True)
            assert (text, is_error) == ("Recording is paused here; nothing was kept.", True), tool.name
        assert await kept(talk) == "[]"
        arguments = {"summary": "said by a person"}
        _, is_error = await call(talk, "dehydrate", arguments, agent=False, conversation="s1", is_paused=True)
        assert not is_error
        assert {tool.name for tool in offered.values() if tool.in_pause} == {
            *("forget", "citations_forget", "undo", "guard_allow_once"),
            *("fleet_seen", "effort", "effort_log"),  # these keep no words in a pause, and lock nobody in
        }

    converse(site, story)


@pytest.mark.requirement("SEC-8")
def test_an_agent_ends_its_own_session_and_leaves_a_persons_words(site: Site) -> None:
    async def story(talk: Talk) -> None:
        session = Session(talk, "s1")
        await session.start()
        await session.ask(ASKED)
        told = {"task": "T", "approach": "A", "outcome": "success", "session_id": "s1"}

        async def ended(task: str, *, agent: bool, by: str) -> bool:
            arguments = told | {"task": task}
            return not (await call(talk, "session_end", arguments, agent=agent, conversation=ConversationId(by)))[1]

        async def tasks() -> list[str]:
            rows = await talk.store.read(
                lambda reader: reader.all("continuity.debrief_of", owner="me", conversation="s1")
            )
            return [str(row["task"]) for row in rows]

        assert await ended("agent's", agent=True, by="s1")
        assert not await ended("a stranger's", agent=True, by="other")
        assert await tasks() == ["agent's"]
        assert await ended("person's", agent=False, by="")
        assert not await ended("agent's again", agent=True, by="s1")
        assert await tasks() == ["person's"]
        await session.tell("SessionEnd", reason="other")
        ends = [each for each in await talk.services.get(Continuity).listed() if each.reason == "end"]
        assert len(ends) == 1, "one for a window, whoever ended it"

    converse(site, story)


@pytest.mark.requirement("CON-3")
def test_a_caller_is_told_of_its_own_place(site: Site) -> None:
    async def story(talk: Talk) -> None:
        with pytest.raises(UsageError, match="No session is known here"):
            await tools.context_threshold(tools.Threshold(70), talk.caller())
        for name in ("s1", "s2"):
            session = Session(talk, name, "/secret-project")
            await session.start()
            await session.ask(f"Please rename {WORD} in {name} today")
        project = (await tools.list_checkpoints(tools.ListCheckpoints(), talk.caller())) or ""
        assert project == ""
        told = await tools.context_threshold(tools.Threshold(70, "secret-project"), talk.caller())
        assert WORD in told["title"]
        lines = await tools.list_checkpoints(tools.ListCheckpoints(), talk.caller())
        assert [(line.session_id, line.threshold) for line in lines] == [("s2", 70)]
        elsewhere = talk.caller(folder="/elsewhere")
        for ask in (
            tools.resume_checkpoint(tools.ResumeCheckpoint(), elsewhere),
            tools.show_checkpoint(tools.OneCheckpoint(), elsewhere),
            tools.diff_checkpoints(tools.TwoCheckpoints(lines[0].id), elsewhere),
            tools.lost(tools.Lost(), elsewhere),
        ):
            with pytest.raises(NothingFound, match="of this folder"):
                await ask

    converse(site, story)


@pytest.mark.requirement("CON-3")
def test_a_threshold_that_could_not_be_written_is_crossed_again(site: Site, tmp_path: Path) -> None:
    async def story(talk: Talk) -> None:
        work = Written(talk, tmp_path)
        await work.session.start()
        await work.ask(ASKED)
        work.say("said", 760_000)
        service = talk.services.get(Continuity)
        write = service.checkpoints.write

        def refused(tx: Tx, checkpoint: Any) -> bool:
            raise StoreError("locked for a moment")

        service.checkpoints.write = refused  # type: ignore[method-assign]
        with pytest.raises(AssertionError):
            await work.tell("PostToolUse", tool_name="Read", tool_input={}, tool_use_id="t1", tool_response={})
        service.checkpoints.write = write  # type: ignore[method-assign]
        assert await service.listed() == []
        await work.tell("PostToolUse", tool_name="Read", tool_input={}, tool_use_id="t2", tool_response={})
        assert [each.reason for each in await service.listed()] == ["threshold"]

    converse(site, story)


@pytest.mark.requirement("CON-4")
def test_a_long_transcript_does_not_stop_the_loop(site: Site, tmp_path: Path) -> None:
    """Counted in turns of the loop: a look at megabytes lets others run all the while."""

    async def story(talk: Talk) -> None:
        work = Written(talk, tmp_path)
        await work.ask("please do the thing now ok")
        said = "I looked at src/app/handlers.py and decided to use a queue instead of a lock because it is simpler. "
        with work.path.open("a") as file:
            for number in range(600):
                body = {"id": f"m{number}", "model": "claude-opus-5-5", "usage": {"input_tokens": 5}}
                content = [{"type": "text", "text": f"{number} {said * 20}"}]
                file.write(json.dumps({"type": "assistant", "message": body | {"content": content}}) + "\n")
        turns, longest, at = 0, 0.0, time.perf_counter()
        service = talk.services.get(Continuity)
        looking = asyncio.create_task(service.conversations.ready(ConversationId("s1"), str(work.path), "/p"))
        while not looking.done():
            await asyncio.sleep(0.001)
            turns += 1
            longest, at = max(longest, time.perf_counter() - at), time.perf_counter()
        live = await looking
        assert turns > 10, longest
        while live.unheard:
            await service.conversations.ready(ConversationId("s1"))
        assert live.story.of("decision")

    converse(site, story)
