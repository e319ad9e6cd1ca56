"""Efforts told event by event, on both databases: phases, heartbeat, hand-overs, subagents, and who works on what."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from holdfast.errors import HoldfastError
from holdfast.events.progress import ProgressBoard
from holdfast.ids import ConversationId
from holdfast.pauses import Pause, PauseFile
from holdfast.sender import Sender
from tests.contract.site import Site
from tests.conversations.talk import Talk, converse
from tests.conversations.worker import SKILL, Worker, skill


@pytest.mark.requirement("WRK-1")
@pytest.mark.requirement("WRK-3")
def test_the_life_of_an_effort(site: Site, tmp_path: Path) -> None:
    """A slash command starts it, phases follow in order, documents have its ordinal, its end names what may follow."""
    skill(tmp_path)
    (tmp_path / "sub").mkdir()

    async def story(talk: Talk) -> None:
        agent = Worker(talk, "s1", str(tmp_path))
        assert "effort" not in await agent.start()
        assert "effort" not in await agent.prompt("hello")
        assert await agent.slash("hello") == "", "an ordinary command starts none"
        told = await agent.slash("build", "the parser")
        assert "Effort build #1 begins" in told
        assert "Setup → Plan → Build → Close" in told
        line = await agent.prompt("go on")
        assert "effort build #1 (fast) · phase Setup · heartbeat 0/10" in line
        wrong: list[tuple[str, dict[str, Any], str]] = [
            ("Publish", {}, "UNKNOWN_PHASE"),
            ("Build", {}, "PHASE_NOT_SEQUENTIAL"),
            ("Build", {"reason": "  "}, "PHASE_NOT_SEQUENTIAL"),
            ("", {}, "VALIDATION_ERROR"),
            ("Plan" * 100, {}, "VALIDATION_ERROR"),
        ]
        for phase, more, name in wrong:
            with pytest.raises(HoldfastError, match=name):
                await agent.tool("effort_phase", phase=phase, **more)
        agent.cwd = str(tmp_path / "sub")  # the agent went into a folder: the effort is the same
        assert (await agent.tool("effort", action="phase", text="plan"))["phase"] == "Plan"
        before, _ = await agent.before("Read", file_path=str(tmp_path / "a.py"))
        assert "1. what\n2. why" in before, "the template of the phase, as a file to read"
        after = await agent.after("Bash", command="ls")
        assert "Ask before you decide." in after
        assert "make plan" in after
        assert (await agent.after("Bash", command="ls"), (await agent.before())[0]) == ("", ""), "both were given once"
        with pytest.raises(HoldfastError, match="VALIDATION_ERROR: Plan asks for proof before the next phase: plan"):
            await agent.tool("effort_phase", phase="Build")
        await agent.tool("effort_phase", phase="Build", proof=["plan=reviewed by the user"])
        assert (await agent.tool("effort_phase", phase="Parser"))["phase"] == "Parser"
        assert (await agent.tool("effort_phase", phase="3.2"))["phase"] == "Printer"
        assert (await agent.tool("effort_phase", phase="Setup", reason="the user wants it"))["phase"] == "Setup"
        await agent.tool("effort_log", text="read the grammar")
        await agent.tool("effort_log", text="# Plan\nparse, then print", artifact="plan")
        shown = await agent.tool("effort_show", write=".")
        assert shown["documents"] == ["1_BUILD_LOG.md", "1_BUILD_PLAN.md"]
        assert "read the grammar" in (tmp_path / "1_BUILD_LOG.md").read_text()
        assert (tmp_path / "1_BUILD_PLAN.md").read_text() == "# Plan\nparse, then print"
        assert shown["task_dir"] == str(tmp_path)
        await agent.tool("effort_log", text="wrote the lexer")
        await agent.tool("effort_show", write=".")
        assert (tmp_path / "1_BUILD_LOG.md").read_text().count("read the grammar") == 1
        assert "wrote the lexer" in (tmp_path / "1_BUILD_LOG.md").read_text()
        (tmp_path / "1_BUILD_PLAN.md").write_text("a person's plan")
        await agent.tool("effort_log", text="wrote the printer")
        with pytest.raises(HoldfastError, match=r"1_BUILD_PLAN.md is there with other content and is not overwritten"):
            await agent.tool("effort_show", write=".")
        assert (tmp_path / "1_BUILD_PLAN.md").read_text() == "a person's plan"
        assert "wrote the printer" not in (tmp_path / "1_BUILD_LOG.md").read_text()
        with pytest.raises(HoldfastError, match=r"VALIDATION_ERROR: Effort .* is active"):
            await agent.tool("effort_start", skill="build")
        done = await agent.tool("effort_finish", text="merged")
        assert done["said"] == "Finished build #1 (fast). Next: /review."
        ended: list[tuple[str, str, dict[str, Any]]] = [
            ("EFFORT_FINISHED", "effort_log", {"text": "more"}),
            ("EFFORT_FINISHED", "effort_phase", {"phase": "Plan"}),
            ("ALREADY_ENDED", "effort_finish", {}),
            ("NOT_FOUND", "effort_log", {"text": "x"}),
        ]
        for name, tool, more in ended:
            with pytest.raises(HoldfastError, match=name):
                await agent.tool(tool, **more, id="" if name == "NOT_FOUND" else done["id"])
        assert "effort" not in await agent.prompt("and now?")
        again = await agent.tool("effort_start", skill="/build", mode="careful", task=str(tmp_path / "sub"))
        assert (again["ordinal"], again["mode"], again["task_dir"]) == (1, "careful", str(tmp_path / "sub"))
        await agent.tool("effort", action="finish", text="enough")
        third = await agent.tool("effort", action="start", text="build")
        assert third["ordinal"] == 2, "of the task at the root it is the second"
        tasks = await agent.tool("task_list", project_id="all")
        assert [(task["dir_path"], task["state"], task["efforts"]) for task in tasks] == [
            (str(tmp_path), "active", 2),
            (str(tmp_path / "sub"), "dormant", 1),
        ]
        with pytest.raises(HoldfastError, match="NOT_FOUND: There is no folder"):
            await agent.tool("effort_start", skill="build", task=str(tmp_path / "gone"), replace=True)
        with pytest.raises(HoldfastError, match="VALIDATION_ERROR: build has no mode 'slow'"):
            await agent.tool("effort_start", skill="build", mode="slow", replace=True)

    converse(site, story)


@pytest.mark.requirement("WRK-4")
def test_the_heartbeat_warns_then_blocks_until_something_is_logged(site: Site, tmp_path: Path) -> None:
    skill(tmp_path)

    async def story(talk: Talk) -> None:
        agent = Worker(talk, "s1", str(tmp_path))
        await agent.start()
        for _ in range(12):
            assert await agent.before() == ("", ""), "without an effort nothing is counted or said"
        await agent.slash("build")
        await agent.after("Bash", command="ls")
        await agent.before()
        heard = [await agent.before() for _ in range(12)]
        assert [bool(refused) for _, refused in heard] == [number >= 8 for number in range(12)]
        assert [number + 2 for number, (said, _) in enumerate(heard) if "calls since the last entry" in said] == [7, 9]
        reason = heard[-1][1]
        assert "call 13 since the last entry" in reason
        command = reason.partition("`")[2].partition("`")[0]
        assert command.endswith('effort log "what you did"')
        bypassing: list[tuple[str, dict[str, Any]]] = [
            ("ToolSearch", {"query": "x"}),
            ("AskUserQuestion", {"questions": []}),
            ("mcp__holdfast__effort", {"action": "log", "text": "x"}),
            ("mcp__plugin_holdfast_holdfast__search", {"query": "x"}),
            ("Bash", {"command": command}),
            ("Bash", {"command": "cd sub && AGENT_ID=a holdfast effort log 'rm -rf is only a word' | tail -1"}),
        ]
        for tool, arguments in bypassing:
            assert (await agent.before(tool, **arguments))[1] == "", tool
        for line in (
            "holdfast effort log x; rm -rf ~",
            "holdfast effort log $(rm -rf ~)",
            "holdfast effort log x > notes",
            "echo holdfast effort log",
            "holdfast-engine effort log x",
            "bash -c 'holdfast effort log x'",
            "holdfast effort log x & ls",
        ):
            assert (await agent.before("Bash", command=line))[1], line
        await agent.tool("effort", action="log", text="looked around")
        assert agent.heartbeat == 0
        assert await agent.before() == ("", "")
        board = talk.services.get(ProgressBoard).of(ConversationId("s1"))
        assert (board.effort, board.phase, board.heartbeat) == ("build", "Setup", 1)
        await agent.work.reload()
        assert agent.heartbeat == 1, "the store has the same count"

    converse(site, story)


@pytest.mark.requirement("WRK-1")
@pytest.mark.requirement("WRK-3")
@pytest.mark.requirement("WRK-10")
@pytest.mark.requirement("CON-8")
def test_an_effort_goes_on_over_compaction_clear_and_a_new_day(site: Site, tmp_path: Path) -> None:
    skill(tmp_path, text=SKILL.replace("heartbeat: block", "heartbeat: block\npreload: [plan.md]"))
    (tmp_path / "notes.md").write_text("the lexer is slow\n" * 3)
    (tmp_path / "big.txt").write_text("word " * 20_000)

    async def story(talk: Talk) -> None:
        agent = Worker(talk, "s1", str(tmp_path))
        await agent.start()
        await agent.slash("build", "careful parser")
        for _ in range(3):
            await agent.before()
        files = ["notes.md", "big.txt", "../../../../etc/passwd"]
        await agent.tool("effort_dehydrate", text="parser half done", steps=["finish numbers"], files=files)
        assert "parser half done" not in await agent.prompt("go on"), "not in the window that wrote it"
        first = agent.work.live.windows["s1", ""].window_id
        told = await agent.start("compact")
        for words in ("Effort build #1 goes on", "Left by the window before:\nparser half done"):
            assert words in told
        assert "- finish numbers" in told
        assert "the lexer is slow" in told
        assert f"Read {tmp_path / 'big.txt'} (100,000 bytes)." in told
        assert "root:" not in told
        assert "1. what\n2. why" in told, "what the skill gives every window"
        window = agent.work.live.windows["s1", ""]
        assert (window.heartbeat, window.window_id != first) == (0, True)
        windows = (await agent.tool("effort_show"))["windows"]
        assert [(w["prev_window_id"], w["ended"]) for w in windows] == [(first, False), ("", True)]
        assert "parser half done" not in await agent.start("compact"), "given once"
        await agent.end("clear")
        after_clear = Worker(talk, "s2", str(tmp_path))
        assert "Effort build #1 goes on" in await after_clear.start("clear")
        assert "phase Setup" in await after_clear.prompt("and now?")
        await after_clear.end()
        await after_clear.work.reload()  # as after a restart of the daemon
        other_day = Worker(talk, "s3", str(tmp_path))
        assert "goes on" in await other_day.start()
        shown = await other_day.tool("effort_show")
        assert len({each["session_id"] for each in shown["windows"]}) == 3
        # Its documents are named to the next window, also in the hand-over of the session itself.
        await other_day.tool("effort_log", text="1. lex", artifact="plan")
        other_day.work.forget()
        talk.services.get(ProgressBoard).note(ConversationId("s3"), effort="", documents=())  # as after a restart
        await other_day.before("mcp__holdfast__dehydrate", summary="numbers work")
        await other_day.tool("dehydrate", summary="numbers work")
        await other_day.end()
        told = await Worker(talk, "s4", str(tmp_path)).start()
        assert re.search(r"Documents: 1_BUILD_LOG.md, 1_BUILD_PLAN.md. `\S+ .*effort show \w{8} --write .`", told)
        assert "Summary: numbers work\n" in told
        assert "Documents of the effort build: 1_BUILD_LOG.md, 1_BUILD_PLAN.md." in told

    converse(site, story)


@pytest.mark.requirement("WRK-3")
@pytest.mark.requirement("WRK-4")
def test_two_clients_of_one_project_have_two_efforts_and_two_heartbeats(site: Site, tmp_path: Path) -> None:
    skill(tmp_path)

    async def story(talk: Talk) -> None:
        one, two = Worker(talk, "s1", str(tmp_path)), Worker(talk, "s2", str(tmp_path))
        await one.start()
        await one.slash("build")
        assert "effort" not in await two.start(), "the effort of a session that runs is not taken up"
        assert "effort" not in await two.prompt("hello")
        for _ in range(11):
            assert (await two.before())[1] == ""
        await two.slash("build", "other work")
        for _ in range(3):
            await one.before()
        await two.before()
        assert (one.heartbeat, two.heartbeat) == (3, 1)
        third = Worker(talk, "s3", str(tmp_path))
        assert "effort" not in await third.start()
        await two.end()
        assert "effort" not in await third.prompt("hello"), "what another left is not taken up in the middle"
        outside = Worker(talk, "", str(tmp_path))
        begun = await outside.tool("effort_start", is_agent=False, skill="build", title="by hand")
        assert "Effort build #3 begins" in await third.prompt("and now?")
        await third.tool("effort_finish", id=begun["id"])
        await two.start("resume")
        assert len(await one.tool("effort_list", project_id="all")) == 2
        with pytest.raises(HoldfastError, match="VALIDATION_ERROR: Several efforts are active here"):
            await Worker(talk, "", str(tmp_path)).tool("effort_log", is_agent=False, text="x")
        with pytest.raises(HoldfastError, match="VALIDATION_ERROR: Another session works on effort"):
            await two.tool("effort_log", text="x", id=(await one.tool("effort_show"))["id"])
        # Agents with a name: each has its own, and takes it up again in the next session.
        left, right = (Worker(talk, f"n{name}", str(tmp_path), sender=Sender(name)) for name in ("left", "right"))
        for agent in (left, right):
            await agent.start()
            assert "effort" not in await agent.prompt("hello")
            await agent.slash("build", agent.sender.agent)
        again = Worker(talk, "n3", str(tmp_path), sender=Sender("right"))
        await right.end()
        assert "goes on" in await again.start()
        assert (await again.tool("effort_show"))["agent"] == "right"
        with pytest.raises(HoldfastError, match="belongs to the agent left, not to right"):
            await again.tool("effort_log", text="x", id=(await left.tool("effort_show"))["id"])
        with pytest.raises(HoldfastError, match=r"VALIDATION_ERROR: Effort .* is active"):
            await rpc_start(talk, tmp_path, "left")
        for name, parent in (("left", "boss"), ("boss", ""), ("right", "left")):
            await left.tool("agent_register", is_agent=False, name=name, parent=parent)
        for name, parent in (("boss", "right"), ("left", "left")):
            with pytest.raises(HoldfastError, match=r"VALIDATION_ERROR: .* cannot be above itself"):
                await left.tool("agent_register", is_agent=False, name=name, parent=parent)

    async def rpc_start(talk: Talk, folder: Path, agent: str) -> None:
        lone = Worker(talk, "", str(folder), sender=Sender(agent))
        await lone.tool("effort_start", is_agent=False, skill="build")

    converse(site, story)


@pytest.mark.requirement("WRK-11")
def test_a_subagent_has_its_own_window_and_never_ends_its_parents(site: Site, tmp_path: Path) -> None:
    skill(tmp_path)
    (tmp_path / "a.py").write_text("x")

    async def story(talk: Talk) -> None:
        agent = Worker(talk, "s1", str(tmp_path))
        await agent.start()
        helper = agent.helper("abc")
        assert (await helper.hook("SubagentStart"), await helper.before()) == ({}, ("", "")), (
            "nothing without an effort"
        )
        await helper.hook("SubagentStop", last_assistant_message="done")
        await agent.slash("build")
        await agent.before()
        given = (await helper.hook("SubagentStart"))["hookSpecificOutput"]["additionalContext"]
        for words in ("Effort build #1", "as a subagent of session", "- WHAT, WHY"):
            assert words in given
        for _ in range(4):
            await helper.before()
        assert (agent.heartbeat, helper.heartbeat) == (1, 4)
        await helper.hook("PreToolUse", tool_name="mcp__holdfast__effort", tool_input={"action": "log", "text": "sub"})
        await agent.tool("effort", action="log", text="sub")
        assert (agent.heartbeat, helper.heartbeat) == (1, 0), "the log of the subagent is its own"
        await helper.after("Read", file_path=str(tmp_path / "a.py"))
        await helper.hook("SubagentStop", agent_type="", last_assistant_message="a compaction")
        assert helper.heartbeat == 0
        await helper.hook("SubagentStop", last_assistant_message="done")
        assert agent.helper("abc").heartbeat is None
        assert agent.heartbeat == 1
        shown = await agent.tool("effort_show")
        assert shown["loaded_files"] == [str(tmp_path / "a.py")]
        assert [(w["agent_id"], w["ended"]) for w in shown["windows"]] == [("abc", True), ("", False)]

    converse(site, story)


@pytest.mark.requirement("WRK-4")
def test_a_pause_never_locks_an_agent_in(site: Site, tmp_path: Path) -> None:
    """While recording is paused nothing can be logged, so nothing is blocked for good, and no word is kept."""
    skill(tmp_path)

    async def story(talk: Talk, pauses: PauseFile) -> None:
        agent = Worker(talk, "s1", str(tmp_path))
        await agent.start()
        await agent.slash("build")
        for _ in range(9):
            assert (await agent.before())[1] == ""
        pauses.add(Pause("project", str(tmp_path)))
        assert [(await agent.before())[1] for _ in range(3)] == ["", "", ""]
        pauses.change(lambda listed: [])
        pauses.add(Pause("session", "s1"))
        assert (await agent.before())[1] == ""
        agent.is_paused = True
        told = await agent.tool("effort", action="log", text="unheard words")
        assert told["said"] == "Recording is paused here; nothing was kept. The heartbeat was reset."
        with pytest.raises(HoldfastError, match="Recording is paused"):
            await agent.tool("effort", action="phase", text="Plan")
        pauses.change(lambda listed: [])
        agent.is_paused = False
        assert agent.heartbeat == 0
        shown = await agent.tool("effort_show")
        assert [each["kind"] for each in shown["entries"]] == ["phase"]

    async def run() -> None:
        async with site.open() as store:
            talk = Talk(store, home=tmp_path / "home")
            try:
                await story(talk, PauseFile(tmp_path / "home" / "pauses.json"))
            finally:
                await talk.service.close()

    (tmp_path / "home").mkdir()
    asyncio.run(run())
