"""What the user answered to the client's question tool is read from its payload, whatever shape it has."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from holdfast.rooms.memory.capture.questions import UserAnswer, answers_in
from tests.support.table import each_of

_PAYLOAD = Path(__file__).parents[4] / "data" / "payloads" / "PostToolUse-AskUserQuestion.json"


@pytest.mark.requirement("MEM-31")
def test_the_clients_own_payload_is_read() -> None:
    for path in [_PAYLOAD]:
        assert answers_in(json.loads(path.read_text())) == [UserAnswer("Which?", "A")]


@pytest.mark.requirement("MEM-31")
@each_of(
    ("payload", "found"),
    [
        (
            {"tool_response": {"answers": {"Format?": ["CSV", "JSON"]}}},
            [UserAnswer("Format?", "CSV, JSON")],
        ),
        ({"tool_input": {"answers": {"Which format?": "CSV"}}}, [UserAnswer("Which format?", "CSV")]),
        ({"tool_response": {"answers": {"Which “one”?": "“the” first"}}}, [UserAnswer("Which one?", "the first")]),
        ({"tool_response": {"answers": {"Which?": ""}}}, []),
        ({"tool_response": {"answers": {"Which?": 7}}}, []),
        ({"tool_response": {"answers": ["A"]}}, []),
        ({"tool_response": "User declined"}, []),
        (
            {"tool_response": {"answers": {str(at): "A" for at in range(9)}}},
            [UserAnswer(each, "A") for each in "0123"],
        ),
        ([], []),
        (None, []),
    ],
)
def test_only_answered_questions_count(payload: Any, found: list[UserAnswer]) -> None:
    assert answers_in(payload) == found
