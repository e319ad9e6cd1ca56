"""The configuration of the loop: every key of the source system, with its default."""

from __future__ import annotations

from typing import get_type_hints

import pytest
from msgspec.structs import asdict

from holdfast.config import all_sections
from holdfast.program import PROGRAM, ROOMS

SEED: dict[str, dict[str, object]] = {
    "session_start": {"enabled": True, "timeout": 5.0, "inject_light_context": True},
    "user_prompt_submit": {"enabled": True, "context_depth": "rich", "token_budget": 2_000, "include_code": True},
    "ghap_checkin": {"enabled": True, "frequency": 10, "timeout": 0.1},
    "outcome_capture": {"enabled": True, "timeout": 0.2, "auto_capture": True},
    "session_end": {"enabled": True, "timeout": 1.0},
}
BOUNDED = (
    ("session_start", "SessionStart", "learning.offer"),
    ("user_prompt_submit", "UserPromptSubmit", "items.recall"),
    ("ghap_checkin", "PreToolUse", "learning.check_in"),
    ("outcome_capture", "PostToolUse", "learning.outcome"),
    ("session_end", "SessionEnd", "learning.leave"),
)


@pytest.mark.requirement("LRN-13")
def test_every_key_of_the_source_system_is_there_with_its_default() -> None:
    sections = all_sections(ROOMS)
    for name, wanted in SEED.items():
        found = asdict(sections[name]())
        assert {key: found[key] for key in wanted} == wanted, name
    matchers = asdict(sections["outcome_capture"]())["matchers"]
    assert isinstance(matchers, tuple)
    assert "pytest" in matchers


@pytest.mark.requirement("LRN-13")
def test_a_hook_may_take_as_long_as_its_setting_allows() -> None:
    """The time of a step is the program's; where the user chooses one, the program must not cut it short."""
    sections = all_sections(ROOMS)
    for section, event, name in BOUNDED:
        kind = get_type_hints(sections[section], include_extras=True)["timeout"]
        [step] = [each for each in PROGRAM[event].steps if each.name == name]
        assert step.seconds >= kind.__metadata__[0].le, (section, name)
