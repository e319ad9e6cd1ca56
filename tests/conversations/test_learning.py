"""The learning loop told event by event, on both databases: entries, reminders, outcomes, and the end of a session."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from holdfast.events.progress import ProgressBoard
from holdfast.ids import ConversationId, now_us
from holdfast.rooms.learning.model import DOMAINS, ROOT_CAUSES, STRATEGIES
from holdfast.rooms.learning.service import Learning
from holdfast.rooms.learning.tables import Who
from holdfast.times import DAY_US
from tests.contract.site import Site
from tests.conversations.learner import ATTEMPT, FAILED, PASSED, Learner
from tests.conversations.session import Session
from tests.conversations.talk import Talk, converse

WHY = {"surprise": "The network was fast", "root_cause": "test-isolation", "lesson": "Look at isolation first"}


@pytest.mark.requirement("LRN-1")
@pytest.mark.requirement("LRN-2")
def test_the_life_of_an_entry(site: Site) -> None:
    async def story(talk: Talk) -> None:
        agent = Learner(talk, "s1")
        await agent.start()
        assert (await agent.ok("get_active_ghap"))["active"] is False
        started = await agent.ok("start_ghap", **ATTEMPT)
        assert {name: started[name] for name in ATTEMPT} == ATTEMPT
        assert (started["status"], started["iterations"], started["session_id"]) == ("active", 1, "s1")
        changed = await agent.ok("update_ghap", hypothesis="A neighbour leaves rows behind", notes="seen in the log")
        assert changed["history"] == [{name: ATTEMPT[name] for name in ("hypothesis", "action", "prediction")}]
        assert (changed["iterations"], changed["notes"]) == (2, "seen in the log")
        same = await agent.ok("update_ghap", notes="again", strategy="Check_Assumptions")
        assert (same["iterations"], same["strategy"], same["notes"]) == (
            2,
            "check-assumptions",
            "seen in the log\nagain",
        )
        done = await agent.ok("resolve_ghap", outcome="falsified", result="Fails alone, too", **WHY)
        assert (done["outcome"], done["tier"], done["root_cause"]) == ("falsified", "silver", "test-isolation")
        assert [(line["id"], line["outcome"]) for line in await agent.ok("list_ghap_entries")] == [
            (started["id"], "falsified")
        ]
        await agent.ok("start_ghap", **ATTEMPT)
        assert (await agent.ok("resolve_ghap", outcome="confirmed"))["tier"] == "bronze"
        await agent.ok("start_ghap", **ATTEMPT)
        given_up = await agent.ok("abandon_ghap", reason="the test was deleted")
        assert (given_up["status"], given_up["tier"], given_up["notes"]) == (
            *("abandoned", "abandoned"),
            "the test was deleted",
        )

    converse(site, story)


@pytest.mark.requirement("LRN-2")
@pytest.mark.requirement("MCP-3")
def test_what_cannot_be_is_said_in_a_sentence_and_nothing_is_half_written(site: Site) -> None:
    async def story(talk: Talk) -> None:
        agent, other = Learner(talk, "s1"), Learner(talk, "s2")
        await agent.start()
        await other.start()
        wrong = [
            ("update_ghap", {"action": "x"}, "No entry is active. Start one with start_ghap"),
            ("resolve_ghap", {"outcome": "confirmed"}, "No entry is active"),
            ("start_ghap", ATTEMPT | {"domain": "cooking"}, ", ".join(DOMAINS)),
            ("start_ghap", ATTEMPT | {"strategy": "luck"}, ", ".join(STRATEGIES)),
            ("start_ghap", ATTEMPT | {"goal": "  "}, "goal is empty"),
            ("start_ghap", ATTEMPT | {"goal": "x" * 200_000}, "goal has 200,000 characters; at most 10,000 are kept"),
            ("start_ghap", ATTEMPT | {"goal": "x" * 1_048_576}, "characters; at most 10,000 are kept"),
            ("start_ghap", {"goal": "x"}, "hypothesis"),
        ]
        for tool, arguments, sentence in wrong:
            assert sentence in await agent.wrong(tool, **arguments), tool
        assert await agent.ok("list_ghap_entries") == []
        mine = await agent.ok("start_ghap", **ATTEMPT)
        theirs = await other.ok("start_ghap", **ATTEMPT)
        wrong = [
            ("start_ghap", ATTEMPT, f"An entry is active already: {mine['id']}"),
            ("update_ghap", {}, "Nothing changes"),
            ("update_ghap", {"notes": "x" * 20_000}, "notes has 20,000 characters"),
            ("resolve_ghap", {"outcome": "maybe"}, "confirmed, falsified, abandoned"),
            ("resolve_ghap", {"outcome": "falsified"}, "needs surprise and root_cause"),
            ("resolve_ghap", {"outcome": "falsified", "surprise": "!"}, f"needs root_cause. Give `surprise` in a "
             f"sentence and `root_cause` as one of: {', '.join(ROOT_CAUSES)}"),
            ("resolve_ghap", {"outcome": "falsified", "surprise": "!", "root_cause": "fate"}, ", ".join(ROOT_CAUSES)),
            ("resolve_ghap", {"outcome": "confirmed", "id": theirs["id"]}, "belongs to another agent or session"),
            ("abandon_ghap", {"id": theirs["id"]}, "belongs to another agent or session"),
            ("adopt_ghap", {"id": theirs["id"]}, "still works on it"),
            ("adopt_ghap", {"id": "e00000000"}, "Nothing is kept under the id"),
        ]  # fmt: skip
        for tool, arguments, sentence in wrong:
            assert sentence in await agent.wrong(tool, **arguments), (tool, arguments)
        assert (await agent.ok("get_active_ghap"))["entry"] == mine
        await agent.ok("resolve_ghap", outcome="confirmed")
        assert f"{mine['id']}, is resolved already: confirmed" in await agent.wrong("resolve_ghap", outcome="confirmed")
        again = await agent.wrong("resolve_ghap", outcome="falsified", id=mine["id"], **WHY)
        assert "is resolved already: confirmed" in again
        assert (await other.ok("get_active_ghap"))["entry"] == theirs

    converse(site, story)


@pytest.mark.requirement("LRN-1")
def test_each_agent_has_its_own_entry_whatever_way_it_calls(site: Site) -> None:
    async def story(talk: Talk) -> None:
        main, other = Learner(talk, "s1"), Learner(talk, "s2")
        helper = main.sub("a7")
        for each in (main, other):
            await each.start()
        await helper.tell("SubagentStart")
        mine = await main.ok("start_ghap", **ATTEMPT)
        helpers = await helper.ok("start_ghap", **ATTEMPT | {"goal": "Look for the callers"})
        # By HTTP nothing names the session: the call that the client announced is meant.
        arguments: dict[str, Any] = ATTEMPT | {"goal": "Another window"}
        others, _ = await other.tool("start_ghap", named=False, **arguments)
        assert [(each["session_id"], each["agent_id"]) for each in (mine, helpers, others)] == [
            ("s1", ""),
            ("s1", "a7"),
            ("s2", ""),
        ]
        assert (await helper.ok("get_active_ghap"))["entry"]["goal"] == "Look for the callers"
        assert (await main.ok("get_active_ghap"))["entry"]["id"] == mine["id"]
        assert (await helper.ok("resolve_ghap", outcome="confirmed"))["agent_id"] == "a7"
        assert (await main.ok("get_active_ghap"))["active"] is True

    converse(site, story)


@pytest.mark.requirement("LRN-4")
def test_a_check_in_comes_every_ten_calls_and_starts_anew_after_an_update(site: Site) -> None:
    async def story(talk: Talk) -> None:
        agent, idle = Learner(talk, "s1"), Learner(talk, "s2")
        await agent.start()
        quiet = [await agent.run("ls") for _ in range(12)]
        await agent.ok("start_ghap", **ATTEMPT)
        told = [await agent.run("ls") for _ in range(15)]
        await agent.ok("update_ghap", action="Raise it to 90 s")
        # A restart of the daemon: what is known in memory is gone, the counter is not.
        later = [await agent.run("ls") for _ in range(4)]
        talk.services.get(Learning).ghaps.changed_all()
        later += [await agent.run("ls") for _ in range(6)]
        others = [await idle.run("ls") for _ in range(12)]
        assert [number for number, text in enumerate(told, 1) if text] == [10]
        assert [number for number, text in enumerate(later, 1) if text] == [10]
        assert not any([*quiet, *others])
        for field in ("goal", "hypothesis", "prediction"):
            assert ATTEMPT[field] in told[9]
        assert "10 tool calls" in told[9]
        assert "update_ghap(" in told[9]

    converse(site, story)


@pytest.mark.requirement("LRN-6")
def test_a_failure_without_an_entry_is_warned_of_once_per_cycle(site: Site) -> None:
    async def story(talk: Talk) -> None:
        agent = Learner(talk, "s1")
        await agent.start()
        assert await agent.run("pytest -q", PASSED) == ""
        first = await agent.run("pytest -q", error=FAILED)
        assert "Test failed: pytest (1 failed, 2 passed)" in first
        assert "start_ghap(goal=" in first
        assert "start_ghap(" not in await agent.run("pytest -q tests", error=FAILED)
        await agent.end()
        await agent.start("resume")
        assert "start_ghap(" in await agent.run("pytest -q again", error=FAILED), (
            "a session that goes on begins a cycle"
        )
        await agent.ok("start_ghap", **ATTEMPT | {"domain": "testing"})
        await agent.ok("resolve_ghap", outcome="falsified", **WHY)
        again = await agent.run("pytest -q", error=FAILED)
        assert "What went wrong before in testing:" in again
        assert "Look at isolation first (root cause: test isolation)" in again
        assert await agent.run("cd x && npm test", error="Exit code 1\nTests: 2 failed, 10 passed, 12 total") == ""
        await Learner(talk, "s3").start()
        build = await Learner(talk, "s3").run("cargo build", error="Exit code 101\nerror: x")
        assert "Build failed: cargo build" in build
        assert "isolation" not in build, "that was another domain"
        missing = "Exit code 4\nERROR: file or directory not found: tests/test_cash.py\n\nno tests ran in 0.00s"
        assert await Learner(talk, "s4").run("pytest tests/test_cash.py", error=missing) == "", "nothing was tried"

    converse(site, story)


@pytest.mark.requirement("MEM-28")
def test_an_agent_without_tools_and_command_is_told_of_no_call(site: Site) -> None:
    async def story(talk: Talk) -> None:
        agent = Learner(talk, "s1")
        await agent.start()
        await agent.ok("start_ghap", **ATTEMPT | {"domain": "testing"})
        await agent.ok("resolve_ghap", outcome="falsified", **WHY)
        bare = Session(talk, "s2")
        named: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "pytest -q"}, "tool_use_id": "toolu_f"}
        told = await bare.tell("PostToolUseFailure", **named, error=FAILED)
        assert "Look at isolation first" in told
        assert "ghap" not in told.replace("[", "")
        other = Session(talk, "s3", cwd="/elsewhere")
        named["tool_input"] = {"command": "cargo build"}
        assert await other.tell("PostToolUseFailure", **named, error="Exit code 101\nerror: x") == ""
        talk.composed.road.reach.note_tools(ConversationId("s3"))
        named["tool_use_id"] = "toolu_g"
        assert "start_ghap(" in await other.tell("PostToolUseFailure", **named, error="Exit code 101\nerror: x")

    converse(site, story)


@pytest.mark.requirement("LRN-7")
@pytest.mark.requirement("LRN-8")
@pytest.mark.requirement("LRN-18")
def test_a_result_is_compared_with_the_prediction_and_decides_the_tier(site: Site) -> None:
    async def story(talk: Talk) -> None:
        agent = Learner(talk, "s1")
        await agent.start()
        await agent.ok("start_ghap", **ATTEMPT)
        failed = await agent.run("pytest tests/test_cache.py || true", FAILED.partition("\n")[2])
        assert "Test failed: pytest tests/test_cache.py (1 failed, 2 passed)" in failed
        assert "This falsifies your hypothesis." in failed
        assert "1. What surprised you?" in failed
        assert "3. What did you learn?" in failed
        assert 'resolve_ghap(outcome="falsified", surprise=' in failed
        assert await agent.run("ruff check .", error="Exit code 1\nFound 3 errors.") == ""
        again = await agent.run("pytest tests/test_cache.py", error=FAILED)
        assert "Your prediction still does not hold" in again
        assert 'resolve_ghap(outcome="falsified", surprise=' in again
        assert "What surprised you?" not in again, "the questions were asked"
        passed = await agent.run("cd x && uv run pytest tests/test_cache.py", PASSED)
        assert "Does this confirm your hypothesis?" in passed
        assert 'resolve_ghap(outcome="confirmed"' in passed
        assert (await agent.ok("resolve_ghap", outcome="confirmed"))["tier"] == "gold"
        await agent.ok("start_ghap", **ATTEMPT)
        await agent.run("pytest", error=FAILED)
        assert (await agent.ok("resolve_ghap", outcome="confirmed"))["tier"] == "bronze", "the run says otherwise"

        await agent.ok("start_ghap", **ATTEMPT | {"prediction": "test passes: test_evict"})
        settled = await agent.run("pytest tests/test_cache.py", error=FAILED)
        assert "captured automatically" in settled
        assert "2. What was the root cause?" in settled
        [line] = await agent.ok("list_ghap_entries", outcome="falsified")
        assert line["tier"] == "gold"
        told = await agent.ok("resolve_ghap", outcome="falsified", **WHY)
        assert (told["id"], told["tier"], told["auto_captured"], told["lesson"]) == (
            *(line["id"], "gold", True),
            WHY["lesson"],
        )
        await agent.ok("start_ghap", **ATTEMPT | {"prediction": "exit 0: ./verify.sh --all"})
        assert await agent.run("pytest", PASSED) == ""
        assert "resolved as confirmed (gold" in await agent.run("./verify.sh  --all", "fine")
        assert (await agent.ok("get_active_ghap"))["active"] is False
        text, _ = await talk.call("seen", session="s1")
        assert "There is no tool named seen" in text
        seen = await talk.composed.declared.tools["seen"].run(
            talk.composed.declared.tools["seen"].arguments(session="s1"), talk.caller()
        )
        kinds = [(piece.type, piece.suggested_action, piece.auto_captured) for piece in seen.given]
        falsified, confirmed = (("outcome", f"resolve_{word}", True) for word in ("falsified", "confirmed"))
        assert kinds[:3] == [falsified, falsified, confirmed]
        assert kinds[4:] == [("outcome", "explain_falsified", True), ("outcome", "", True)]
        assert all(piece.token_count == piece.tokens > 0 for piece in seen.given)

    converse(site, story)


@pytest.mark.requirement("LRN-3")
@pytest.mark.requirement("LRN-11")
def test_an_unresolved_entry_waits_for_the_next_session_and_then_is_abandoned(site: Site) -> None:
    async def story(talk: Talk) -> None:
        first, second, third = Learner(talk, "s1"), Learner(talk, "s2"), Learner(talk, "s3")
        assert await first.start() == ""
        left = await first.ok("start_ghap", **ATTEMPT)
        assert ATTEMPT["goal"] not in await Learner(talk, "beside").start(), "its session still runs"
        assert ATTEMPT["goal"] not in await first.start("compact")
        assert (await first.ok("get_active_ghap"))["active"] is True
        await first.tell("SessionEnd", reason="clear")
        offered = await second.start("clear")
        assert f"Goal: {ATTEMPT['goal']}" in offered
        assert f"Hypothesis: {ATTEMPT['hypothesis']}" in offered
        assert f'adopt_ghap(id="{left["id"]}")' in offered
        assert f'abandon_ghap(id="{left["id"]}", reason=' in offered
        taken = await second.ok("adopt_ghap", id=left["id"])
        assert (taken["id"], taken["session_id"], taken["status"]) == (left["id"], "s2", "active")
        assert ATTEMPT["goal"] not in await third.start()
        await second.end()
        # The same conversation goes on: the entry is its own again, and is not offered.
        assert ATTEMPT["goal"] not in await second.start("resume")
        assert (await second.ok("get_active_ghap"))["entry"]["id"] == left["id"]
        await second.end()
        await Learner(talk, "s4").start()
        await Learner(talk, "s4").end()
        [gone] = await third.ok("list_ghap_entries")
        assert (gone["id"], gone["status"], gone["tier"]) == (left["id"], "abandoned", "abandoned")
        assert (await third.ok("start_ghap", **ATTEMPT))["status"] == "active"
        payload = {"session_id": "s3", "cwd": "/p", "hook_event_name": "SessionEnd", "reason": "other"}
        await talk.tell(payload, happened_at=now_us() - 8 * DAY_US)
        await talk.composed.kinds["learning.expire"]({})
        assert [line["status"] for line in await third.ok("list_ghap_entries")] == ["abandoned", "abandoned"]

    converse(site, story)


@pytest.mark.requirement("MEM-11")
def test_a_forgotten_entry_is_said_no_more_though_it_was_in_memory(site: Site) -> None:
    async def story(talk: Talk) -> None:
        agent = Learner(talk, "s1")
        await agent.start()
        await agent.ok("start_ghap", **ATTEMPT | {"goal": "Repair zebraquokka"})
        await agent.run("ls")
        forget = talk.composed.declared.tools["forget"]
        await forget.run(forget.arguments(text="zebraquokka"), talk.caller())
        assert not any([await agent.run("ls") for _ in range(12)])
        assert talk.services.get(ProgressBoard).of(ConversationId("s1")).prediction == ""

    converse(site, story)


@pytest.mark.requirement("LRN-1")
def test_memory_changes_when_the_store_has_it_and_the_board_tells_only_what_is_open(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(talk: Talk) -> None:
        agent = Learner(talk, "s1")
        await agent.start()
        entries, board = talk.services.get(Learning).ghaps, talk.services.get(ProgressBoard)
        threads: list[threading.Thread] = []
        changed = entries.changed

        def noted(*whose: Who) -> None:
            threads.append(threading.current_thread())
            changed(*whose)

        monkeypatch.setattr(entries, "changed", noted)
        for end in (("resolve_ghap", {"outcome": "confirmed"}), ("abandon_ghap", {}), None):
            await agent.ok("start_ghap", **ATTEMPT | {"prediction": "test passes: test_evict"})
            assert "test passes: test_evict" in board.of(ConversationId("s1")).prediction
            if end is None:
                await agent.run("pytest tests/test_cache.py", error=FAILED)
            else:
                await agent.ok(end[0], **end[1])
            assert board.of(ConversationId("s1")).prediction == "", end
        await agent.end()
        assert set(threads) == {threading.main_thread()}, "a transaction runs in another thread"

    converse(site, story)
