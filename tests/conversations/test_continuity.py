"""Checkpoints, compactions and hand-overs: hook JSON in, answers and rows out, on both databases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from holdfast.errors import HoldfastError, UsageError
from holdfast.events.answer import command_body
from holdfast.events.progress import ProgressBoard
from holdfast.ids import ConversationId
from holdfast.road.edge import read_payload
from holdfast.rooms.continuity import conversations, rules, tables, tools
from holdfast.rooms.continuity.compacting.answering import Compacting, CompactionAsked
from holdfast.rooms.continuity.model import Checkpoint
from holdfast.rooms.continuity.service import Continuity
from holdfast.rooms.continuity.settings import Settings
from holdfast.rooms.continuity.showing import pane
from holdfast.rooms.continuity.showing.status_line import read, written
from holdfast.store.interface import Reader, Value
from tests.contract.site import Site
from tests.conversations.learner import Learner
from tests.conversations.session import Session
from tests.conversations.talk import Talk, context, converse

ASKED = "Please make the uploader resumable; tickets UPL-311 and UPL-318."
CORRECTED = "no, I said chunks of 8 MB, not 16"
DECIDED = "I went with a journal file beside the upload because the server keeps no state."


class Written:
    """A session whose transcript is on disk, as the client writes it."""

    def __init__(self, talk: Talk, folder: Path, name: str = "s1") -> None:
        self.path = folder / f"{name}.jsonl"
        self.session = Session(talk, name, str(folder))
        self.talk = talk
        self.messages = 0

    def write(self, kind: str, **more: Any) -> None:
        line = {"type": kind, "isSidechain": False, "timestamp": "2026-11-15T18:41:45.209Z"} | more
        with self.path.open("a") as file:
            file.write(json.dumps(line) + "\n")

    async def ask(self, prompt: str) -> str:
        given = await self.session.ask(prompt)
        self.write("user", promptId=self.session.prompt_id, message={"content": prompt})
        return given

    def say(self, text: str, tokens: int) -> None:
        self.messages += 1
        usage = {"input_tokens": 1, "cache_read_input_tokens": tokens - 1}
        body = {"id": f"m{self.messages}", "model": "claude-opus-5-5", "usage": usage}
        self.write("assistant", message=body | {"content": [{"type": "text", "text": text}]})

    async def run(self, command: str, output: str = "", error: str = "") -> str:
        named = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": f"toolu_{command}"}
        given = await self.tell("PreToolUse", **named)
        if error:
            await self.tell("PostToolUseFailure", **named, error=error)
        else:
            await self.tell("PostToolUse", **named, tool_response={"stdout": output, "stderr": ""})
        return given

    async def tell(self, event: str, **own: Any) -> str:
        return await self.session.tell(event, transcript_path=str(self.path), **own)

    async def compact(self, summary: str, trigger: str = "auto") -> tuple[str, str]:
        """A native compaction: the instructions for the summary, and what was given back."""
        body = self._body("PreCompact", trigger=trigger, custom_instructions=None)
        travelled = await self.talk.composed.road.travel(body, source="command")
        asked = command_body("PreCompact", travelled.answer).decode()
        await self.tell("SubagentStop", agent_id="a1", agent_type="", last_assistant_message=summary)
        given = await self.start("compact")
        await self.tell("PostCompact", trigger=trigger, compact_summary=summary)
        self.write("system", subtype="compact_boundary", compactMetadata={"postTokens": 3_000})
        return asked, given

    async def start(self, how: str) -> str:
        start = {"hook_event_name": "SessionStart", "source": how, "session_id": self.session.name}
        start |= {"cwd": self.session.cwd, "transcript_path": str(self.path)}
        return context(await self.talk.tell(start, source="command"))

    def _body(self, event: str, **own: Any) -> Any:
        common = {"session_id": self.session.name, "transcript_path": str(self.path), "cwd": self.session.cwd}
        return read_payload(json.dumps(common | {"hook_event_name": event} | own).encode())


async def worked(talk: Talk, folder: Path) -> Written:
    """A session in the middle of its work."""
    work = Written(talk, folder)
    await work.session.start()
    await work.ask(ASKED)
    work.say(DECIDED, 120_000)
    (folder / "up.py").write_text("x = 1\n")
    await work.session.edit(str(folder / "up.py"))
    await work.run("pytest -q", error="Exit code 1\nFAILED tests/test_up.py::test_resume\n1 failed, 3 passed in 1s")
    await work.ask(CORRECTED)
    work.say("Changed the chunk size. Next I'll write the test for a broken connection.", 300_000)
    await work.run("ruff check .", "All checks passed!")
    return work


@pytest.mark.requirement("CON-3")
@pytest.mark.requirement("PRF-5")
def test_no_story_is_made_anew_for_each_event_however_many_sessions_work(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conversations, "MOST_STORIES", 2)
    looked_up: list[str] = []

    def entries(reader: Reader, conversation: str, owner: str, since: int = 0) -> list[dict[str, Value]]:
        looked_up.append(conversation)
        return found(reader, ConversationId(conversation), owner, since)

    found = tables.entries
    monkeypatch.setattr(tables, "entries", entries)

    async def story(talk: Talk) -> None:
        sessions = [Written(talk, tmp_path, f"s{number}") for number in range(6)]
        for work in sessions:
            await work.session.start()
            await work.ask(f"Please repair the uploader of shop number {work.session.name}.")
        for turn in range(4):
            for work in sessions:
                work.say(f"I went with the journal file {turn} because the server keeps no state.", 300_000 + turn)
                await work.run(f"echo {work.session.name} {turn}")
        assert len(looked_up) <= 2, "only those that have a place are read, and once"
        board = talk.services.get(ProgressBoard)
        used = {board.of(ConversationId(work.session.name)).context_used for work in sessions}
        assert used == {0.300003}, "all are measured"
        last = sessions[-1]
        last.say("Nearly there.", 720_000)
        await last.run("true")
        (checkpoint,) = await saved(talk)
        stand = rules.stand_of(checkpoint)
        assert stand.requests == ("Please repair the uploader of shop number s5.",)
        assert stand.decisions == tuple(
            f"I went with the journal file {turn} because the server keeps no state." for turn in range(4)
        )
        for work in sessions:
            instructions, _ = await work.compact("Nothing is left to do.")
            assert f"shop number {work.session.name}" in instructions

    converse(site, story)


async def saved(talk: Talk, **about: Any) -> list[Checkpoint]:
    return await talk.services.get(Continuity).listed(**about)


@pytest.mark.requirement("CON-3")
@pytest.mark.requirement("CON-4")
@pytest.mark.requirement("CON-5")
@pytest.mark.requirement("WRK-5")
def test_use_is_measured_and_each_threshold_acts_once_in_a_window(site: Site, tmp_path: Path) -> None:
    async def story(talk: Talk) -> None:
        work = await worked(talk, tmp_path)
        board = talk.services.get(ProgressBoard)
        board.note(ConversationId("s1"), effort="implement", phase="tests", prediction="The proxy cuts chunks.")
        assert board.of(ConversationId("s1")).context_used == 0.3
        assert await saved(talk) == []
        work.say("Going on.", 720_000)
        await work.run("true")
        work.say("Going on.", 760_000)
        await work.run("echo on")
        (checkpoint,) = await saved(talk)
        assert (checkpoint.reason, checkpoint.threshold, checkpoint.auto_created) == ("threshold", 70, 1)
        stand = rules.stand_of(checkpoint)
        assert stand.requests == (ASKED, CORRECTED)
        assert stand.corrections == (CORRECTED,)
        assert stand.decisions == (DECIDED,)
        assert stand.next_steps == ("Next I'll write the test for a broken connection.",)
        assert [run.title for run in stand.failing] == [
            "Ran pytest: 1 failed, 3 passed (tests/test_up.py::test_resume)"
        ]
        assert [(file.path, bool(file.sha256)) for file in stand.files] == [("up.py", True)]
        assert set(stand.identifiers) >= {"UPL-311", "UPL-318"}
        assert (stand.context_tokens, stand.window_tokens) == (720_000, 1_000_000)
        assert (stand.effort, stand.phase, stand.ghap) == ("implement", "tests", "The proxy cuts chunks.")
        board.note(ConversationId("s1"), effort="")  # with one, the room that keeps efforts tells of the overflow
        assert "`dehydrate`" not in await work.run("echo 1"), "it is not time yet"
        work.say("Nearly full.", 910_000)
        await work.run("echo 2")
        assert "91 % full" in await work.run("echo 3")
        assert await work.run("echo 4") == "", "it is said once"
        status = await pane.status(talk.services)
        (use,) = status.values["continuity"]["context"]
        assert (use["tokens"], use["window"], use["percent"]) == (910_000, 1_000_000, 91)
        assert await pane.lines(talk.caller()) == [f"91 % of 1M · {tmp_path.name}"]
        await work.compact("<summary>All lost.</summary>")
        work.say("A new window.", 710_000)
        await work.run("echo 5")
        assert [each.reason for each in await saved(talk)] == ["threshold", "compact", "threshold"]
        await work.tell("SessionEnd", reason="other")
        assert await pane.lines(talk.caller()) == [], "it has ended"
        assert (await pane.status(talk.services)).values["continuity"]["context"] == []
        await work.run("echo 6")
        assert len(await pane.lines(talk.caller())) == 1, "it goes on"

    converse(site, story)


@pytest.mark.requirement("CON-6")
@pytest.mark.requirement("CON-16")
@pytest.mark.requirement("CON-17")
def test_a_compaction_is_told_what_to_keep_and_what_it_lost_is_given_back(site: Site, tmp_path: Path) -> None:
    async def story(talk: Talk) -> None:
        work = await worked(talk, tmp_path)
        asked, given = await work.compact(f"<summary>The user asked: {ASKED} {DECIDED}</summary>")
        for text in (ASKED, CORRECTED, DECIDED, "FAILING: Ran pytest: 1 failed", "up.py"):
            assert text in asked
        assert not asked.startswith("{"), "plain text reaches the one who sums up"
        assert CORRECTED in given
        assert "broken connection" in given
        assert ASKED not in given, "what the summary says is not said again"
        assert "journal file" not in given
        assert given.index(CORRECTED) < given.index("broken connection"), "corrections come first"
        lost = await tools.lost(tools.Lost(), talk.caller())
        assert any(CORRECTED in line for line in lost["lost"])
        assert not any(ASKED in line for line in lost["lost"])
        assert CORRECTED in lost["given_back"]
        assert (lost["way"], lost["trigger"]) == ("client", "auto")
        with pytest.raises(HoldfastError, match="No compaction was seen there"):
            await tools.lost(tools.Lost("nowhere"), talk.caller())
        _, again = await work.compact("<summary>Second.</summary>", "manual")
        assert ASKED in again, "a poor summary is helped with everything"
        assert (await tools.lost(tools.Lost("s1"), talk.caller()))["trigger"] == "manual"

    converse(site, story)


@pytest.mark.requirement("CON-7")
def test_the_next_session_is_offered_the_checkpoint_and_another_agent_goes_on_from_it(
    site: Site, tmp_path: Path
) -> None:
    async def story(talk: Talk) -> None:
        work = await worked(talk, tmp_path)
        await work.tell("SessionEnd", reason="clear")
        await talk.settle()
        (checkpoint,) = await saved(talk)
        assert checkpoint.reason == "clear"
        given = await Session(talk, "s2", str(tmp_path)).start("clear")
        short = f"c{checkpoint.id[-8:]}"
        assert f"Checkpoint {short} (" in given
        assert f"Checkpoint {short}" not in await work.session.start("resume"), "its own session knows it"
        elsewhere = await Session(talk, "s3", "/other").start()
        assert "Checkpoint" not in elsewhere
        caller = talk.caller(project=checkpoint.project_id, folder=str(tmp_path), is_agent=True)
        told = {level: await _resumed(caller, short, level) for level in ("summary", "context", "full")}
        assert all(CORRECTED in text for text in told.values())
        assert len(told["summary"]) < len(told["context"]) < len(told["full"])
        (tmp_path / "up.py").write_text("x = 2\ny = 3\n")
        resumed = await tools.resume_checkpoint(tools.ResumeCheckpoint(), caller)
        assert resumed["changed_since"] == ["up.py: changed since (6 → 12 bytes)"]
        assert await pane.checkpoints_read_back(talk.services) is None

    converse(site, story)


async def _resumed(caller: Any, checkpoint: str, level: Any) -> str:
    return str((await tools.resume_checkpoint(tools.ResumeCheckpoint(checkpoint, level), caller))["text"])


@pytest.mark.requirement("CON-1")
@pytest.mark.requirement("CON-2")
@pytest.mark.requirement("CON-3")
def test_the_three_calls_of_a_session(site: Site, tmp_path: Path) -> None:
    async def story(talk: Talk) -> None:
        git = tmp_path / ".git"
        git.mkdir()
        (git / "HEAD").write_text("ref: refs/heads/topic\n")
        (git / "config").write_text('[core]\n[remote "origin"]\n\turl = git@example.org:ada/engine.git\n')
        work = await worked(talk, tmp_path)
        caller = talk.caller(is_agent=True)
        for name in ("ada_engine", str(tmp_path), tmp_path.name):
            asked = tools.Threshold(70, name, "s1")
            told = await tools.context_threshold(asked, caller)
            assert told["status"] == "ok"
        assert [each.threshold for each in await saved(talk)] == [70], "once in a window"
        for bad in (0, 101, "seventy"):
            with pytest.raises(UsageError, match="percent must be"):
                await tools.context_threshold(tools.Threshold(bad, "ada_engine", "s1"), caller)
        with pytest.raises(HoldfastError, match="There is no project named nobody_nothing"):
            await tools.session_start(tools.StartSession("nobody_nothing", "s9"), caller)
        ended = tools.EndSession(
            "Resumable uploads",
            "Journal file beside each upload",
            "partial",
            ["uploads"],
            "ask Ada",
            "ada_engine",
            "s1",
        )
        first = await tools.session_end(ended, caller)
        again = await tools.session_end(ended, caller)
        assert first["status"] == "ok"
        found = await talk.items.search("resumable uploads journal", kinds=["debrief"])
        assert [each.id[-8:] for each in found] == [again["memories"][0][1:]], "told again it takes the old one's place"
        (item,) = await talk.items.get(again["memories"])
        assert f"Correction by the user: {CORRECTED}" in item.value.notes
        begun = await tools.session_start(tools.StartSession("ada_engine", "s2"), caller)
        assert begun["checkpoint"]["title"] == ASKED
        assert [each["title"] for each in begun["memories"]] == ["Resumable uploads: Journal file beside each upload"]
        assert begun["resumed"] is False
        assert "checkpoint" not in await tools.session_start(tools.StartSession("ada_engine", "s1"), caller)
        nowhere = talk.caller(folder="/empty", is_agent=True)
        assert await tools.session_start(tools.StartSession(), nowhere) == {"memories": [], "resumed": False}
        await work.session.start()
        recalled = await work.session.ask("How did we make uploads resumable, with which journal file?")
        assert "Resumable uploads" not in recalled, "its own session knows it"
        other = Session(talk, "s4", str(tmp_path))
        assert "Journal file beside each upload" in await other.ask(
            "How were resumable uploads done, which journal file?"
        )

    converse(site, story)


@pytest.mark.requirement("CON-8")
def test_a_handover_is_given_exactly_once_also_when_nobody_wrote_one(site: Site, tmp_path: Path) -> None:
    async def story(talk: Talk) -> None:
        await worked(talk, tmp_path)
        caller = talk.caller(is_agent=True)
        asked = tools.Dehydrate(
            summary="Chunks done.",
            next_steps=["test the broken connection"],
            required_files=["up.py", "missing.py"],
            project_id=str(tmp_path),
            session_id="s1",
        )
        told = await tools.dehydrate(asked, caller)
        assert (told["built"], told["files"]) == (False, 2)
        (tmp_path / "up.py").write_text("changed\n")
        given = await Session(talk, "s2", str(tmp_path)).start()
        assert "Chunks done." in given
        assert "- test the broken connection" in given
        assert "up.py: changed since (6 → 8 bytes)" in given
        assert CORRECTED in given, "what was not written is made from the record"
        assert "Chunks done." not in await Session(talk, "s3", str(tmp_path)).start(), "once"
        board = talk.services.get(ProgressBoard)
        board.note(ConversationId("s1"), effort="implement", documents=("spec.md", "plan.md"))
        told = await tools.dehydrate(tools.Dehydrate(project_id=str(tmp_path), session_id="s1"), caller)
        assert told["built"] is True
        given = await Session(talk, "s4", str(tmp_path)).start()
        assert "Hand-over, made from the journal:" in given
        assert "Summary: " in given
        assert "Documents of the effort implement: spec.md, plan.md." in given
        assert "Hand-over" not in await Session(talk, "s5", str(tmp_path)).start()

    converse(site, story)


@pytest.mark.requirement("CON-5")
def test_what_was_forgotten_comes_back_by_no_checkpoint(site: Site, tmp_path: Path) -> None:
    async def story(talk: Talk) -> None:
        work = await worked(talk, tmp_path)
        caller = talk.caller()
        save = tools.SaveCheckpoint("before", str(tmp_path), "s1")
        first = await tools.save_checkpoint(save, caller)
        assert (first.reason, first.auto_created, first.title) == ("request", False, "before")
        entries = await talk.items.search("chunks of 8 MB", kinds=["prompt"])
        forget = talk.composed.declared.tools["forget"]
        await forget.run(forget.arguments(ids=[entries[0].id]), caller)
        second = await tools.save_checkpoint(save, caller)
        shown = await tools.show_checkpoint(tools.OneCheckpoint(second.id), caller)
        assert CORRECTED not in json.dumps(shown)
        assert ASKED in shown["stand"]["requests"]
        with pytest.raises(HoldfastError, match="There is no checkpoint"):
            await tools.show_checkpoint(tools.OneCheckpoint(first.id), caller)
        work.session.prompt_id = ""
        await work.ask("Please write the printer next.")
        third = await tools.save_checkpoint(save, caller)
        diff = await tools.diff_checkpoints(tools.TwoCheckpoints(second.id, third.id), caller)
        assert [each["what"] for each in diff["differences"]][:1] == ["requests"]
        _, given = await work.compact("<summary>nothing</summary>")
        assert CORRECTED not in given
        with pytest.raises(HoldfastError, match="There is no checkpoint c00000000"):
            await tools.show_checkpoint(tools.OneCheckpoint("c00000000"), caller)

    converse(site, story)


@pytest.mark.requirement("CON-14")
def test_the_note_of_a_compaction_and_every_way_back(site: Site, tmp_path: Path) -> None:
    async def story(talk: Talk) -> None:
        await worked(talk, tmp_path)
        service, board = talk.services.get(Continuity), talk.services.get(ProgressBoard)
        compacting = Compacting(service.ground, service)

        async def answer(mode: str = "holdfast", **asked: Any) -> dict[str, Any]:
            service.settings = Settings(compaction=mode, **asked.pop("settings", {}))  # type: ignore[arg-type]
            told = {"session_id": "s1", "trigger": "auto", "prompts": [ASKED, CORRECTED], "messages": 12} | asked
            return await compacting.answer(msgspec.convert(told, CompactionAsked), board)

        ways: tuple[tuple[dict[str, Any], str], ...] = (
            ({"mode": "client"}, "the client compacts by itself"),
            ({"agent_id": "a1"}, "a subagent's window"),
            ({"trigger": "precompute"}, "the trigger is precompute"),
            ({"settings": {"on_auto_compact": "block"}}, "automatic compaction is block"),
            ({"session_id": "unknown"}, "not in the journal"),
            ({"prompts": [ASKED, "Something that nobody heard of."]}, "does not match the journal"),
            ({"prompts": []}, "does not match the journal"),
        )
        for asked, why in ways:
            told = await answer(**asked)
            assert told["answer"] == "client", asked
            assert why in told["why"]
        assert await saved(talk) == []
        first = await answer()
        assert first["answer"] == "note"
        note = first["note"]
        assert note.startswith("<holdfast-context ")
        for text in (
            ASKED,
            CORRECTED,
            DECIDED,
            "FAILING: Ran pytest",
            "Files changed: up.py",
            "broken connection",
            "UPL-318",
        ):
            assert text in note, text
        assert note.index(CORRECTED) < note.index(ASKED)
        assert [each.reason for each in await saved(talk)] == ["compact"]
        assert "compacted before" in (await answer())["why"], "a second automatic call within a turn"
        by_hand = await answer(trigger="manual", kept=f"{ASKED}\n{DECIDED}")
        assert by_hand["answer"] == "note"
        assert ASKED not in by_hand["note"], "what stays in the window is not said again"
        assert CORRECTED in by_hand["note"]
        assert (await answer("both", trigger="manual"))["answer"] == "summary"
        beside = await answer("both", trigger="manual", summary=f"<summary>{ASKED}</summary>")
        assert beside["answer"] == "beside"
        assert CORRECTED in beside["note"]
        assert ASKED not in beside["note"]
        for number in range(60):
            await Session(talk, "s1", str(tmp_path)).ask(f"Request {number}: {'please look at this again ' * 20}")
        last = f"Request 59: {'please look at this again ' * 20}"
        full = await answer(trigger="manual", prompts=[last], settings={"note_tokens": 1_000})
        assert "within its budget" in full["why"]

    converse(site, story)


@pytest.mark.requirement("CON-4")
@pytest.mark.requirement("OPS-7")
def test_the_status_line_tells_and_is_told(site: Site, tmp_path: Path) -> None:
    async def story(talk: Talk) -> None:
        await worked(talk, tmp_path)
        service, board = talk.services.get(Continuity), talk.services.get(ProgressBoard)
        window = {"context_window_size": 500_000, "current_usage": {"input_tokens": 400_000}}
        told = read("s1", {"id": "claude-opus-5-5"}, window, {"five_hour": {"used_percentage": 91.2}})
        live = service.conversations.told(told, talk.composed.now())
        assert live is not None
        service.note_use_only(live, board)
        board.note(ConversationId("s1"), effort="implement", phase="tests")
        assert board.of(ConversationId("s1")).context_used == 0.8
        line = written(live.measured, told.limits, 3, board.of(ConversationId("s1")))
        for text in ("80 %", "of 500k", "5h 91 %", "3 recalled", "implement · tests"):
            assert text in line
        assert "\n" not in line
        board.note(ConversationId("s1"), effort="", phase="")
        agent = Learner(talk, "s1", str(tmp_path))
        await agent.ok("effort", action="start", text="implement")
        await agent.run("ls")
        line = written(live.measured, told.limits, 0, board.of(ConversationId("s1")))
        assert "implement" in line, "another room put its effort there"
        assert "1 calls since the last log" in line
        odd = {"current_usage": {"input_tokens": "x"}}
        inputs: tuple[tuple[Any, ...], ...] = ((None,) * 4, (5, "x", [1], {"five_hour": 9}), ("s", {}, odd, {}))
        for bad in inputs:
            assert written(None, read(*bad).limits, 0, board.of(ConversationId("none"))) == ""

    converse(site, story)


@pytest.mark.requirement("CON-3")
def test_who_saves_at_a_threshold_is_the_users_choice(site: Site, tmp_path: Path) -> None:
    async def story(talk: Talk) -> None:
        cases: tuple[tuple[dict[str, Any], bool, int], ...] = (
            ({"method": "http"}, False, 1),
            ({"method": "mcp", "fallback": False}, True, 0),
            ({"method": "mcp"}, True, 1),
            ({"method": "both"}, True, 1),
        )
        for number, (chosen, is_told, count) in enumerate(cases):
            talk.services.get(Continuity).settings = Settings(**chosen)
            work = Written(talk, tmp_path, f"case{number}")
            await work.session.start()
            await work.ask(ASKED)
            work.say("Going on.", 720_000)
            await work.run(f"echo {number}")
            told = await work.run(f"echo again {number}")
            assert (f"Call `context_threshold` with project_id={tmp_path.name}" in told) is is_told, chosen
            late = chosen == {"method": "mcp"}
            assert len(await saved(talk, conversation=f"case{number}")) == (0 if late else count), "it is asked first"
            await work.run(f"echo something else {number}")
            assert len(await saved(talk, conversation=f"case{number}")) == count, chosen
        talk.services.get(Continuity).settings = Settings(method="mcp")
        work = Written(talk, tmp_path, "calls")
        await work.session.start()
        await work.ask(ASKED)
        work.say("Going on.", 720_000)
        await work.run("echo 1")
        await work.run("echo 2")
        await tools.context_threshold(tools.Threshold(72, str(tmp_path), "calls"), talk.caller(is_agent=True))
        await work.run("echo 3")
        assert [each.threshold for each in await saved(talk, conversation="calls")] == [72], (
            "who called is not saved for"
        )

    converse(site, story)
