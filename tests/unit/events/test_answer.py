"""The client's output schemas: what each event's answer looks like on the wire (EVT-2, EVT-4)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from holdfast.events.answer import (
    BLOCKABLE_EVENTS,
    CONTEXT_EVENTS,
    NOTHING,
    Answer,
    Decision,
    allow,
    ask,
    client_body,
    command_body,
    refuse,
)
from holdfast.events.event import EVENTS
from tests.support.table import each_of

DENY, ASK, ALLOW = refuse("rule", "because"), ask("rule", "sure?"), allow("rule", "fine")
BLOCKED = {"decision": "block", "reason": "because"}

# What the real client was seen to accept (2.1.325).
WITH_CONTEXT = {
    *("SessionStart", "UserPromptSubmit", "UserPromptExpansion", "SubagentStart"),
    *("PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch"),
}
BLOCKED_AT_THE_TOP = {"UserPromptSubmit", "Stop", "SubagentStop", "PreCompact"}


def body(event: str, answer: Answer) -> Any:
    return json.loads(client_body(event, answer))


def specific(event: str, **fields: Any) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": event, **fields}}


@pytest.mark.requirement("EVT-4")
@each_of("event", [*EVENTS, "Teleport"])
def test_nothing_is_an_empty_object(event: str) -> None:
    assert client_body(event, NOTHING) == b"{}"
    assert command_body(event, NOTHING) == b"{}"


@pytest.mark.requirement("EVT-4")
@each_of("event", [*EVENTS, "Teleport"])
def test_context_goes_only_where_the_client_has_a_place_for_it(event: str) -> None:
    expected = specific(event, additionalContext="text") if event in WITH_CONTEXT else {}
    assert body(event, Answer(context="text")) == expected


@pytest.mark.requirement("EVT-4")
@each_of("event", [*EVENTS, "Teleport"])
def test_a_refusal_takes_the_shape_of_its_event(event: str) -> None:
    expected: dict[str, Any] = {}
    if event == "PreToolUse":
        expected = specific(event, permissionDecision="deny", permissionDecisionReason="because")
    elif event == "PermissionRequest":
        expected = specific(event, decision={"behavior": "deny", "message": "because"})
    elif event in BLOCKED_AT_THE_TOP:
        expected = BLOCKED
    assert body(event, Answer(decision=DENY)) == expected


@pytest.mark.requirement("EVT-4")
def test_the_tables_of_the_module_are_the_clients() -> None:
    assert CONTEXT_EVENTS == WITH_CONTEXT
    assert BLOCKED_AT_THE_TOP | {"PreToolUse", "PermissionRequest"} == BLOCKABLE_EVENTS
    assert EVENTS.keys() >= CONTEXT_EVENTS | BLOCKABLE_EVENTS


@pytest.mark.requirement("EVT-4")
@each_of(
    ("event", "decision", "expected"),
    [
        ("PreToolUse", ASK, specific("PreToolUse", permissionDecision="ask", permissionDecisionReason="sure?")),
        ("PreToolUse", ALLOW, specific("PreToolUse", permissionDecision="allow", permissionDecisionReason="fine")),
        ("PermissionRequest", ASK, {}),
        ("PermissionRequest", ALLOW, specific("PermissionRequest", decision={"behavior": "allow"})),
        *((event, ASK, {}) for event in sorted(BLOCKED_AT_THE_TOP)),
        *((event, ALLOW, {}) for event in sorted(BLOCKED_AT_THE_TOP)),
    ],
)
def test_asking_and_allowing(event: str, decision: Decision, expected: dict[str, Any]) -> None:
    assert body(event, Answer(decision=decision)) == expected


@pytest.mark.requirement("EVT-4")
@each_of("event", sorted(EVENTS))
def test_an_input_is_rewritten_only_before_a_tool_is_used(event: str) -> None:
    expected = specific(event, updatedInput={}) if event == "PreToolUse" else {}
    assert body(event, Answer(updated_input={})) == expected


@pytest.mark.requirement("EVT-4")
def test_all_parts_of_one_answer_stand_together() -> None:
    whole = Answer(context="c", decision=DENY, updated_input={"command": "ls"}, message="told")
    assert body("PreToolUse", whole) == {
        "systemMessage": "told",
        **specific(
            "PreToolUse",
            additionalContext="c",
            permissionDecision="deny",
            permissionDecisionReason="because",
            updatedInput={"command": "ls"},
        ),
    }
    blocked = Answer(context="c", decision=DENY, message="told")
    context = specific("UserPromptSubmit", additionalContext="c")
    assert body("UserPromptSubmit", blocked) == {"systemMessage": "told", **BLOCKED, **context}


@pytest.mark.requirement("EVT-4")
def test_what_was_dropped_is_not_told_to_the_client() -> None:
    assert body("SessionStart", Answer(dropped=3)) == {}


@pytest.mark.requirement("EVT-2")
@each_of("event", [name for name in EVENTS if name != "PreCompact"])
def test_both_doors_answer_alike(event: str) -> None:
    whole = Answer(context="c", instructions="i", decision=DENY, updated_input={"a": 1}, message="m")
    assert command_body(event, whole) == client_body(event, whole)


@pytest.mark.requirement("CON-6")
@pytest.mark.parametrize(
    ("answer", "by_command", "by_http"),
    [
        (Answer(instructions="keep ü"), "keep ü".encode(), b"{}"),
        (Answer(instructions="keep", decision=DENY), None, None),
        (Answer(decision=DENY), None, None),
        (Answer(context="ignored by the client"), b"{}", b"{}"),
    ],
)
def test_before_a_compaction_a_command_prints_plain_text_unless_it_blocks(
    answer: Answer, by_command: bytes | None, by_http: bytes | None
) -> None:
    blocked = json.dumps(BLOCKED, separators=(",", ":")).encode()
    assert command_body("PreCompact", answer) == (blocked if by_command is None else by_command)
    assert client_body("PreCompact", answer) == (blocked if by_http is None else by_http)
