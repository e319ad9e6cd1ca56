"""Heartbeat, bypass, names of documents, coordinators and dialogue."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from holdfast.rooms.work import rules
from holdfast.rooms.work.model import Heartbeat

US = Path(sys.executable).with_name("holdfast")


@pytest.mark.requirement("WRK-4")
def test_when_the_heartbeat_warns_and_blocks() -> None:
    cases: list[tuple[Heartbeat, int, dict[int, str]]] = [
        ("block", 10, {1: "", 6: "", 7: "warn", 8: "", 9: "warn", 10: "block", 11: "block", 500: "block"}),
        ("warn", 10, {6: "", 7: "warn", 9: "warn", 10: "warn", 11: "", 20: "warn"}),
        ("off", 10, {7: "", 10: "", 1_000: ""}),
        ("block", 2, {1: "warn", 2: "block"}),
    ]
    for mode, after, counts in cases:
        for count, verdict in counts.items():
            assert rules.verdict(count, mode, after) == verdict, (mode, count)


@pytest.mark.requirement("WRK-4")
def test_what_does_not_count_is_known_by_name_or_by_the_parsed_command() -> None:
    passing: list[tuple[str, dict[str, Any]]] = [
        ("ToolSearch", {}),
        ("AskUserQuestion", {}),
        ("mcp__holdfast__effort", {}),
        ("mcp__plugin_holdfast_holdfast__effort", {}),
        ("Bash", {"command": "holdfast effort log 'a; b'"}),
        ("Bash", {"command": f"{US} --home /h effort log a 2>/dev/null | tail -1"}),
        ("Bash", {"command": "cd a && HOLDFAST_HOME=/h holdfast effort phase Plan"}),
    ]
    counting: list[tuple[str, dict[str, Any]]] = [
        ("Bash", {"command": "engine x; rm -rf ~"}),
        ("Bash", {"command": "holdfast x; rm -rf ~"}),
        ("Bash", {"command": "holdfast x && rm -rf ~"}),
        ("Bash", {"command": "holdfast x | sh"}),
        ("Bash", {"command": "holdfast log `rm -rf ~`"}),
        ("Bash", {"command": "holdfast log <(rm -rf ~)"}),
        ("Bash", {"command": "PATH=/evil holdfast log"}),
        ("Bash", {"command": "sudo holdfast log"}),
        ("Bash", {"command": "./holdfast log"}),
        ("Bash", {"command": "/opt/x/bin/holdfast log"}),
        ("Bash", {"command": "holdfast log | cat /etc/passwd"}),
        ("Bash", {"command": "holdfast log 'unclosed"}),
        ("Bash", {"command": "# holdfast\nrm -rf ~"}),
        ("Bash", {"command": ["holdfast"]}),
        ("Bash", {}),
        ("mcp__other__holdfast__x", {}),
        ("mcp__evil_holdfast__x", {}),
        ("Read", {"file_path": "/holdfast"}),
        ("", {}),
    ]
    for tool, arguments in passing:
        assert rules.bypasses(tool, arguments), arguments
    for tool, arguments in counting:
        assert not rules.bypasses(tool, arguments), arguments


@pytest.mark.requirement("WRK-1")
def test_an_agent_is_never_above_itself() -> None:
    parents = {"a": "b", "b": "c", "x": "y", "y": "x"}
    cases = [
        ("c", "a", True),
        ("c", "d", False),
        ("a", "a", True),
        ("d", "a", False),
        ("a", "", False),
        ("z", "x", True),
    ]
    for name, parent, expected in cases:
        assert rules.cycle(name, parent, parents) == expected, (name, parent)


@pytest.mark.requirement("WRK-9")
def test_dialogue_of_every_shape() -> None:
    question = {"questions": [{"question": "Which?", "options": [{"label": "A"}, "strange"]}, 7, {"question": None}]}
    cases: list[tuple[Any, Any, str]] = [
        (question, {"answers": {"Which?": "A"}}, "Q: Which? [A]\nA: A"),
        (question | {"answers": {"Which?": ["A", "B"]}}, None, "Q: Which? [A]\nA: A, B"),
        (question, "User declined", "Q: Which? [A]\nA: (not answered)"),
        ({}, {"answers": {"Late?": "yes"}}, "Q: Late?\nA: yes"),
        ({}, "it was answered so", "it was answered so"),
        ({"questions": "none"}, {"answers": [1]}, ""),
        ({}, None, ""),
    ]
    for asked, response, expected in cases:
        assert rules.dialogue(asked, response) == expected
