"""Who may do what in an effort: sessions beside each other, subagents, and efforts that ended elsewhere."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from holdfast.doors.rpc import answer_to
from holdfast.errors import HoldfastError
from holdfast.events.progress import ProgressBoard
from holdfast.ids import ConversationId
from holdfast.rooms.work import tables
from holdfast.sender import Sender
from tests.contract.site import Site
from tests.conversations.talk import Talk, converse
from tests.conversations.worker import Worker, skill


@pytest.mark.requirement("WRK-3")
@pytest.mark.requirement("WRK-10")
def test_a_cleared_session_goes_on_with_its_own_effort_and_speaks_for_itself_only(site: Site, tmp_path: Path) -> None:
    skill(tmp_path)

    async def story(talk: Talk) -> None:
        clients = Sender(pid=os.getpid()), Sender(pid=os.getppid())  # two processes that run
        first, second = (Worker(talk, f"s{n}", str(tmp_path), sender=sender) for n, sender in enumerate(clients, 1))
        for agent in (first, second):
            await agent.start()
            await agent.slash("build", agent.name)
        with pytest.raises(HoldfastError, match="for its own session only"):
            await second.tool("effort_log", text="x", session_id="s1")
        with pytest.raises(HoldfastError, match="under its own name only"):
            await second.tool("effort_log", text="x", agent="boss")
        with pytest.raises(HoldfastError, match="for its own session only"):
            await second.tool("effort_start", skill="build", replace=True, session_id="s1")
        asked = {"jsonrpc": "2.0", "id": 1, "method": "session.finish", "params": {"session_id": "s1"}}
        refused = await answer_to(asked, talk.composed, second.caller())
        assert refused is not None
        assert "for its own session only" in refused["error"]["message"]
        await first.tool("effort_log", text="x", session_id="s1")
        await second.tool("effort_log", is_agent=False, text="a person may", session_id="s1")
        await first.end("clear")
        await second.end()
        cleared = Worker(talk, "s3", str(tmp_path), sender=clients[0])
        assert "Effort build #1" in await cleared.start("clear"), "not the newest one"
        await cleared.end("clear")
        assert "Effort build #1" in await Worker(talk, "s4", str(tmp_path)).start("clear"), "the last that was left"

    converse(site, story)


@pytest.mark.requirement("WRK-4")
@pytest.mark.requirement("WRK-11")
def test_a_subagent_is_warned_never_held_and_hands_nothing_over_for_its_parent(site: Site, tmp_path: Path) -> None:
    skill(tmp_path)

    async def story(talk: Talk) -> None:
        agent = Worker(talk, "s1", str(tmp_path))
        await agent.start()
        await agent.slash("build")
        helper = agent.helper("abc")
        await helper.hook("SubagentStart")
        heard = [await helper.before() for _ in range(21)]
        assert [refused for _, refused in heard if refused] == []
        warned = [said for said, _ in heard if "calls since the last entry" in said]
        assert len(warned) == 4
        assert not any("refused" in said for said in warned)
        await agent.tool("effort", action="log", text="the helper looks around")
        assert helper.heartbeat == 0, "what the parent logs counts for its helpers"
        await agent.work.reload()
        assert helper.heartbeat == 0

        async def by_helper(action: str, text: str) -> None:
            asked = {"action": action, "text": text}
            await helper.hook("PreToolUse", tool_name="mcp__holdfast__effort", tool_input=asked)
            await agent.tool("effort", action=action, text=text)

        await agent.tool("effort", action="dehydrate", text="the parent's own")
        board = talk.services.get(ProgressBoard)
        board.note(ConversationId("s1"), handed_over=False)
        await by_helper("dehydrate", "half of the lexer")
        assert not board.of(ConversationId("s1")).handed_over
        assert "half of the lexer" not in await agent.prompt("go on"), "the parent's window is not the next one"
        with pytest.raises(HoldfastError, match="A subagent does not finish the effort of its parent"):
            await by_helper("finish", "done")
        told = await agent.start("compact")
        assert "the parent's own" in told
        assert "half of the lexer" in told

    converse(site, story)


@pytest.mark.requirement("WRK-4")
def test_an_effort_that_ended_elsewhere_holds_nobody(site: Site, tmp_path: Path) -> None:
    skill(tmp_path)

    async def story(talk: Talk) -> None:
        agent = Worker(talk, "s1", str(tmp_path))

        async def ended_elsewhere() -> None:
            effort = agent.work.live.effort_of(ConversationId("s1"))
            assert effort is not None
            await talk.store.write(lambda tx: tables.finish(tx, effort.id, 1))

        await agent.start()
        await agent.slash("build")
        for _ in range(11):
            await agent.before()
        assert (await agent.before())[1]
        await ended_elsewhere()
        await agent.before()
        assert [(await agent.before())[1] for _ in range(2)] == ["", ""], "the store is the truth"
        await agent.slash("build")
        await ended_elsewhere()
        with pytest.raises(HoldfastError, match="EFFORT_FINISHED"):
            await agent.tool("effort_log", text="x")
        assert agent.heartbeat is None
        await agent.after("Read", file_path=str(tmp_path / "a.py"))
        assert agent.work.live.efforts == {}

    converse(site, story)
