"""The text of a message's content."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.events.content import content_text, prompt_text


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("as it is ", "as it is "),
        ([{"type": "text", "text": "one"}, {"type": "text", "text": "two"}], "one\ntwo"),
        (
            [{"type": "text", "text": "one"}, {"type": "image", "source": {}}, {"type": "text", "text": "two"}],
            "one\ntwo",
        ),
        ([{"text": "without a type"}], "without a type"),
        ([{"type": "thinking", "text": "no"}, {"type": "tool_use", "name": "Bash"}], ""),
        ([{"type": "text", "text": None}, {"type": "text", "text": 7}, "loose", None], ""),
        ([], ""),
        (None, ""),
        ({"type": "text", "text": "a block is no content"}, ""),
    ],
)
def test_the_texts_of_blocks_a_line_each(content: Any, text: str) -> None:
    assert content_text(content) == text


@pytest.mark.parametrize(
    ("prompt", "kept"),
    [
        ("  hello  ", "hello"),
        ("", ""),
        ("   \n", ""),
        ("<system-reminder>noise</system-reminder>do it", "do it"),
        ("do it<system-reminder>unclosed", "do it"),
        ("x" * 9_000, "x" * 4_000),
    ],
)
def test_what_is_kept_of_a_prompt(prompt: str, kept: str) -> None:
    assert prompt_text(prompt) == kept
