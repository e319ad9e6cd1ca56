"""What an agent said before a call: read from a file only, and without what was said while recording was paused."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from holdfast.rooms.learning.predictions.passing import said_before

AT = "2026-11-15T18:41:45.209Z"


def said(text: str, **more: str) -> str:
    return json.dumps({"message": {"role": "assistant", "content": [{"type": "text", "text": text}]}, **more})


@pytest.mark.requirement("SEC-7")
def test_a_path_that_is_no_file_is_not_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in ("/dev/zero", str(pipe), str(tmp_path), str(tmp_path / "missing"), "a\0b"):
        assert said_before(path, "toolu_1", lambda at: True) == "", path


@pytest.mark.requirement("LRN-14")
def test_what_was_said_while_recording_was_paused_is_left_out(tmp_path: Path) -> None:
    call = {"message": {"role": "assistant", "content": [{"type": "tool_use", "name": "Bash", "id": "toolu_1"}]}}
    transcript = tmp_path / "s1.jsonl"
    lines = (said("Told in a pause.", timestamp=AT), said("Told now."), json.dumps(call))
    transcript.write_text("\n".join(lines))
    assert said_before(str(transcript), "toolu_1", lambda at: True) == "Told in a pause.\nTold now."
    assert said_before(str(transcript), "toolu_1", lambda at: at is None) == "Told now."
    assert said_before(str(transcript), "toolu_1", lambda at: False) == ""


@pytest.mark.requirement("LRN-14")
def test_a_call_that_is_not_in_the_transcript_yet_is_not_one_before_which_nothing_was_said(tmp_path: Path) -> None:
    transcript = tmp_path / "s1.jsonl"
    transcript.write_text(said("The tests should pass now."))
    assert said_before(str(transcript), "toolu_1", lambda at: True) is None


@pytest.mark.requirement("LRN-14")
def test_what_the_client_tells_the_model_is_not_what_the_agent_said(tmp_path: Path) -> None:
    call = {"message": {"role": "assistant", "content": [{"type": "tool_use", "name": "Bash", "id": "toolu_1"}]}}
    note = {"message": {"role": "system", "content": "# Environment\nThis should work."}}
    transcript = tmp_path / "s1.jsonl"
    transcript.write_text("\n".join((json.dumps(note), said("Told now."), json.dumps(call))))
    assert said_before(str(transcript), "toolu_1", lambda at: True) == "Told now."
