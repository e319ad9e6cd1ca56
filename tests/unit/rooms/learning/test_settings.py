"""The configuration of the loop: every key of the source system, with its default."""

from __future__ import annotations

import pytest
from msgspec.structs import asdict

from holdfast.program import ROOMS
from holdfast.rooms.gather import sections_of

SEED: dict[str, dict[str, object]] = {
    "session_start": {"enabled": True, "timeout": 5.0, "inject_light_context": True},
    "user_prompt_submit": {"enabled": True, "context_depth": "rich", "token_budget": 2_000, "include_code": True},
    "ghap_checkin": {"enabled": True, "frequency": 10, "timeout": 0.1},
    "outcome_capture": {"enabled": True, "timeout": 0.2, "auto_capture": True},
    "session_end": {"enabled": True, "timeout": 1.0},
}


@pytest.mark.requirement("LRN-13")
def test_every_key_of_the_source_system_is_there_with_its_default() -> None:
    sections = sections_of(ROOMS)
    for name, wanted in SEED.items():
        found = asdict(sections[name]())
        assert {key: found[key] for key in wanted} == wanted, name
    assert "timeout" in asdict(sections["user_prompt_submit"]())
    matchers = asdict(sections["outcome_capture"]())["matchers"]
    assert isinstance(matchers, tuple)
    assert "pytest" in matchers
