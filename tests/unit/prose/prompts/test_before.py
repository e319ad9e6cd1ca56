"""A rule that means something by "it" is told with the sentence that names it, as the user wrote both."""

from __future__ import annotations

import pytest

from holdfast.prose.prompts.before import sentence_before, with_subject

_TOLD = (
    ("the archive is signed. never touch it", "never touch it", "the archive is signed. never touch it"),
    ("never touch it", "never touch it", "never touch it"),
    ("the archive is signed. we use uv, not pip", "we use uv, not pip", "we use uv, not pip"),
    (f"the archive {'of old ' * 30}is signed. never touch it", "never touch it", "never touch it"),
)


@pytest.mark.requirement("MEM-31")
@pytest.mark.parametrize(("prompt", "text", "told"), _TOLD)
def test_a_rule_is_told_with_what_names_its_subject(prompt: str, text: str, told: str) -> None:
    assert with_subject(prompt, text) == told


@pytest.mark.requirement("MEM-31")
def test_a_sentence_that_needs_one_itself_names_nothing() -> None:
    assert sentence_before("it broke again. never touch it", "never touch it") == ""
