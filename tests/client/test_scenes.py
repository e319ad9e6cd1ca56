"""The scenes of the recall benchmark play under the real client: a turn of one, from its prompt to its transcript."""

from __future__ import annotations

import json
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from bench.work import record, scene


@pytest.mark.requirement("PRF-6")
def test_a_session_of_a_scene_plays_as_it_is_written() -> None:
    whole = scene.load("hivemap")
    first = whole.sessions[0]
    # Its last step runs a test that the scene makes flaky on purpose: it fails when a second ends within 5 ms.
    turn = replace(first.turns[0], steps=first.turns[0].steps[:-1])
    played = record.play(replace(whole, sessions=[replace(first, turns=[turn])]))
    text = played.sessions[first.name]
    assert tempfile.gettempdir() not in text
    assert str(Path(__file__).parents[2]) not in text
    lines = [json.loads(line) for line in text.splitlines()]
    calls = [
        block["id"]
        for line in lines
        if line["type"] == "assistant"
        for block in line["message"]["content"]
        if block["type"] == "tool_use"
    ]
    assert len(set(calls)) == len(turn.steps)
    assert {line["cwd"] for line in lines if "cwd" in line} == {"/home/dev/hivemap"}
    assert "src/hivemap.c" in played.files


@pytest.mark.requirement("PRF-6")
def test_a_scene_that_does_not_play_is_not_kept() -> None:
    whole = scene.load("hivemap")
    first = whole.sessions[0]
    step = replace(first.turns[0].steps[0], fails=not first.turns[0].steps[0].fails)
    turn = replace(first.turns[0], steps=[step])
    with pytest.raises(record.Mismatch, match="step 1"):
        record.play(replace(whole, sessions=[replace(first, turns=[turn])]))
