"""What a transcript tells: of files that the real client wrote, and of whatever else may be in one (EVT-8)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.table import each_of
from tests.support.transcripts import AT, about, both, final, read, result, story, use

DATA = Path(__file__).parents[2] / "data"


FILE = "/home/dev/project/a.txt"
TOOLS = [
    ("UserPromptSubmit", "Do several things."),
    *both("echo fine"),
    *both(f"Write {FILE}"),
    *both(f"Read {FILE}"),
    *both(f"Edit {FILE}"),
    ("PreToolUse", "echo bad; exit 3"),
    ("PostToolUseFailure", "Exit code 3\nbad"),
    ("PreToolUse", "touch forbidden"),
    *both("echo p1"),
    *both("echo p2"),
    *both("Agent"),
    ("Stop", "All done."),
]
COMPACT = [
    ("UserPromptSubmit", "first prompt"),
    ("Stop", "one"),
    ("UserPromptSubmit", "second prompt"),
    *both("echo tool"),
    ("Stop", "two"),
    ("UserPromptSubmit", "/hello world"),
    ("Stop", "hello-cmd"),
    ("UserPromptSubmit", "third prompt"),
    ("Stop", "after compact"),
]
CLEAR = [
    ("UserPromptSubmit", "fourth prompt"),
    ("Stop", "after clear"),
    ("UserPromptSubmit", "fifth prompt"),
    ("UserPromptSubmit", "sixth prompt"),
    ("Stop", "after interrupt"),
]
SUBAGENT = [
    *both("echo inside"),
    ("PreToolUse", "exit 4"),
    ("PostToolUseFailure", "Exit code 4"),
    ("SubagentStop", "Seven."),
]
RECORDED = {"tools": TOOLS, "compact": COMPACT, "clear": CLEAR, "subagent": SUBAGENT}


@pytest.mark.requirement("EVT-8")
@pytest.mark.parametrize("version", ["2.1.325", "2.1.197"])
@pytest.mark.parametrize("name", sorted(RECORDED))
def test_what_the_real_client_wrote_tells_what_its_hooks_told(name: str, version: str) -> None:
    data = (DATA / "transcripts" / f"{name}-{version}.jsonl").read_bytes()
    agent = "a0cf6c7564e508b40" if name == "subagent" else None
    reading = read(data, agent_id=agent)
    assert story(reading.events) == RECORDED[name]
    assert reading.read_bytes == len(data)
    for item in reading.events:
        assert item.payload["hook_event_name"] == item.event
        assert item.payload["session_id"]
        assert item.payload["prompt_id"]
        assert item.payload["cwd"] == "/home/dev/project"
        assert item.payload.get("agent_id") == agent
        assert item.happened_at > 1_700_000_000_000_000


@pytest.mark.requirement("EVT-8")
def test_the_sample_that_came_with_the_payloads() -> None:
    reading = read((DATA / "_transcript-sample.jsonl").read_bytes())
    assert story(reading.events) == [("UserPromptSubmit", "hi")]


@pytest.mark.requirement("EVT-8")
@pytest.mark.parametrize("name", sorted(RECORDED))
def test_reading_a_file_in_any_two_parts_tells_the_same(name: str) -> None:
    data = (DATA / "transcripts" / f"{name}-2.1.325.jsonl").read_bytes()
    agent = "a" if name == "subagent" else None
    whole = {(item.event, about(item.payload), item.payload["prompt_id"]) for item in read(data, agent_id=agent).events}
    ends = [at + 1 for at, byte in enumerate(data) if byte == 10]
    for end in [*ends, *(at - 7 for at in ends[1:])]:
        first = read(data[:end], agent_id=agent)
        assert first.read_bytes <= end
        before = data[: first.read_bytes]
        second = read(data[first.read_bytes :], first.read_bytes, agent_id=agent, before=before)
        told = [(i.event, about(i.payload), i.payload["prompt_id"]) for i in (*first.events, *second.events)]
        assert set(told) == whole
        assert second.read_bytes == len(data)


@pytest.mark.requirement("EVT-8")
def test_the_times_the_ids_and_the_answer_of_a_tool_use() -> None:
    asked = use().replace(AT.encode(), b"2026-11-15T20:39:42Z")
    reading = read(asked + result("shown", toolUseResult={"stdout": "kept"}))
    before, after = reading.events
    assert after.happened_at - before.happened_at == 1_666_000
    common = {"session_id": "s", "transcript_path": "/t.jsonl", "cwd": "/w", "prompt_id": "p1"}
    tool = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "t1"}
    assert before.payload == common | tool | {"hook_event_name": "PreToolUse"}
    assert after.payload == common | tool | {"hook_event_name": "PostToolUse", "tool_response": {"stdout": "kept"}}


@pytest.mark.requirement("EVT-8")
def test_a_tool_use_without_a_result_is_waited_for() -> None:
    first, rest = final("earlier"), use("t1") + use("t2") + result("x", "t2")
    reading = read(first + rest, 1000)
    assert story(reading.events) == [("Stop", "earlier"), *both("ls")]
    assert reading.read_bytes == 1000 + len(first)
    assert read(rest + result("y", "t1")).read_bytes == len(rest + result("y", "t1"))


@pytest.mark.requirement("EVT-8")
@pytest.mark.parametrize("tail", [b"", b"{", final("done")[:-1], b"\xff" * 10])
def test_a_line_that_is_not_finished_is_left_for_the_next_time(tail: bytes) -> None:
    reading = read(final("one") + tail)
    assert story(reading.events) == [("Stop", "one")]
    assert reading.read_bytes == len(final("one"))


GARBAGE = [
    b"",
    b"not json",
    b"\xff\xfe\x00",
    b"null",
    b"[]",
    b'"text"',
    b"{}",
    b"[" * 100_000,
    b'{"type": "user"}',
    b'{"type": "user", "message": "text"}',
    b'{"type": 7, "message": {}}',
    b'{"type": "assistant", "message": {"content": [7, null, {"type": "tool_use"}, {"type": "tool_use", "id": 7}]}}',
    b'{"type": "user", "promptId": "p", "message": {"content": [{"type": "tool_result", "tool_use_id": {"a": 1}}]}}',
    b'{"type": "user", "promptId": "p", "message": {"content": 7}}',
    b'{"type": "assistant", "message": {"stop_reason": "end_turn", "content": null}}',
    b'{"type": "attachment", "attachment": {}}',
    b'{"type": "user"\r, "message": "a carriage return inside"\r}',
    b"a \r carriage \x0b return \x0c and \x1c others \x85",
]


@pytest.mark.requirement("EVT-8")
@each_of("garbage", GARBAGE, ids=lambda raw: str(raw[:30]))
def test_lines_that_are_not_understood_are_passed_over(garbage: bytes) -> None:
    data = final("one") + garbage + b"\n" + use() + garbage + b"\n" + result("x") + garbage + b"\r\n"
    reading = read(data)
    assert story(reading.events) == [("Stop", "one"), *both("ls")]
    assert reading.read_bytes == len(data)
