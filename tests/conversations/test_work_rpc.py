"""The fifteen methods of RPC: inputs, results, nulls where nothing is known, and one event for two ways."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from holdfast.doors.descriptions import openrpc
from holdfast.events.progress import ProgressBoard
from holdfast.ids import ConversationId
from holdfast.store.interface import Reader
from tests.contract.site import Site
from tests.conversations.talk import Talk, converse
from tests.conversations.worker import Worker, rpc, skill

FIFTEEN = (
    *("sessionStart", "sessionEnd", "preCompact", "preToolUse", "postToolUse", "postToolUseFailure", "stop"),
    *("userPrompt", "notification", "permissionRequest", "teammateIdle", "taskCompleted", "subagentStart"),
    *("subagentStop", "configChange"),
)


async def entries(talk: Talk, event: str = "") -> list[dict[str, Any]]:
    def look(reader: Reader) -> Any:
        return reader.all("journal.list", conversation="", event=event, owner=talk.owner, since=0, limit=1_000)

    return list(await talk.store.read(look))


@pytest.mark.requirement("WRK-2")
def test_all_fifteen_answer_without_an_effort_and_with_nothing_but_a_name(site: Site) -> None:
    async def story(talk: Talk) -> None:
        described = {each["name"]: each for each in openrpc(talk.composed.declared)["methods"]}
        for number, name in enumerate(FIFTEEN):
            method = f"hooks.{name}"
            assert {p["name"] for p in described[method]["params"]} >= {"sessionId", "transcriptPath", "cwd"}
            assert not any(param["required"] for param in described[method]["params"])
            for params in ({}, {"session_id": f"r{number}", "cwd": "/nowhere/at/all", "hook_event_name": "Other"}):
                result = await rpc(talk, method, **params)
                assert "message" not in result, (method, result)
                assert set(result) == set(described[method]["result"]["schema"]["properties"]), method
                assert result.get("effortId") is None
                assert result.get("sessionId") is None
            wrong = await rpc(talk, method, session_id=7)
            assert (wrong["code"], wrong["data"]) == (-32602, {"name": "VALIDATION_ERROR"})
            assert f"{method}: Expected `str | null`, got `int` - at `$.session_id`" in wrong["message"]
        assert await rpc(talk, "hooks.preToolUse", sessionId="x", toolName="Bash", toolInput={"command": "ls"}) == {
            "allow": True,
            "heartbeatCount": None,
            "contextUsage": None,
            "overflowWarning": False,
            "pendingPreloads": [],
            "firedRules": [],
            "reason": None,
        }
        refused = await rpc(
            talk, "hooks.preToolUse", session_id="x", cwd="/p", tool_name="Bash", tool_input={"command": "rm -rf /"}
        )
        assert (refused["allow"], len(refused["firedRules"])) == (False, 1)
        assert "part of the system" in refused["reason"]

    converse(site, story)


@pytest.mark.requirement("WRK-2")
@pytest.mark.requirement("WRK-4")
@pytest.mark.requirement("WRK-5")
@pytest.mark.requirement("WRK-9")
@pytest.mark.requirement("WRK-10")
def test_a_script_runs_a_whole_effort(site: Site, tmp_path: Path) -> None:
    skill(tmp_path)
    where = {"cwd": str(tmp_path), "transcript_path": "/t/s1.jsonl", "permission_mode": "default"}

    async def story(talk: Talk) -> None:
        async def call(method: str, **params: Any) -> Any:
            return await rpc(talk, method, **params)

        async def before(number: int, **more: Any) -> Any:
            about = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": f"u{number}"}
            return await call("hooks.preToolUse", session_id="s1", **where, **(about | more))

        await call("hooks.sessionStart", session_id="s0", source="startup", **where)
        started = await call("effort.start", skill="build", sessionId="s0", task=str(tmp_path), heartbeat="block")
        assert (started["lifecycle"], started["phase"], started["ordinal"]) == ("active", "Setup", 1)
        assert (await call("effort.dehydrate", sessionId="s0", text="half", files=["a.py"]))["waiting"] >= 2
        again = {"code": -32000, "data": {"name": "ALREADY_ENDED"}}
        assert (await call("session.finish", sessionId="s0"))["effortId"] == started["effortId"]
        assert {k: v for k, v in (await call("session.finish", sessionId="s0")).items() if k != "message"} == again
        assert (await call("session.finish", sessionId="nobody"))["data"] == {"name": "NOT_FOUND"}

        begun = await call("hooks.sessionStart", session_id="s1", source="startup", model=None, **where)
        assert (begun["found"], begun["effortId"], begun["skill"]) == (True, started["effortId"], "build")
        assert (begun["phase"], begun["dehydratedContext"], begun["filesToPreload"]) == ("Setup", "half", ["a.py"])
        assert [phase["label"] for phase in begun["skillConfig"]["phases"]][:2] == ["Setup", "Plan"]
        assert begun["skillConfig"]["nextSkills"] == ["review"]
        once_more = await call("hooks.sessionStart", session_id="s1", source="compact", **where)
        assert (once_more["dehydratedContext"], once_more["filesToPreload"]) == (None, []), "given once"

        counts = [(await before(number))["heartbeatCount"] for number in range(1, 10)]
        assert counts == list(range(1, 10))
        blocked = await before(10)
        assert (blocked["allow"], blocked["heartbeatCount"], blocked["firedRules"]) == (False, 10, ["work.heartbeat"])
        assert "effort log" in blocked["reason"]
        await call("effort.log", sessionId="s1", text="did it")
        talk.services.get(ProgressBoard).note(ConversationId("s1"), context_used=0.91)
        full = await before(11)
        assert (full["allow"], full["heartbeatCount"], full["overflowWarning"]) == (True, 1, True)
        assert full["contextUsage"] == 0.91
        assert (await before(12, tool_input={"command": "holdfast effort log x"}))["heartbeatCount"] == 1

        assert (await call("effort.phase", sessionId="s1", phase="Plan"))["phase"] == "Plan"
        loaded = await before(13)
        assert loaded["pendingPreloads"] == ["plan.md"]
        assert (await before(14))["pendingPreloads"] == []
        use = {"session_id": "s1", **where, "tool_name": "Bash", "tool_input": {"command": "ls"}}
        after = await call("hooks.postToolUse", **use, tool_use_id="u14", tool_response={"stdout": ""})
        assert (after["heartbeatCount"], after["dialogueEntry"]) == (2, None)
        assert "Ask before you decide." in after["pendingInjections"][0]
        assert (await call("hooks.postToolUse", **use, tool_use_id="u15"))["pendingInjections"] == []
        asked = {"questions": [{"question": "Which?", "options": [{"label": "A"}, {"label": "B"}]}]}
        answers = {"tool_name": "AskUserQuestion", "tool_input": asked, "tool_response": {"answers": {"Which?": "A"}}}
        told = await call("hooks.postToolUse", **(use | answers), tool_use_id="u16")
        assert told["dialogueEntry"] == "Q: Which? [A | B]\nA: A"
        found = (await call("message.list", sessionId="s1", kind="dialogue", projectId="all"))["messages"]
        assert [each["text"] for each in found] == ["Q: Which? [A | B]\nA: A"]

        said = await call("hooks.userPrompt", session_id="s1", prompt="go", **where)
        assert said["sessionContext"].endswith("effort build #1 (fast) · phase Plan · heartbeat 2/10")
        assert (said["taskDir"], said["heartbeat"], said["phase"]) == (str(tmp_path), 2, "Plan")
        helper = {"session_id": "s1", "agent_id": "sub", "agent_type": "explore", **where}
        assert "as a subagent" in (await call("hooks.subagentStart", **helper))["context"]
        beat = await call("hooks.preToolUse", **helper, tool_name="Bash", tool_input={"command": "ls"}, tool_use_id="h")
        assert beat["heartbeatCount"] == 1
        assert not (await call("hooks.subagentStop", **(helper | {"agent_type": ""})))["ended"]
        assert (await call("hooks.subagentStop", **helper))["ended"]
        idle = await call("hooks.teammateIdle", session_id="s1", teammate_name="bob", team_name="t", **where)
        assert idle["effortId"] == started["effortId"]
        await call(
            "hooks.taskCompleted", session_id="s1", task_id="4", task_subject="Lex", teammate_name="bob", **where
        )
        signals = (await call("hooks.postToolUse", **use, tool_use_id="u17"))["pendingInjections"]
        assert signals == ["Teammate bob of t is idle.\n\nTask 4 (Lex) was completed by bob."]
        await call("hooks.postToolUseFailure", **use, tool_use_id="u18", error="Exit code 1")
        kinds = [each["kind"] for each in (await call("message.list", projectId="all"))["messages"]]
        assert kinds == ["failure", "task_completed", "teammate_idle", "dialogue"]
        for method in ("notification", "permissionRequest", "stop", "preCompact", "configChange"):
            assert (await call(f"hooks.{method}", session_id="s1", **where))["effortId"] == started["effortId"]
        assert (await call("hooks.sessionEnd", session_id="s1", reason="other", **where))["ended"]
        assert (await call("effort.finish", id=started["effortId"], text="done"))["lifecycle"] == "finished"
        assert (await call("effort.show", id=started["effortId"]))["entries"][0]["text"] == "done"
        assert (await call("task.list", projectId="all"))["tasks"][0]["state"] == "dormant"
        assert (await call("hooks.userPrompt", session_id="s1", prompt="go", **where))["sessionContext"] is None

    converse(site, story)


@pytest.mark.requirement("WRK-2")
def test_an_event_by_a_hook_and_by_rpc_is_one_event(site: Site, tmp_path: Path) -> None:
    """One row and one increment, whichever comes first, and both get the same decision."""
    skill(tmp_path)

    async def story(talk: Talk) -> None:
        agent = Worker(talk, "s1", str(tmp_path))
        where = {"session_id": "s1", "cwd": str(tmp_path), "transcript_path": "/t/s1.jsonl"}
        await agent.start()
        await rpc(talk, "hooks.sessionStart", **where, source="startup")
        assert len(await entries(talk, "SessionStart")) == 1
        await agent.slash("build")
        call: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "ls"}}
        for number in range(1, 11):
            use = call | {"tool_use_id": f"u{number}"}
            if number % 2:
                hooked = await agent.hook("PreToolUse", **use)
                told = await rpc(talk, "hooks.preToolUse", **where, **use)
            else:
                told = await rpc(talk, "hooks.preToolUse", **where, **use)
                hooked = await agent.hook("PreToolUse", **use)
            assert told["heartbeatCount"] == agent.heartbeat == number
            refused = hooked.get("hookSpecificOutput", {}).get("permissionDecision") == "deny"
            assert (refused, told["allow"]) == (number == 10, number != 10)
        assert len(await entries(talk, "PreToolUse")) == 10
        await asyncio.gather(
            *(rpc(talk, "hooks.preToolUse", **where, **call, tool_use_id=f"v{n % 20}") for n in range(40))
        )
        assert agent.heartbeat == 30
        await rpc(talk, "hooks.userPrompt", **where, prompt="and now?")
        await agent.hook("UserPromptSubmit", prompt="and now?", prompt_id="p1")
        await agent.hook("Notification", message="waits", notification_type="idle_prompt")
        await rpc(talk, "hooks.notification", **where, message="waits", notification_type="idle_prompt")
        await rpc(talk, "hooks.notification", **where, message="waits", notification_type="idle_prompt")
        await rpc(talk, "hooks.sessionEnd", **where, reason="other")
        await agent.end()
        counted = [len(await entries(talk, name)) for name in ("UserPromptSubmit", "Notification", "SessionEnd")]
        assert counted == [1, 2, 1]

    converse(site, story)
