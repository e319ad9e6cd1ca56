"""Sessions beside each other and after each other: who is at work, who ended, who is started again."""

from __future__ import annotations

import json
import os
from functools import partial
from pathlib import Path

import pytest

from holdfast import restarts
from holdfast.events.answer import client_body
from holdfast.events.progress import ProgressBoard
from holdfast.events.running import RunningClients
from holdfast.ids import ConversationId, now_us
from holdfast.road.edge import read_payload
from holdfast.rooms.continuity import rules, tools
from holdfast.rooms.continuity.compacting.answering import Compacting, CompactionAsked
from holdfast.rooms.continuity.compacting.restarting import Restarts
from holdfast.rooms.continuity.service import Continuity
from holdfast.rooms.continuity.settings import Settings
from holdfast.sender import Sender
from holdfast.times import HOUR_US
from tests.contract.site import Site
from tests.conversations.days import DaySession
from tests.conversations.learner import ATTEMPT, Learner
from tests.conversations.session import Session
from tests.conversations.talk import Talk, converse
from tests.conversations.test_continuity import ASKED, CORRECTED, Written, saved, worked

RUN = "ab" * 16


@pytest.mark.requirement("CON-7")
def test_a_session_at_work_keeps_its_checkpoint_for_itself(site: Site, tmp_path: Path) -> None:
    async def story(talk: Talk) -> None:
        work = await worked(talk, tmp_path)
        clients = talk.services.get(RunningClients)
        work.say("Going on.", 720_000)
        await work.run("true")
        assert len(await saved(talk)) == 1
        assert "Checkpoint" not in await Session(talk, "s2", str(tmp_path)).start(), "it was heard of a moment ago"
        clients.note(ConversationId("s1"), Sender(pid=os.getpid()))
        assert "Checkpoint" not in await Session(talk, "s3", str(tmp_path)).start(), "its client runs"
        asked = tools.StartSession(str(tmp_path), "s3")
        assert "checkpoint" not in await tools.session_start(asked, talk.caller(is_agent=True))
        clients.note(ConversationId("s1"), Sender(pid=99_999_999))  # more than any system gives
        assert ASKED in await Session(talk, "s4", str(tmp_path)).start(), "its client crashed"

    converse(site, story)


@pytest.mark.requirement("CON-7")
@pytest.mark.requirement("CON-5")
def test_a_crash_before_any_checkpoint_loses_nothing(site: Site, tmp_path: Path) -> None:
    async def story(talk: Talk) -> None:
        await worked(talk, tmp_path)
        talk.services.get(RunningClients).note(ConversationId("s1"), Sender(pid=99_999_999))
        assert await saved(talk) == []
        given = await Session(talk, "s2", str(tmp_path)).start()
        (checkpoint,) = await saved(talk)
        assert (checkpoint.reason, checkpoint.conversation, checkpoint.auto_created) == ("crash", "s1", 1)
        assert f"its client crashed or was killed): {ASKED}" in given
        stand = rules.stand_of(checkpoint)
        assert (stand.corrections, [file.path for file in stand.files]) == ((CORRECTED,), ["up.py"])
        await Session(talk, "s3", str(tmp_path)).start()
        assert len(await saved(talk)) == 1, "it is made once"
        talk.services.get(RunningClients).note(ConversationId("s4"), Sender(pid=99_999_999))
        await Session(talk, "s4", str(tmp_path)).start()
        await Session(talk, "s5", str(tmp_path)).start()
        assert len(await saved(talk)) == 1, "of a session without a prompt there is nothing to save"

    converse(site, story)


@pytest.mark.requirement("CON-7")
def test_a_checkpoint_after_a_crash_is_as_old_as_the_work(site: Site, tmp_path: Path) -> None:
    async def story(talk: Talk) -> None:
        crashed = DaySession(talk, 0, str(tmp_path), "s1")
        crashed.at = now_us() - 26 * HOUR_US
        await crashed.start()
        await crashed.ask(ASKED)
        await crashed.edit(str(tmp_path / "up.py"))
        given = await Session(talk, "s2", str(tmp_path)).start()
        (checkpoint,) = await saved(talk)
        assert (checkpoint.reason, checkpoint.made_at) == ("crash", crashed.at)
        assert f"(25 h ago, its client crashed or was killed): {ASKED}\n" in given, "and one full stop"
        assert "(25 h ago, " in await Session(talk, "s3", str(tmp_path)).start()
        assert len(await saved(talk)) == 1, "it is made once"

    converse(site, story)


@pytest.mark.requirement("CON-7")
def test_a_session_that_was_only_opened_after_a_crash_hides_nothing(site: Site, tmp_path: Path) -> None:
    async def story(talk: Talk) -> None:
        await worked(talk, tmp_path)
        clients = talk.services.get(RunningClients)
        assert "Checkpoint" not in await Session(talk, "s2", str(tmp_path)).start(), "s1 is at work"
        for each in ("s1", "s2"):
            clients.note(ConversationId(each), Sender(pid=99_999_999))
        assert ASKED in await Session(talk, "s3", str(tmp_path)).start()
        assert [(each.reason, each.conversation) for each in await saved(talk)] == [("crash", "s1")]

    converse(site, story)


@pytest.mark.requirement("CON-2")
def test_session_end_runs_what_the_clients_end_runs_and_nothing_twice(site: Site, tmp_path: Path) -> None:
    async def story(talk: Talk) -> None:
        await worked(talk, tmp_path)
        agent = Learner(talk, "s1", str(tmp_path))
        entry = await agent.ok("start_ghap", **ATTEMPT)
        ended = {"task": "Resumable uploads", "approach": "A journal file", "outcome": "partial"}
        await agent.ok("session_end", **ended)
        told = await agent.ok("session_end", **ended)
        await talk.settle()
        offered = await Session(talk, "s2", str(tmp_path)).start()
        assert f'adopt_ghap(id="{entry["id"]}")' in offered, "the entry was left"
        summed = await talk.items.search("", kinds=["summary"])
        assert summed, "memory summed the session up"
        await agent.tell("SessionEnd", reason="other")
        await talk.settle()
        assert len(await talk.items.search("", kinds=["summary"])) == len(summed)
        ends = [each for each in await saved(talk) if each.reason == "end"]
        assert len(ends) == 1
        assert told["checkpoint"].startswith("c")

    converse(site, story)


@pytest.mark.requirement("CON-3")
def test_an_event_of_a_window_that_was_compacted_meanwhile_saves_nothing(site: Site, tmp_path: Path) -> None:
    async def story(talk: Talk) -> None:
        work = await worked(talk, tmp_path)
        live = talk.services.get(Continuity).conversations.known(ConversationId("s1"))
        assert live is not None
        old = live.window_id, live.window_number
        work.say("Nearly full.", 950_000)
        await work.compact("<summary>All lost.</summary>")
        reasons = sorted(each.reason for each in await saved(talk))
        assert reasons == ["compact", "threshold"], "the threshold was crossed before anything could follow"
        assert live.opens(*old) is False
        assert live.window_number == old[1] + 1

    converse(site, story)


@pytest.mark.requirement("CON-9")
@pytest.mark.requirement("CON-8")
def test_a_full_window_ends_in_a_handover_and_a_new_client(site: Site, tmp_path: Path) -> None:
    async def story(talk: Talk) -> None:
        service = talk.services.get(Continuity)
        folder = tmp_path / "restarts"
        settings = Settings(on_auto_compact="restart")
        service.settings = settings
        talk.services.add(Restarts(settings))
        talk.services.get(RunningClients).start_again = partial(restarts.ask, folder)
        talk.services.get(ProgressBoard).note(ConversationId("s1"), effort="implement", phase="tests")
        work = await worked(talk, tmp_path)
        assert not await blocked(work), "without `holdfast run` it compacts"
        clients = talk.services.get(RunningClients)
        clients.note(ConversationId("s1"), Sender(pid=4711, run=RUN))
        # A client that the first one started, with its environment:
        clients.note(ConversationId("inner"), Sender(pid=4712, run=RUN))
        assert (clients.run_of(ConversationId("s1")), clients.run_of(ConversationId("inner"))) == (RUN, "")
        assert not await blocked(work, "manual"), "a manual compaction is never refused"
        assert restarts.wanted(folder, RUN) is None
        mod = CompactionAsked(ConversationId("s1"), "auto", prompts=[CORRECTED], messages=9)
        service.settings = Settings(on_auto_compact="restart", compaction="holdfast")
        told = await talk.services.get(Compacting).answer(mod, talk.services.get(ProgressBoard), restarts=True)
        assert told["answer"] == "client", "the mod leaves it to PreCompact"
        assert "started again" in await blocked(work)
        prompt = restarts.wanted(folder, RUN) or ""
        for text in (ASKED, "Skill: implement, phase: tests."):
            assert text in prompt
        restarts.done(folder, RUN)
        fresh = Session(talk, "s2", str(tmp_path))
        given = await fresh.start()
        assert "Hand-over, made from the journal:" in given
        assert "up.py: unchanged" in given
        assert CORRECTED in given
        assert "Hand-over" not in await Session(talk, "s3", str(tmp_path)).start(), "once"
        await fresh.ask(prompt)
        assert not await talk.items.search("session before", kinds=["prompt"]), "no user's words"
        # A hand-over that the agent wrote: the client goes when the turn is over.
        clients.note(ConversationId("s2"), Sender(pid=4713, run="cd" * 16))
        run = clients.run_of(ConversationId("s2"))
        agent = Learner(talk, "s2", str(tmp_path))
        await agent.ok("dehydrate", summary="Chunks done.", required_files=["up.py"])
        assert restarts.wanted(folder, run) is None
        await fresh.stop()
        assert "new one was begun" in (restarts.wanted(folder, run) or "")
        (tmp_path / "up.py").write_text("changed\n")
        given = await Session(talk, "s5", str(tmp_path)).start()
        assert "Chunks done." in given
        assert "up.py: changed since (6 → 8 bytes)" in given

    async def blocked(work: Written, trigger: str = "auto") -> str:
        body = {"session_id": "s1", "transcript_path": str(work.path), "cwd": str(tmp_path), "trigger": trigger}
        payload = read_payload(json.dumps(body | {"hook_event_name": "PreCompact"}).encode())
        travelled = await work.talk.composed.road.travel(payload, source="command")
        answer = json.loads(client_body("PreCompact", travelled.answer))
        return str(answer.get("reason", "")) if answer.get("decision") == "block" else ""

    converse(site, story)
