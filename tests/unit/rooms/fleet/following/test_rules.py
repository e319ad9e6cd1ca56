"""The status of an agent, event by event. Every mistake that others make here (FLT-5) is a story."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from holdfast.events.parse import parse
from holdfast.ids import ConversationId
from holdfast.rooms.fleet.following import rules
from holdfast.rooms.fleet.following.roster import stored
from holdfast.rooms.fleet.model import STATUSES, Agent, ClientSession

SECOND = 1_000_000
S1 = ConversationId("s1")
Told = tuple[str, dict[str, Any], str]
"""An event, its fields, and `status` or `status: what it needs or says` after it."""


def bash(id: str, command: str = "make", **more: Any) -> dict[str, Any]:
    return {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": id} | more


def asked(command: str) -> dict[str, Any]:
    """A PermissionRequest names no tool use (2.1.325)."""
    return {"tool_name": "Bash", "tool_input": {"command": command}}


def told(kind: str, message: str = "Claude is waiting") -> dict[str, Any]:
    return {"notification_type": kind, "message": message}


PERMISSION = told("permission_prompt", "Claude needs your permission")
OLD = {"message": "It asks for permission"}
PLAN = {"tool_name": "ExitPlanMode", "tool_input": {"plan": "x"}, "tool_use_id": "q2"}
QUESTION = {"tool_name": "AskUserQuestion", "tool_input": {"questions": [{"question": "Which?"}]}}
SHELL = {"id": "b1", "type": "shell", "status": "running", "description": "dev server"}
TEAMMATE = {"id": "t1", "type": "teammate", "status": "running"}

STORIES: dict[str, list[Told]] = {
    "a whole turn": [
        ("SessionStart", {"source": "startup"}, "done"),
        ("UserPromptSubmit", {"prompt": "go"}, "working"),
        ("PreToolUse", bash("u1"), "working"),
        ("PostToolUse", bash("u1"), "working"),
        ("Stop", {"background_tasks": []}, "done"),
        ("SessionEnd", {"reason": "prompt_input_exit"}, "done"),
    ],
    "an idle prompt is no need": [
        ("UserPromptSubmit", {"prompt": "go"}, "working"),
        ("Stop", {}, "done"),
        ("Notification", told("idle_prompt"), "done"),
    ],
    "a permission prompt is a need, and the next event of a tool ends it": [
        ("UserPromptSubmit", {"prompt": "go"}, "working"),
        ("PreToolUse", bash("u1", "rm x"), "working"),
        ("PermissionRequest", asked("rm x"), "attention: permission for Bash: rm x"),
        ("Notification", PERMISSION, "attention: permission for Bash: rm x"),
        ("PostToolUse", bash("u1", "rm x"), "working"),
    ],
    "a notification alone is a need, too": [
        ("PreToolUse", bash("u1"), "working"),
        ("Notification", PERMISSION, "attention: Claude needs your permission"),
        ("PreToolUse", bash("u2"), "working"),
        ("Notification", told("auth_success"), "working"),
        ("Notification", OLD, "attention: It asks for permission"),
    ],
    "a refused permission is over when the agent goes on with something else": [
        ("PreToolUse", bash("u1", "rm x"), "working"),
        ("PermissionRequest", asked("rm x"), "attention: permission for Bash: rm x"),
        ("PreToolUse", bash("u2", "ls"), "working"),
    ],
    "the end of a call beside it answers no question": [
        ("PreToolUse", bash("u1", "rm x"), "working"),
        ("PreToolUse", bash("u2", "ls"), "working"),
        ("PermissionRequest", asked("rm x"), "attention: permission for Bash: rm x"),
        ("PostToolUse", bash("u2", "ls"), "attention: permission for Bash: rm x"),
        ("PostToolUse", bash("u1", "rm x"), "working"),
    ],
    "two questions at once": [
        ("PreToolUse", bash("u1", "rm x"), "working"),
        ("PreToolUse", bash("u2", "rm y"), "working"),
        ("PermissionRequest", asked("rm y"), "attention: permission for Bash: rm y"),
        ("PermissionRequest", asked("rm x"), "attention: permission for Bash: rm y (and 1 more)"),
        ("PostToolUse", bash("u2", "rm y"), "attention: permission for Bash: rm x"),
        ("PermissionDenied", bash("u1", "rm x"), "working"),
    ],
    "a question is told twice and asked once": [
        ("PreToolUse", QUESTION | {"tool_use_id": "q1"}, "attention: question: Which?"),
        ("PermissionRequest", QUESTION, "attention: question: Which?"),
        ("PostToolUse", QUESTION | {"tool_use_id": "q1"}, "working"),
        ("PreToolUse", PLAN, "attention: a plan to approve"),
        ("UserPromptSubmit", {"prompt": "no"}, "working"),
    ],
    "an MCP server asks": [
        ("UserPromptSubmit", {"prompt": "go"}, "working"),
        ("Elicitation", {"mcp_server_name": "lab", "message": "Your name?"}, "attention: lab asks: Your name?"),
        ("ElicitationResult", {"action": "accept"}, "working"),
    ],
    "a Stop with background tasks is not idle": [
        ("Stop", {"background_tasks": [SHELL]}, "working"),
        ("Notification", told("idle_prompt"), "working"),
        ("UserPromptSubmit", {"prompt": "<task-notification>"}, "working"),
        ("Stop", {"background_tasks": []}, "done"),
        ("Stop", {"background_tasks": [SHELL | {"status": "completed"}, "odd", TEAMMATE]}, "done"),
    ],
    "a turn that failed needs a person, until the next prompt": [
        ("UserPromptSubmit", {"prompt": "go"}, "working"),
        ("StopFailure", {"error": "rate_limit", "last_assistant_message": "429"}, "error: rate limit reached: 429"),
        ("Notification", told("idle_prompt"), "error: rate limit reached: 429"),
        ("UserPromptSubmit", {"prompt": "again"}, "working"),
        ("StopFailure", {"error": "something_new"}, "error: something new"),
        ("StopFailure", {}, "error: the turn ended with an error"),
    ],
    "a tool that failed is an error until the next event of a tool": [
        ("UserPromptSubmit", {"prompt": "go"}, "working"),
        ("PreToolUse", bash("u1"), "working"),
        ("PostToolUseFailure", bash("u1", error="Exit code 2\nbad"), "error: Bash failed: Exit code 2"),
        ("PreToolUse", bash("u2"), "working"),
        ("PostToolUseFailure", bash("u2", error="Exit code 2"), "error: Bash failed: Exit code 2"),
        ("Stop", {}, "done"),
    ],
    "a tool that was interrupted is no error": [
        ("PreToolUse", bash("u1"), "working"),
        ("PostToolUseFailure", bash("u1", error="", is_interrupt=True), "done: interrupted"),
    ],
    "an idle prompt after Esc ends the turn that no Stop ended": [
        ("UserPromptSubmit", {"prompt": "go"}, "working"),
        ("Notification", told("idle_prompt"), "done: interrupted"),
    ],
    "a session that started elsewhere has a status with its first event": [("PostToolUse", bash("u1"), "working")],
    "a compaction changes nothing": [
        ("UserPromptSubmit", {"prompt": "go"}, "working"),
        ("SessionStart", {"source": "compact"}, "working"),
        ("PreCompact", {"trigger": "auto"}, "working"),
        ("SessionEnd", {"reason": "clear"}, "done"),
        ("SessionStart", {"source": "resume"}, "done"),
    ],
}  # fmt: skip


def shown(agent: Agent) -> str:
    said = agent.needs or agent.message
    return f"{agent.status}: {said}" if said else agent.status


@pytest.mark.requirement("FLT-1")
@pytest.mark.requirement("FLT-5")
def test_stories() -> None:
    for name, story in STORIES.items():
        agent = Agent(conversation=S1)
        for number, (event, fields, expected) in enumerate(story):
            agent = rules.after(
                agent, parse({"hook_event_name": event, "session_id": "s1"} | fields), (number + 1) * SECOND
            )
            assert shown(agent) == expected, f"{name}, event {number}: {event}"


def after(*events: tuple[str, dict[str, Any]], agent: Agent | None = None) -> Agent:
    """The agent after these events, one each second; the first at second 1, or one after the last."""
    agent = agent or Agent(conversation=S1)
    for event, fields in events:
        at = agent.last_at + SECOND
        agent = rules.after(agent, parse({"hook_event_name": event, "session_id": "s1"} | fields), at)
    return agent


ASKING = (("PreToolUse", bash("u1", "rm x")), ("PermissionRequest", asked("rm x")))


@pytest.mark.requirement("FLT-1")
def test_a_look_is_no_answer_and_holds_until_something_new_happens() -> None:
    assert STATUSES == ("error", "attention", "working", "checked", "done")
    asking = rules.seen(after(*ASKING), 10 * SECOND)
    assert (asking.status, asking.needs, asking.since) == ("checked", "permission for Bash: rm x", 10 * SECOND)
    again = after(("Notification", told("permission_prompt")), agent=asking)
    assert again.status == "checked", "the same question, told again"
    assert after(("PostToolUse", bash("u1", "rm x")), agent=asking).status == "working"
    failed = after(("StopFailure", {"error": "rate_limit"}))
    assert rules.seen(failed, 10 * SECOND).status == "checked"
    assert rules.calls_for_person(failed)
    assert not rules.calls_for_person(rules.seen(failed, 10 * SECOND))
    later = after(
        ("UserPromptSubmit", {}), ("StopFailure", {"error": "rate_limit"}), agent=rules.seen(failed, 2 * SECOND)
    )
    assert later.status == "error", "it failed again"
    done = after(("Stop", {}))
    assert rules.seen(done, 5 * SECOND).status == "checked"
    assert after(("UserPromptSubmit", {}), ("Stop", {}), agent=rules.seen(done, 2 * SECOND)).status == "done"
    working = rules.seen(after(("UserPromptSubmit", {})), 9 * SECOND)
    assert working.status == "working"
    assert not rules.calls_for_person(after(("PostToolUseFailure", bash("u1", error="x")))), "that is its own business"


@pytest.mark.requirement("FLT-1")
def test_since_is_when_the_status_began() -> None:
    agent = after(("UserPromptSubmit", {}), ("PreToolUse", bash("u1")), ("PostToolUse", bash("u1")))
    assert (agent.since, agent.last_at) == (SECOND, 3 * SECOND)
    assert after(("PreToolUse", bash("u2")), ("PermissionRequest", asked("make")), agent=agent).since == 5 * SECOND
    late = parse({"hook_event_name": "Stop", "session_id": "s1"})
    assert rules.after(agent, late, SECOND) is agent, "what is told late changes nothing"
    before = parse({"hook_event_name": "PreToolUse", "session_id": "s1"} | bash("u0", "ls"))
    asking = after(("PreToolUse", bash("u2", "rm x")), ("PermissionRequest", asked("rm x")), agent=agent)
    assert rules.after(asking, before, 4 * SECOND).status == "attention", "a call that was made before the question"


@pytest.mark.requirement("FLT-1")
def test_a_clock_that_is_set_back_stops_no_status() -> None:
    """Events of this moment come at most some seconds out of order: more than that is the clock."""
    hour = 3_600 * SECOND
    agent = after(("UserPromptSubmit", {"prompt": "go"}), *ASKING)
    agent = replace(agent, **{name: getattr(agent, name) + 9 * hour for name in ("last_at", "since")})
    agent = replace(agent, asks=tuple(replace(ask, at=ask.at + 9 * hour) for ask in agent.asks))

    def heard(event: str, **fields: Any) -> Any:
        return parse({"hook_event_name": event, "session_id": "s1"} | fields)

    assert agent.status == "attention"
    then = agent.last_at - hour
    told = [
        ("PostToolUse", bash("u1", "rm x"), "working"),
        ("Stop", {}, "done"),
        ("UserPromptSubmit", {"prompt": "more"}, "working"),
        ("StopFailure", {"error": "rate_limit"}, "error"),
    ]
    for number, (event, fields, status) in enumerate(told, 1):
        agent = rules.after(agent, heard(event, **fields), then + number * SECOND, is_live=True)
        assert (agent.status, agent.last_at) == (status, then + number * SECOND), event
    assert rules.seen(agent, then + 9 * SECOND).status == "checked"
    late = rules.after(agent, heard("Stop"), then - hour, is_live=False)
    assert late.status == "error", "what comes from the spool happened before"
    near = rules.after(agent, heard("Stop"), agent.last_at - SECOND, is_live=True)
    assert near.status == "error", "two events side by side"


@pytest.mark.requirement("FLT-4")
def test_stale_is_five_minutes_without_an_event() -> None:
    agent = after(("UserPromptSubmit", {}))
    assert not rules.is_stale(agent, SECOND + 299 * SECOND)
    assert rules.is_stale(agent, SECOND + 300 * SECOND)
    assert not rules.is_stale(rules.ended(agent, 2 * SECOND, "other"), 900 * SECOND)


@pytest.mark.requirement("FLT-5")
def test_what_no_event_tells_comes_from_the_client() -> None:
    """Esc fires no event (2.1.325); the mod's turn.complete and the client's own list know it."""
    at = 60 * SECOND
    working, asking, idle = after(("UserPromptSubmit", {})), after(*ASKING), after(("Stop", {}))
    failed = after(("UserPromptSubmit", {}), ("StopFailure", {"error": "rate_limit"}))
    helper = after(("SubagentStart", {}), agent=Agent(conversation=S1, agent_id="a1", kind="subagent"))
    cases = [
        (working, "idle", "done: interrupted"),
        (working, "busy", "working"),
        (working, "waiting", "attention: permission prompt"),
        (working, "", "working"),
        (asking, "idle", "done: interrupted"),
        (asking, "busy", "working"),
        (asking, "waiting", "attention: permission for Bash: rm x"),
        (idle, "idle", "done"),
        (idle, "busy", "working"),
        (failed, "busy", "error: rate limit reached"),
        (failed, "idle", "error: rate limit reached"),
        (helper, "idle", "done"),
        (helper, "waiting", "working"),
        (after(("Stop", {"background_tasks": [SHELL]})), "idle", "working"),
    ]
    for agent, status, expected in cases:
        told_by_client = ClientSession(S1, status=status, waiting_for="permission prompt")
        assert shown(rules.after_client(agent, told_by_client, at)) == expected, (agent.status, status)
        assert rules.after_client(agent, told_by_client, agent.last_at + SECOND) is agent, "an event is newer"
    for reason, expected in (("aborted", "done: interrupted"), ("answer", "done: interrupted"), ("error", "error: ")):
        assert shown(rules.after_turn(asking, reason, at)).startswith(expected)
    assert rules.after_turn(idle, "answer", at) is idle, "its Stop was told"


@pytest.mark.requirement("FLT-3")
@pytest.mark.requirement("FLT-5")
def test_an_idle_teammate_is_free_only_when_it_owes_nothing() -> None:
    mate = Agent(conversation=S1, agent_id="a1", kind="teammate", name="bob", owes=True)
    mate = after(("SubagentStart", {}), agent=mate)
    silent = after(("SubagentStop", {"agent_type": "bob", "last_assistant_message": ""}), agent=mate)
    assert shown(rules.idles(silent, 9 * SECOND, "")) == "attention: idle, but it owes a report"
    assert not rules.calls_for_person(rules.idles(silent, 9 * SECOND, "")), "its lead is told, not a person"
    assert shown(rules.reported(rules.idles(silent, 9 * SECOND, ""), 10 * SECOND)) == "done"
    spoken = after(("SubagentStop", {"agent_type": "bob", "last_assistant_message": "All fine."}), agent=mate)
    assert (shown(rules.idles(spoken, 9 * SECOND, "")), spoken.ended_at) == ("done", 0)
    assert shown(rules.idles(spoken, 9 * SECOND, "the parser")) == "attention: idle, but its task is open: the parser"
    lead = after(("Stop", {"background_tasks": [TEAMMATE]}))
    assert [rules.with_team(lead, count, 9 * SECOND).status for count in (0, 1)] == ["done", "working"]


@pytest.mark.requirement("FLT-1")
@pytest.mark.requirement("PRF-1")
def test_the_short_way_for_most_events_leads_where_the_long_one_does() -> None:
    passed = [parse({"hook_event_name": "PostToolUse"} | bash(use)) for use in ("u1", "u2", "unknown")]
    taken = 0
    for name, story in STORIES.items():
        agent = Agent(conversation=S1)
        for number, (event_name, fields, _) in enumerate(story):
            at = (number + 1) * SECOND
            for event in passed:
                short = rules.only_heard(agent, event, at)
                assert short is None or short == rules.after(agent, event, at), name
                assert short is None or stored(short) == stored(agent), name
                taken += short is not None
            agent = rules.after(agent, parse({"hook_event_name": event_name} | fields), at)
    assert taken > 20
