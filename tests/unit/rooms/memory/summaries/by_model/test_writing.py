"""What the client prints when it has written a summary, and what is taken from it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from holdfast.rooms.memory.summaries.by_model.output import Called, read_result
from holdfast.rooms.memory.summaries.by_model.writing import SWITCHES


def plain(value: object) -> object:
    return value


def printed(answer: str, **more: Any) -> bytes:
    usage = {"input_tokens": 10, "cache_creation_input_tokens": 5, "cache_read_input_tokens": 85, "output_tokens": 20}
    result = {"type": "result", "result": answer, "is_error": False, "total_cost_usd": 0.002, "usage": usage}
    return json.dumps(result | {"modelUsage": {"claude-haiku": {}}} | more).encode()


@pytest.mark.requirement("MEM-5")
def test_fields_are_taken_within_their_lengths_and_the_cost_with_them() -> None:
    answer = {"title": "A " * 200, "done": ["one", 2, "three"], "learned": "x" * 9_000, "other": "no", "left_open": ""}
    called = read_result(printed("Here it is:\n" + json.dumps(answer)), plain)
    assert (called.input_tokens, called.output_tokens, called.usd, called.model) == (100, 20, 0.002, "claude-haiku")
    assert called.content["done"] == "one\nthree"
    assert len(called.content["title"]) <= 120
    assert len(called.content["learned"]) == 1_200
    assert set(called.content) == {"title", "done", "learned"}


@pytest.mark.requirement("MEM-5")
@pytest.mark.parametrize(
    ("output", "error"),
    [
        (b"", "printed no result"),
        (b"[1]", "printed no result"),
        (b"\xff", "printed no result"),
        (printed("no object"), "no JSON object"),
        (printed("{broken"), "no JSON object"),
        (printed('{"broken": }'), "no JSON object"),
        (printed('{"left_open": "x"}'), "says nothing"),
        (printed('{"title": "  "}'), "says nothing"),
        (printed("Credit balance is too low", is_error=True), "Credit balance"),
    ],
)
def test_what_is_no_summary_is_an_error_and_costs_all_the_same(output: bytes, error: str) -> None:
    called = read_result(output, plain)
    assert error in called.error
    assert called.content == {}
    assert called.usd == (0.002 if output.startswith(b"{") else 0)


def test_what_the_model_wrote_is_cleaned() -> None:
    called = read_result(printed('{"title": "secret"}'), lambda value: {"title": "[scrubbed]"})
    assert called == Called({"title": "[scrubbed]"}, "claude-haiku", 100, 20, 0.002)
    failed = read_result(printed("it quotes secret words", is_error=True), lambda value: "[scrubbed]")
    assert failed.error == "[scrubbed]"


@pytest.mark.requirement("EVT-10")
def test_the_run_has_no_hooks_no_tools_and_no_transcript() -> None:
    words = list(SWITCHES)
    assert json.loads(words[words.index("--settings") + 1]) == {"disableAllHooks": True}
    assert words[words.index("--tools") + 1] == ""
    assert "--no-session-persistence" in words
    assert "--strict-mcp-config" in words
