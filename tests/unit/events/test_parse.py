"""Parsing: each event into its own type, nothing refused, nothing lost (EVT-1)."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.events.event import (
    EVENTS,
    PostToolUseFailure,
    PreToolUse,
    SessionStart,
    ToolEvent,
    UnknownEvent,
    UserPromptSubmit,
)
from holdfast.events.parse import misfits, parse, wire
from tests.support.payloads import load, names
from tests.support.table import each_of

# From the client's documentation of 2.1.325, not from our own list.
_CLIENT_EVENTS = """
PreToolUse PostToolUse PostToolUseFailure PostToolBatch Notification UserPromptSubmit UserPromptExpansion SessionStart
SessionEnd Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact PreModelSwitch PostModelSwitch
PermissionRequest PermissionDenied Setup TeammateIdle TaskCreated TaskCompleted Elicitation ElicitationResult
ConfigChange WorktreeCreate WorktreeRemove InstructionsLoaded CwdChanged FileChanged DirectoryAdded MessageDisplay
"""
CLIENT_EVENTS = _CLIENT_EVENTS.split()


@pytest.mark.requirement("EVT-1")
def test_the_closed_list_is_the_clients_33_events() -> None:
    assert len(CLIENT_EVENTS) == 33
    assert set(EVENTS) == set(CLIENT_EVENTS)
    assert all(kind.__name__ == name for name, kind in EVENTS.items())


@pytest.mark.requirement("EVT-1")
def test_every_event_was_recorded() -> None:
    assert len(names()) == 101
    assert {load(name)["hook_event_name"] for name in names()} == set(EVENTS)


@pytest.mark.requirement("EVT-1")
@each_of("name", names())
def test_a_recorded_payload_becomes_its_own_type_and_comes_back_whole(name: str) -> None:
    payload = load(name)
    event = parse(payload)
    assert type(event) is EVENTS[payload["hook_event_name"]]
    assert event.rest == {}, "a recorded field has no name in event.py"
    assert wire(event) == {key: value for key, value in payload.items() if value is not None}


@pytest.mark.requirement("EVT-1")
@each_of("name", names())
def test_what_wire_gives_is_the_same_event_again(name: str) -> None:
    event = parse(load(name))
    assert parse(wire(event)) == event


@pytest.mark.requirement("EVT-1")
@each_of("name", sorted(EVENTS))
def test_every_field_may_be_missing(name: str) -> None:
    event = parse({"hook_event_name": name})
    assert type(event) is EVENTS[name]
    assert (event.session_id, event.cwd, event.rest) == ("", "", {})


@pytest.mark.requirement("EVT-1")
def test_unknown_fields_stay_in_rest_and_travel_on() -> None:
    payload = load("PreToolUse-Bash", shiny={"deep": [1, None]}, rest="not ours")
    event = parse(payload)
    assert isinstance(event, PreToolUse)
    assert event.rest == {"shiny": {"deep": [1, None]}, "rest": "not ours"}
    assert wire(event) == payload


@pytest.mark.requirement("EVT-1")
def test_an_unknown_event_keeps_its_name_its_common_fields_and_all_the_rest() -> None:
    payload = {
        "hook_event_name": "Teleport",
        "session_id": "s",
        "cwd": "/w",
        "where": {"x": 1},
        "effort": {"level": "low"},
    }
    event = parse(payload)
    assert isinstance(event, UnknownEvent)
    assert (event.hook_event_name, event.session_id, event.cwd) == ("Teleport", "s", "/w")
    assert event.rest == {"where": {"x": 1}}
    assert wire(event) == payload


WRONG: list[tuple[str, dict[str, Any]]] = [
    ("PreToolUse", {"session_id": 7}),
    ("PreToolUse", {"tool_name": ["Bash"]}),
    ("PostToolBatch", {"tool_calls": "none"}),
    ("PostToolBatch", {"tool_calls": [1, 2]}),
    ("Stop", {"stop_hook_active": "yes"}),
    ("SessionStart", {"context_tokens": 1.5}),
    ("UserPromptSubmit", {"prompt": {"text": "hi"}}),
    ("MessageDisplay", {"index": None}),
    ("SessionEnd", {"effort": "high"}),
    ("SessionEnd", {"agent_id": 4, "prompt_id": []}),
]


@pytest.mark.requirement("EVT-1")
@pytest.mark.parametrize(("name", "fields"), WRONG)
def test_fields_of_wrong_kinds_leave_the_event_its_type_and_lose_nothing(name: str, fields: dict[str, Any]) -> None:
    payload = {"hook_event_name": name, "session_id": "s", "transcript_path": "/t"} | fields
    event = parse(payload)
    assert type(event) is EVENTS[name]
    assert sorted(misfits(event)) == sorted(fields)
    assert event.transcript_path == "/t"
    assert wire(event) | payload == wire(event)


@pytest.mark.requirement("EVT-1")
@pytest.mark.parametrize(
    ("given", "door", "taken"),
    [
        ("Stop", "PreToolUse", "Stop"),
        (None, "PreToolUse", "PreToolUse"),
        ("", "PreToolUse", "PreToolUse"),
        (7, "PreToolUse", "PreToolUse"),
        (["Stop"], None, ""),
        ("", None, ""),
        ("Two words", "Stop", "Stop"),
        ('x"}\nevil 1', "Stop", "Stop"),
        ("N" * 65, "Stop", "Stop"),
        ("Stop\n", "PreToolUse", "PreToolUse"),
    ],
)
def test_the_door_names_an_event_whose_payload_does_not(given: Any, door: str | None, taken: str) -> None:
    event = parse({"hook_event_name": given, "session_id": "s"}, door)
    assert event.hook_event_name == taken
    assert type(event) is EVENTS.get(taken, UnknownEvent)


@pytest.mark.requirement("EVT-1")
def test_a_payload_without_a_name_or_a_door_is_unknown() -> None:
    assert parse({}) == UnknownEvent()
    assert parse({"prompt": "x"}).rest == {"prompt": "x"}


@pytest.mark.requirement("EVT-11")
@pytest.mark.parametrize(
    ("prompt", "is_one"),
    [
        ("<task-notification>\n<task-id>b</task-id>", True),
        ("  \n<task-notification>x", True),
        ("what does <task-notification> mean?", False),
        ("", False),
        ("<task-notifications>", False),
    ],
)
def test_the_notice_of_a_background_task_is_not_a_user_prompt(prompt: str, is_one: bool) -> None:
    assert UserPromptSubmit(prompt=prompt).is_notification is is_one


@pytest.mark.requirement("EVT-11")
def test_the_recorded_notice_is_recognised() -> None:
    notice, prompt = parse(load("UserPromptSubmit-task-notification")), parse(load("UserPromptSubmit"))
    assert isinstance(notice, UserPromptSubmit)
    assert isinstance(prompt, UserPromptSubmit)
    assert (notice.is_notification, prompt.is_notification) == (True, False)


@pytest.mark.requirement("EVT-13")
@each_of(
    ("error", "code"),
    [
        ("Exit code 3\nout\nbad", 3),
        ("Exit code 143\nCommand timed out after 1s", 143),
        ("Exit code -9", -9),
        ("Exit code 0", 0),
        ("Exit code", None),
        ("Exit code x", None),
        ("Exit code 3 and more", None),
        ("Exit code --3", None),
        ("Exit code ²", None),
        ("bad\nExit code 3", None),
        ("File does not exist.", None),
        ("", None),
    ],
)
def test_the_exit_code_is_the_first_line_of_the_error(error: str, code: int | None) -> None:
    assert PostToolUseFailure(error=error).exit_code == code


@pytest.mark.requirement("EVT-13")
def test_recorded_failures_tell_their_exit_code_and_nothing_else_does() -> None:
    codes = {name: getattr(parse(load(name)), "exit_code", None) for name in names()}
    assert {name: code for name, code in codes.items() if code is not None} == {
        "PostToolUseFailure-Bash-exit143": 143,
        "PostToolUseFailure-Bash-exit3": 3,
    }


def test_arguments_are_an_object_whatever_the_input_is() -> None:
    assert ToolEvent(tool_input={"command": "ls"}).arguments == {"command": "ls"}
    for odd in (None, "ls", [1], 4):
        assert ToolEvent(tool_input=odd).arguments == {}


def test_a_start_without_a_source_is_a_startup() -> None:
    assert SessionStart().source == "startup"
