"""When two arrivals are one event, and how much of an event the journal keeps (EVT-7)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from holdfast.events.parse import parse
from holdfast.events.scene import Place
from holdfast.ids import EntryId, WindowId
from holdfast.road.journal import Arrival, bounded, event_key, journal_text, row
from tests.support.payloads import load, names
from tests.support.table import each_of


def key(payload: dict[str, Any], arrival: str = "one") -> str:
    return event_key(parse(payload), arrival)


NAMED = {
    *("PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionDenied", "PostToolBatch"),
    *("UserPromptSubmit", "Stop", "SubagentStop", "MessageDisplay"),
}


@pytest.mark.requirement("EVT-7")
@each_of("name", names())
def test_an_event_that_names_its_subject_is_itself_by_any_door_and_others_by_their_arrival(name: str) -> None:
    payload = load(name)
    again = json.loads(json.dumps(payload))
    assert key(payload, "one") == key(again, "one")
    assert (key(payload, "one") == key(again, "two")) is (payload["hook_event_name"] in NAMED)


@pytest.mark.requirement("EVT-7")
def test_different_recorded_events_have_different_keys() -> None:
    keys = [key(load(name), name) for name in names()]
    twice = {one for one in keys if keys.count(one) > 1}
    assert twice == set()


BASH = load("PostToolUse-Bash")
STOP = load("Stop")
BATCH = load("PostToolBatch")
PROMPT = load("UserPromptSubmit")

DIFFERENT: list[tuple[dict[str, Any], dict[str, Any]]] = [
    (BASH, {"tool_use_id": "toolu_other"}),
    (BASH, {"session_id": "other"}),
    (BASH, {"hook_event_name": "PreToolUse"}),
    (BASH, {"tool_input": {"command": "a provider that numbers its calls anew"}}),
    (BASH, {"tool_input": None}),
    (PROMPT, {"prompt_id": "other"}),
    (PROMPT, {"prompt": "another text under the same id"}),
    (STOP, {"prompt_id": "other"}),
    (STOP, {"last_assistant_message": "another message"}),
    (STOP, {"hook_event_name": "SubagentStop", "agent_id": "a"}),
    (STOP, {"stop_hook_active": True}),
    (load("SubagentStop"), {"agent_id": "other"}),
    (load("MessageDisplay"), {"index": 7}),
    (load("MessageDisplay"), {"message_id": "other"}),
    (BATCH, {"tool_calls": [BATCH["tool_calls"][0] | {"tool_use_id": "other"}]}),
    (BATCH, {"tool_calls": [BATCH["tool_calls"][0] | {"tool_input": "other"}]}),
]


@pytest.mark.requirement("EVT-7")
@each_of(("payload", "changes"), DIFFERENT)
def test_what_makes_another_event(payload: dict[str, Any], changes: dict[str, Any]) -> None:
    assert key(payload) != key(payload | changes)


@pytest.mark.requirement("EVT-7")
@pytest.mark.parametrize(
    ("payload", "changes"),
    [
        (BASH, {"tool_response": {"stdout": "cut on the way"}}),
        (BASH, {"duration_ms": 4}),
        (BASH, {"permission_mode": None, "effort": None}),
        (PROMPT, {"cwd": "/elsewhere"}),
        (STOP, {"background_tasks": None, "session_crons": None}),
    ],
)
def test_what_does_not_make_another_event(payload: dict[str, Any], changes: dict[str, Any]) -> None:
    assert key(payload) == key(payload | changes, "two")


@pytest.mark.requirement("EVT-7")
def test_stops_that_follow_a_refused_stop_are_told_apart_though_they_say_the_same() -> None:
    # 2.1.325: a Stop hook that blocks twice gives a second and a third Stop with the same payload.
    again = STOP | {"stop_hook_active": True}
    assert key(again, "one") != key(again, "two")
    assert key(again, "one") == key(again, "one")


@pytest.mark.requirement("EVT-7")
@pytest.mark.parametrize(
    "changes", [{"tool_use_id": None}, {"tool_use_id": ""}, {"tool_use_id": 7}], ids=["missing", "empty", "odd"]
)
def test_a_tool_event_without_an_id_is_its_arrival(changes: dict[str, Any]) -> None:
    assert key(BASH | changes, "one") == "arrival:one"


@each_of("name", names())
def test_a_small_payload_is_kept_whole(name: str) -> None:
    payload = load(name)
    text, gone = journal_text(payload["hook_event_name"], payload)
    if "originalFile" not in text:
        assert (json.loads(text), gone) == (payload, 0)


@pytest.mark.requirement("EVT-7")
def test_a_long_string_is_cut_and_the_rest_stays() -> None:
    payload = BASH | {"tool_response": {"stdout": "o" * 100_000, "stderr": "e" * 10_000}}
    text, gone = journal_text("PostToolUse", payload)
    kept = json.loads(text)
    assert gone == 100_000 - 16 * 1024
    assert f"[… {gone} characters cut …]" in kept["tool_response"]["stdout"]
    assert kept["tool_response"]["stderr"] == "e" * 10_000
    assert kept["tool_input"] == BASH["tool_input"]


@pytest.mark.requirement("EVT-7")
def test_a_batch_keeps_little_of_what_its_tool_uses_have_told() -> None:
    call = BATCH["tool_calls"][0] | {"tool_response": "r" * 10_000}
    text, gone = journal_text("PostToolBatch", BATCH | {"tool_calls": [call] * 20})
    kept = json.loads(text)["tool_calls"]
    assert gone == 20 * (10_000 - 512)
    assert [one["tool_use_id"] for one in kept] == [call["tool_use_id"]] * 20
    assert all(len(one["tool_response"]) < 600 for one in kept)


HUGE: list[dict[str, Any]] = [
    {"tool_response": ["s" * 900] * 5_000},
    {"tool_response": {f"k{n}": n for n in range(100_000)}},
    {f"k{n}": "v" * 20 for n in range(100_000)},
    {"x" * 300_000: 1},
    {"x" * 300_000: {"y": 1}},
    {f"{n}" + "x" * 5_000: True for n in range(200)},
    {"tool_response": ["s" * 20_000] * 200},
]


@pytest.mark.requirement("EVT-7")
@pytest.mark.parametrize("part", HUGE, ids=range(len(HUGE)))
def test_an_entry_is_bounded_whatever_the_tree(part: dict[str, Any]) -> None:
    payload = BASH | part
    text, gone = journal_text("PostToolUse", payload)
    assert len(text.encode()) <= 256 * 1024
    assert gone > 0
    kept = json.loads(text)
    for name in ("session_id", "hook_event_name", "tool_name", "tool_use_id", "cwd"):
        assert kept[name] == BASH[name]


@pytest.mark.requirement("SEC-5")
def test_ids_and_paths_are_bounded_and_stay_different() -> None:
    names = ("session_id", "agent_id", "prompt_id", "tool_use_id", "cwd", "transcript_path")
    one = bounded(dict.fromkeys(names, "ü" * 5_000 + "1") | {"prompt": "p" * 5_000})
    two = bounded(dict.fromkeys(names, "ü" * 5_000 + "2"))
    for name in names:
        assert len(one[name].encode()) <= 540
        assert one[name] != two[name]
    assert one["prompt"] == "p" * 5_000
    assert bounded(BASH) is BASH
    assert bounded({"cwd": "/" + "d" * 400, "session_id": 7}) == {"cwd": "/" + "d" * 400, "session_id": 7}


def test_the_row_of_an_arrival() -> None:
    place = Place("p", "name", "w", "/w", WindowId("s"), 2)
    arrival = Arrival(EntryId("id"), 5, 6, "spool")
    event = parse(load("PostToolUse-Bash-in-subagent"))
    made = row(arrival, event, "key", place, "me", "{}", ("a", "b", "a"), 3)
    assert made == {
        "id": "id",
        "event_key": "key",
        "owner": "me",
        "event": "PostToolUse",
        "conversation": event.session_id,
        "agent_id": event.agent_id,
        "session_id": "s",
        "project_id": "p",
        "worktree_id": "w",
        "prompt_id": event.prompt_id,
        "tool_name": "Bash",
        "tool_use_id": load("PostToolUse-Bash-in-subagent")["tool_use_id"],
        "happened_at": 5,
        "received_at": 6,
        "source": "spool",
        "payload": "{}",
        "scrubbed": "a,b",
        "cut_bytes": 3,
    }
    plain = row(arrival, parse(STOP), "key", place, "me", "{}", (), 0)
    assert (plain["tool_name"], plain["tool_use_id"], plain["scrubbed"], plain["agent_id"]) == (None, None, None, "")
