"""What the client writes into a transcript without firing a hook, and what it fires differently (EVT-8).

The facts are the client's own: each was seen in 2.1.325 (and 2.1.197 where that is said).
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.table import each_of
from tests.support.transcripts import about, both, final, line, read, result, story, use

FAILED = [("PreToolUse", "ls"), ("PostToolUseFailure", "Exit code 2\nno")]
NEVER_RAN = [("PreToolUse", "ls")]


@pytest.mark.requirement("EVT-8")
@pytest.mark.parametrize(
    ("text", "fields", "told"),
    [
        ("Exit code 2\nno", {}, FAILED),
        ("Exit code 2\nno", {"permissionDecision": {"decision": "accept"}}, FAILED),
        ("PreToolUse:Bash hook error: no", {"toolDenialKind": "permission-rule"}, NEVER_RAN),
        ("no", {"permissionDecision": {"decision": "reject"}}, NEVER_RAN),
        ("PreToolUse:Bash hook error: no", {}, NEVER_RAN),
        ("The user doesn't want to proceed with this tool use. STOP", {}, NEVER_RAN),
        ("not here", {}, NEVER_RAN),  # 2.1.197 leaves the bare reason of a hook's refusal
        ("<tool_use_error>InputValidationError: Bash failed</tool_use_error>", {}, []),
        ("<tool_use_error>Error: No such tool available: X</tool_use_error>", {}, []),
    ],
)
def test_a_result_that_is_an_error(text: str, fields: dict[str, Any], told: list[tuple[str, str]]) -> None:
    assert story(read(use() + result(text, is_error=True, **fields)).events) == told


@pytest.mark.requirement("EVT-8")
def test_a_failure_of_another_tool_has_no_exit_code() -> None:
    told = read(use(name="Read", file_path="/x") + result("File does not exist.", is_error=True)).events
    assert [item.event for item in told] == ["PreToolUse", "PostToolUseFailure"]
    assert about(told[1].payload) == "File does not exist."


@pytest.mark.requirement("EVT-8")
def test_a_passing_result_may_say_anything() -> None:
    assert story(read(use() + result("<tool_use_error>in a file</tool_use_error>")).events) == both("ls")
    blocks = [{"type": "text", "text": "two"}, {"type": "text", "text": "texts"}]
    assert read(use() + result(blocks)).events[1].payload["tool_response"] == "two\ntexts"


@pytest.mark.requirement("EVT-8")
@each_of(
    ("content", "fields", "prompt"),
    [
        ("hello", {}, "hello"),
        ("  kept as typed \n", {}, "  kept as typed \n"),
        ([{"type": "text", "text": "look"}, {"type": "image", "source": {}}], {}, "look"),
        ("<command-message>hello</command-message>\n<command-name>/hello</command-name>", {}, "/hello"),
        (
            "<command-message>hi</command-message><command-name>/hi</command-name><command-args>a b</command-args>",
            {},
            "/hi a b",
        ),
        ("<task-notification>\n<status>completed</status>", {}, "<task-notification>\n<status>completed</status>"),
        ("", {}, None),
        ("hello", {"promptId": None}, None),
        ("hello", {"isMeta": True}, None),
        ("a summary", {"isCompactSummary": True}, None),
        ("a summary", {"isVisibleInTranscriptOnly": True}, None),
        ("<command-name>/compact</command-name>", {}, None),
        ("<local-command-stdout>x</local-command-stdout>", {}, None),
        ("<bash-input>ls</bash-input>", {}, None),
        ("[Request interrupted by user]", {}, None),
        ([{"type": "image", "source": {}}], {}, None),
    ],
)
def test_which_lines_are_prompts(content: Any, fields: dict[str, Any], prompt: str | None) -> None:
    told = read(line("user", content, **fields)).events
    assert story(told) == ([] if prompt is None else [("UserPromptSubmit", prompt)])


@pytest.mark.requirement("EVT-8")
def test_what_a_subagent_is_asked_is_no_prompt_of_the_users() -> None:
    told = read(line("user", "Count the beans.") + final("Seven."), agent_id="a1").events
    assert story(told) == [("SubagentStop", "Seven.")]
    assert told[0].payload["agent_id"] == "a1"
    assert "agent_type" not in told[0].payload


@pytest.mark.requirement("EVT-8")
def test_of_a_message_of_several_texts_the_hook_gets_the_last() -> None:
    assert story(read(final("first part", "  second part \n")).events) == [("Stop", "second part")]
    apart = final("Done.", message_id="m1") + final("Done.", message_id="m2")
    assert story(read(apart).events) == [("Stop", "Done."), ("Stop", "Done.")]


@pytest.mark.requirement("EVT-8")
@pytest.mark.parametrize("reason", [None, "tool_use", "max_tokens", "stop_sequence"])
def test_only_the_end_of_a_turn_is_a_stop(reason: str | None) -> None:
    text = [{"type": "text", "text": "so far"}]
    assert read(line("assistant", text, message={"stop_reason": reason})).events == ()
    thinking = [{"type": "thinking", "thinking": "hm"}]
    assert read(line("assistant", thinking, message={"stop_reason": "end_turn"})).events == ()


@pytest.mark.requirement("EVT-8")
def test_a_stop_after_one_that_a_hook_refused_says_so_until_the_next_prompt() -> None:
    feedback = line("user", "Stop hook feedback:\ngo on", isMeta=True)
    data = line("user", "do it") + final("one") + feedback + final("two", message_id="m2")
    data += line("user", "next", promptId="p2") + final("three", message_id="m3")
    stops = [item.payload for item in read(data).events if item.event == "Stop"]
    assert [(stop["last_assistant_message"], stop["stop_hook_active"]) for stop in stops] == [
        ("one", False),
        ("two", True),
        ("three", False),
    ]
    assert [stop["prompt_id"] for stop in stops] == ["p1", "p1", "p2"]


@pytest.mark.requirement("EVT-8")
@pytest.mark.parametrize(
    ("timestamp", "at"),
    [
        ("2026-11-15T20:39:43.666Z", 1_794_775_183_666_000),
        ("2026-11-15T21:39:43.666+01:00", 1_794_775_183_666_000),
        ("", 0),
        ("yesterday", 0),
    ],
)
def test_times(timestamp: str, at: int) -> None:
    assert read(line("user", "x", timestamp=timestamp)).events[0].happened_at == at
